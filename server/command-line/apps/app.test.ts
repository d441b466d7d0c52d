/** Tests of `app deploy`, `dev`, `logs` and `migrate` with a folder and a server, as their users run them. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { commandSettings } from '../../../test/fixtures/apps/deploy-example.ts'
import { runInProcess, temporaryFolder } from '../../../test/fixtures/command-line.ts'
import { eventually } from '../../../test/fixtures/eventually.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { newSiteOwner, newSlug } from '../../../test/fixtures/sites/site-owner.ts'
import { hostOf, visit } from '../../../test/fixtures/sites/site-visitor.ts'
import { readConfig } from '../../kernel/config/config.ts'
import { connectNotifications } from '../../kernel/jobs/notifications.ts'
import { run } from '../run.ts'

const runtime = await openTestRuntime()
const settings = commandSettings(runtime)
// As the server does, so that commands hear of new lines.
const notifications = connectNotifications(runtime.runtime, runtime.connection)
after(() => notifications.stop())

/** A folder with an app that logs, and its site. */
async function newFolder() {
  const { project_id } = await newSiteOwner(runtime)
  const dir = temporaryFolder()
  const slug = newSlug()
  const write = (path: string, text: string) => writeFileSync(join(dir, path), text)
  for (const folder of ['migrations', 'pages']) mkdirSync(join(dir, folder))
  const writeMain = (word: string) =>
    write(
      'main.ts',
      `export default { fetch() { console.log('${word} was asked'); return new Response('${word}') } }`,
    )
  writeMain('one')
  write('migrations/0001-notes.sql', 'create table notes (text text)')
  write('pages/index.html', '<title>Notes</title>')
  const common = ['--slug', slug, '--project', project_id, '--json']
  return {
    dir,
    write,
    writeMain,
    run: (...argv: string[]) => runInProcess(['app', ...argv, ...common], settings),
    /** A command that goes on until `stop`, and the documents that it has printed. */
    start(...argv: string[]) {
      const stopping = new AbortController()
      let text = ''
      const ended = run(['app', ...argv, ...common], {
        stdout: { write: (part) => (text += part) },
        stderr: { write: (part) => (text += part) },
        settings: () => readConfig(settings, dir),
        stopped: () => stopping.signal,
      })
      const lines = (): any[] =>
        text
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line))
      return {
        lines,
        shows: (look: (line: any) => boolean) => eventually(() => lines().find(look)),
        async stop() {
          stopping.abort()
          assert.equal(await ended, 0, text)
        },
      }
    },
  }
}

async function ask(url: string): Promise<string> {
  return (await visit(runtime, { host: hostOf(url), route: 'GET /api/' })).text
}

suite('the app commands', () => {
  test('dev deploys each change in test mode, says why one is refused, and shows the log', async () => {
    const { dir, write, writeMain, start } = await newFolder()
    const dev = start('dev', dir, '--pages', join(dir, 'pages'))
    const { url, applied } = await dev.shows(({ version }) => version === 1)
    assert.deepEqual(applied, ['0001-notes'])
    assert.equal(await ask(url), 'one')
    await dev.shows(({ text }) => text === 'one was asked')
    write('main.ts', '// A comment.\nconst a: = 1')
    await dev.shows(({ error }) => error?.includes('main.ts:2: '))
    writeMain('two')
    await dev.shows(({ version }) => version === 2)
    await eventually(async () => (await ask(url)) === 'two')
    write('pages/index.html', '<title>Other notes</title>')
    const page = () => visit(runtime, { host: hostOf(url), route: 'GET /' })
    await eventually(async () => (await page()).text.includes('Other notes'))
    writeMain('three')
    await eventually(async () => (await ask(url)) === 'three')
    await dev.stop()
    const versions = dev.lines().flatMap(({ applied, version }) => (applied ? version : []))
    assert.deepEqual(versions, [1, 2, 3], 'a change of a page deploys no code')
  })

  test('logs shows the last lines, and new ones until it is stopped', async () => {
    const { dir, run, start } = await newFolder()
    const { json } = await run('deploy', dir, '--pages', join(dir, 'pages'))
    await ask(json.url)
    const logs = start('logs')
    const { id } = await logs.shows(({ text }) => text === 'one was asked')
    await ask(json.url)
    await logs.shows((line) => line.text === 'one was asked' && line.id !== id)
    await logs.stop()
    const once = start('logs', '--once')
    await once.shows(({ text }) => text === 'one was asked')
    await once.stop()
  })

  test('deploy names a setting that apps do not have', async () => {
    const { dir, write, run } = await newFolder()
    write('app.json', '{"nam": "Notes"}')
    const { code, said } = await run('deploy', dir, '--pages', join(dir, 'pages'))
    assert.deepEqual([code, said], [1, '/nam is not a setting of an app.'])
  })

  test('migrate runs what is new, and names the migration with the sentence of PostgreSQL', async () => {
    const { dir, write, run } = await newFolder()
    await run('deploy', dir, '--pages', join(dir, 'pages'))
    assert.deepEqual((await run('migrate', dir)).json, { applied: [] })
    write('migrations/0002-at.sql', 'alter table notes add column at timestamptz')
    assert.deepEqual((await run('migrate', dir)).json, { applied: ['0002-at'] })
    write('migrations/0003-bad.sql', 'alter table nots add column a int')
    const { code, said } = await run('migrate', dir)
    const sentence = 'The migration "0003-bad" was refused: relation "nots" does not exist.'
    assert.deepEqual([code, said], [1, sentence])
  })
})
