/**
 * Migrations: numbered plain SQL files, forward only, each in its own transaction. An advisory lock
 * serializes concurrent starts. Refuses a file that changed after it was applied, and a database
 * newer than this program.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { sha256 } from '../secrets/crypto.ts'

const folder = join(import.meta.dirname, '..', '..', 'migrations')
const LOCK = 4_206_900_731_001n
const POSTGRES_VERSION_MIN = 150_000
const filePattern = /^(\d{4})-[a-z0-9-]+\.sql$/

interface Migration {
  number: number
  name: string
  text: string
  hash: string
}

/** This program cannot use this database. The message is for the operator. */
export class UnfitDatabase extends Error {}

/** The migrations of this program, by number. */
export function readMigrations(): Migration[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .toSorted()
    .map((name) => {
      const number = Number(filePattern.exec(name)?.[1])
      if (!Number.isInteger(number))
        throw new Error(`${name} is not named like 0001-what-it-brings.sql.`)
      const text = readFileSync(join(folder, name), 'utf8')
      return { number, name, text, hash: sha256(text).toString('hex') }
    })
}

/**
 * Applies migrations up to number `up_to`, by default all. Returns the names of the applied ones.
 */
export async function migrate(connection: pg.ClientConfig, up_to = Infinity): Promise<string[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    await requireVersion(client)
    await client.query('select pg_advisory_lock($1)', [LOCK])
    await client.query(`create table if not exists migrations (
      number integer primary key, name text not null, hash text not null, applied_at timestamptz not null default now())`)
    const applied = await client.query<{ number: number; hash: string }>(
      'select number, hash from migrations order by number',
    )
    const known = readMigrations()
    refuseForeign(known, applied.rows)
    const newest = applied.rows.at(-1)?.number ?? 0
    const due = known.filter(({ number }) => number > newest && number <= up_to)
    for (const migration of due) await apply(client, migration)
    return due.map(({ name }) => name)
  } finally {
    await client.end()
  }
}

async function requireVersion(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: number }>(
    "select current_setting('server_version_num')::int as version",
  )
  if ((rows[0]?.version ?? 0) < POSTGRES_VERSION_MIN)
    throw new UnfitDatabase('Homeport needs PostgreSQL 15 or newer.')
}

function refuseForeign(known: Migration[], applied: { number: number; hash: string }[]): void {
  for (const { number, hash } of applied) {
    const migration = known.find((one) => one.number === number)
    if (!migration)
      throw new UnfitDatabase(
        `The database has migration ${number}, which this version of Homeport does not know. Use a newer version.`,
      )
    if (migration.hash !== hash)
      throw new UnfitDatabase(
        `${migration.name} was changed after it was applied to this database.`,
      )
  }
}

async function apply(client: pg.Client, { number, name, text, hash }: Migration): Promise<void> {
  await client.query('begin')
  try {
    await client.query(text)
    await client.query('insert into migrations (number, name, hash) values ($1, $2, $3)', [
      number,
      name,
      hash,
    ])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`Migration ${name} failed.`, { cause: error })
  }
}
