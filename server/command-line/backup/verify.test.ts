/** Tests of `backup verify`: a whole backup, a damaged one, another key, and nothing left behind. */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import pg from 'pg'
import { createTestDatabase, dropTestDatabase } from '../../../test/fixtures/cluster.ts'
import { testDatabasePrefix } from '../../kernel/backup/store.ts'
import { createSeal } from '../../kernel/secrets/crypto.ts'
import { databaseUrl, runInProcess, temporaryFolder } from '../../../test/fixtures/command-line.ts'

const SECRET = 'a master key for tests that is long enough'
const folder = temporaryFolder()
const whole = join(folder, 'whole.backup')
let connection: pg.PoolConfig
let settings: Record<string, string>
let made: { tables: { table: string; rows: number }[] }

before(async () => {
  connection = await createTestDatabase()
  const data_dir = join(folder, 'data')
  const address = databaseUrl(connection)
  settings = { DATABASE_URL: address, HOMEPORT_DATA_DIR: data_dir, HOMEPORT_SECRET: SECRET }
  for (const name of ['Bakery', 'Tab\tand\\backslash', 'Mill'])
    await runInProcess(['projects', 'create', '--name', name.replaceAll('\t', ' ')], settings)
  made = (await runInProcess(['backup', '--to', whole, '--json'], settings)).json
})
after(() => dropTestDatabase(connection))

/** The temporary databases of this test's database; other test files make their own meanwhile. */
async function temporaryDatabases(): Promise<string[]> {
  const client = new pg.Client(connection)
  await client.connect()
  const { rows } = await client.query(
    'select datname from pg_database where starts_with(datname, $1)',
    [await testDatabasePrefix(client)],
  )
  await client.end()
  return rows.map(({ datname }) => datname)
}

/** Writes a copy of the backup whose text is changed. */
function changed(name: string, change: (text: string) => string): string {
  const file = join(folder, name)
  writeFileSync(file, gzipSync(change(gunzipSync(readFileSync(whole)).toString('latin1'))))
  return file
}

describe('backup verify', () => {
  it('restores a backup, compares it, and leaves no database behind', async () => {
    const { json, said } = await runInProcess(['backup', 'verify', whole, '--json'], settings)
    assert.equal(said, '')
    const rows = made.tables.reduce((sum, one) => sum + one.rows, 0)
    assert.deepEqual([json.tables, json.rows], [made.tables.length, rows])
    assert.deepEqual(json.missing_keys, [])
    assert.deepEqual(await temporaryDatabases(), [])
  })

  it('refuses a backup with one changed byte, one that is cut short, and another file', async () => {
    const altered = changed('altered', (text) => text.replace('Bakery', 'Bikery'))
    const bytes = readFileSync(whole)
    const short = join(folder, 'short')
    writeFileSync(short, bytes.subarray(0, bytes.length - 200))
    const other = join(folder, 'other')
    writeFileSync(other, 'not a backup')
    const expected = [
      [altered, /is damaged: the rows of \w+ do not fit their checksum/],
      [short, /is damaged: it is cut short or was changed/],
      [other, /is not a Homeport backup/],
    ] as const
    for (const [file, message] of expected) {
      const { code, said } = await runInProcess(['backup', 'verify', file], settings)
      assert.equal(code, 1)
      assert.match(said, message)
    }
    assert.deepEqual(await temporaryDatabases(), [])
  })

  it('restores, but fails and names the key, if the master key of its secrets is not here', async () => {
    const other = { ...settings, HOMEPORT_SECRET: 'another master key that is long enough' }
    const { code, said, stdout } = await runInProcess(['backup', 'verify', whole], other)
    assert.equal(code, 1)
    assert.match(said, new RegExp(`need the master key ${createSeal(SECRET).key_id}, which is not`))
    assert.match(stdout, /restores: \d+ rows/)
  })
})
