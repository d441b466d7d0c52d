/** What the service keeps about itself in the database, beyond the settings it is started with. */
import type { Database, Reader, Transaction } from './database/database.ts'

const CLOCK_OFFSET = 'clock_offset_ms'

const CLOCK_MOVES = 'clock_moves'
const PUBLIC_URL = 'public_url'
const UNSEEN_DEMO = 'unseen_demo'

/** How far the development clock was moved, in milliseconds. */
export async function readClockOffset(db: Reader): Promise<number> {
  return Number((await read(db, CLOCK_OFFSET)) ?? 0)
}

export function keepClockOffset(db: Database, offset_ms: number): Promise<void> {
  return keep(db, CLOCK_OFFSET, String(offset_ms))
}

/** The same, and nothing where the last server on this database keeps real time. */
export async function readServerOffset(db: Reader): Promise<number> {
  return (await read(db, CLOCK_MOVES)) === 'yes' ? readClockOffset(db) : 0
}

/** Whether the clock of the server can be moved: what the command line does is of the same time. */
export function keepClockMoves(db: Database, moves: boolean): Promise<void> {
  return keep(db, CLOCK_MOVES, moves ? 'yes' : 'no')
}

/** Where the last server on this database was to be found: the command line writes links to it. */
export function readPublicUrl(db: Reader): Promise<string | undefined> {
  return read(db, PUBLIC_URL)
}

export function keepPublicUrl(db: Database, public_url: string): Promise<void> {
  return keep(db, PUBLIC_URL, public_url)
}

async function read(db: Reader, name: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('settings')
    .select('value')
    .where('name', '=', name)
    .executeTakeFirst()
  return row?.value
}

/** The demo project whose key was not printed yet; empty or undefined: there is none. */
export function readUnseenDemo(db: Reader): Promise<string | undefined> {
  return read(db, UNSEEN_DEMO)
}

export function keepUnseenDemo(tx: Transaction, project_id: string): Promise<void> {
  return keepIn(tx, UNSEEN_DEMO, project_id)
}

function keep(db: Database, name: string, value: string): Promise<void> {
  return db.transact((tx) => keepIn(tx, name, value))
}

async function keepIn(tx: Transaction, name: string, value: string): Promise<void> {
  await tx
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}

/** True for the first caller in the life of a database; others wait until its transaction ends. */
export async function claimOnce(tx: Transaction, name: string): Promise<boolean> {
  const row = await tx
    .insertInto('settings')
    .values({ name, value: 'done' })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('name')
    .executeTakeFirst()
  return row !== undefined
}
