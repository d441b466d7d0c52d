/**
 * Kills the server repeatedly during deploys. Visitors always see one complete version, every
 * acknowledged deploy is kept, and the site can be deployed again.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { depth } from '../fixtures/depth.ts'
import { untilEnough } from '../fixtures/eventually.ts'
import { startServer, type ServerProcess } from '../fixtures/server-process.ts'
import { hostOf, visit } from '../fixtures/sites/site-visitor.ts'

const ROUNDS = depth(1, 3)
const DEPLOYERS = 3
/** Maximum deploys per hour of a project in its first week. */
const DEPLOYS_MAX = 30
const FILES = 8
const seed = Number(process.env['SEED'] ?? Date.now() % 100_000)

/** The files of a deploy; each contains the mark of that deploy. */
function filesOf(mark: string) {
  const names = ['index.html', ...Array.from({ length: FILES - 1 }, (_, n) => `part-${n}.txt`)]
  return names.map((path) => ({ path, content: `${mark} ${path} ${'.'.repeat(20_000)}` }))
}

test(
  'one complete version is served after kill -9 during deploys',
  { timeout: 180_000 },
  async (context) => {
    console.log(`SEED=${seed}`)
    const folder = mkdtempSync(join(tmpdir(), 'homeport-site-crash-'))
    let server: ServerProcess = await startServer(folder, { HOMEPORT_TEST_CLOCK: '1' })
    const key = server.banner['test_key']
    context.after(async () => {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    })

    async function ask(route: string, body?: object) {
      const [method = '', path = ''] = route.split(' ')
      const response = await fetch(server.banner['base_url'] + path, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      return { status: response.status, body: JSON.parse((await response.text()) || 'null') }
    }

    /** The mark that all served files have in common; fails if they differ. */
    async function markShown(): Promise<string> {
      const { body: shown } = await ask(`GET /sites/${site.id}`)
      const marks = new Set<string>()
      for (const { path } of filesOf('')) {
        const { origin } = new URL(server.banner['base_url'] ?? '')
        const asked = { host: hostOf(shown.url), route: `GET /${path}` }
        const seen = await visit({ url: origin }, asked)
        assert.equal(seen.status, 200, path)
        const [mark = '', name] = seen.text.split(' ')
        assert.equal(name, path)
        marks.add(mark)
      }
      assert.equal(marks.size, 1, `seed ${seed}: visitors see ${[...marks].join(' and ')}`)
      return [...marks][0] ?? ''
    }

    const first = await ask('POST /sites', { slug: 'crash-site', files: filesOf('0') })
    assert.equal(first.status, 201, JSON.stringify(first.body))
    const site = first.body
    const acknowledged = new Map<number, string>([[1, '0']])

    async function keepDeploying(name: string): Promise<void> {
      for (let n = 0; ; n++) {
        const mark = `${name}-${n}`
        const done = await ask(`PUT /sites/${site.id}`, { files: filesOf(mark) }).catch(() => null)
        if (done === null) return
        if (done.status === 503) continue
        assert.equal(done.status, 200, JSON.stringify(done.body))
        acknowledged.set(done.body.version, mark)
      }
    }

    for (let round = 1; round <= ROUNDS; round++) {
      const before = acknowledged.size
      const names = Array.from({ length: DEPLOYERS }, (_, n) => `r${round}d${n}`)
      const deploying = Promise.all(names.map(keepDeploying))
      const most = Math.min(before + 3, round * Math.floor(DEPLOYS_MAX / ROUNDS / 2))
      await untilEnough(() => acknowledged.size >= most, deploying)
      await delay((seed * round * 7) % 40)
      await server.stop('SIGKILL')
      await deploying
      server = await startServer(folder, { HOMEPORT_TEST_CLOCK: '1' })
      // Moves the clock past the hour for which deploys are counted.
      await fetch(new URL('/dev/clock', server.banner['base_url']), {
        method: 'POST',
        body: JSON.stringify({ advance_seconds: 3700 }),
      })
      const mark = await markShown()
      const { body: shown } = await ask(`GET /sites/${site.id}`)
      const known = acknowledged.get(shown.version)
      assert.ok(known === undefined || known === mark, `seed ${seed}: version ${shown.version}`)
      assert.ok(shown.version >= Math.max(...acknowledged.keys()), 'what was acknowledged is kept')
      acknowledged.set(shown.version, mark)
    }

    const { body: versions } = await ask(`GET /sites/${site.id}/versions`)
    for (const { version, files_count } of versions.data) {
      assert.equal(files_count, FILES)
      const file = await ask(`GET /sites/${site.id}/files/part-0.txt?version=${version}`)
      const mark = acknowledged.get(version)
      if (mark) assert.equal(file.body.content.split(' ')[0], mark)
    }
    assert.equal((await ask(`PUT /sites/${site.id}`, { files: filesOf('last') })).status, 200)
    assert.equal(await markShown(), 'last')
  },
)
