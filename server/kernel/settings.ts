/** Settings that the server stores in the database, beside those it is started with. */
import type { Database, Reader, Transaction } from './database/database.ts'

const CLOCK_OFFSET = 'clock_offset_ms'

const CLOCK_MOVES = 'clock_moves'
const PUBLIC_URL = 'public_url'
const UNSEEN_DEMO = 'unseen_demo'

/** Returns the offset of the development clock in milliseconds. */
export async function readClockOffset(db: Reader): Promise<number> {
  return Number((await read(db, CLOCK_OFFSET)) ?? 0)
}

export function storeClockOffset(db: Database, offset_ms: number): Promise<void> {
  return keep(db, CLOCK_OFFSET, String(offset_ms))
}

/**
 * Returns the clock offset of the last server on this database in milliseconds; 0 if its clock
 * cannot be moved.
 */
export async function readServerOffset(db: Reader): Promise<number> {
  return (await read(db, CLOCK_MOVES)) === 'yes' ? readClockOffset(db) : 0
}

/** Stores whether the clock of the server can be moved, so that commands use the same time. */
export function storeClockMoves(db: Database, moves: boolean): Promise<void> {
  return keep(db, CLOCK_MOVES, moves ? 'yes' : 'no')
}

/** Returns the public URL of the last server on this database, for links that commands print. */
export function readPublicUrl(db: Reader): Promise<string | undefined> {
  return read(db, PUBLIC_URL)
}

export function storePublicUrl(db: Database, public_url: string): Promise<void> {
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

/**
 * Returns the id of the demo project whose key is not printed yet; empty or undefined if there is
 * none.
 */
export function readUnseenDemo(db: Reader): Promise<string | undefined> {
  return read(db, UNSEEN_DEMO)
}

export function storeUnseenDemo(tx: Transaction, project_id: string): Promise<void> {
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

/**
 * Returns true to the first caller in the life of a database. Concurrent callers wait for the end
 * of that caller's transaction.
 */
export async function claimOnce(tx: Transaction, name: string): Promise<boolean> {
  const row = await tx
    .insertInto('settings')
    .values({ name, value: 'done' })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('name')
    .executeTakeFirst()
  return row !== undefined
}
