/**
 * Seals stored values again with the current master key. The first bytes of a value name its key, so
 * a killed rotation continues where it ended. Rows are rewritten in short transactions and locked
 * without waiting, so the server may run; rows that others have locked are left to the next pass.
 */
import { sql } from 'kysely'
import type { Database, Transaction } from '../database.ts'
import type { Seal } from '../../secrets/crypto.ts'
import { bytesOf, keyIdIn, type SealedColumn } from './sealed-columns.ts'

const BATCH = 200
/** The physical position before the first row. */
export const TABLE_START = '(0,0)'

export interface RotationRuntime {
  db: Database
  seal: Seal
}

export interface Rotated {
  count: number
  /** Position of the last rewritten row; null at the end of the table. */
  after: string | null
}

/**
 * Rewrites values of one column after a physical position. Positions make the scan linear: rewritten
 * rows move, and their values no longer match.
 */
export function rotateBatch(
  { db, seal }: RotationRuntime,
  sealed: SealedColumn,
  after: string,
): Promise<Rotated> {
  return db.transact(async (tx) => {
    const rows = await lockRows(tx, sealed, { seal, after })
    for (const { bytes, place, row } of rows) {
      const purpose = sealed.purpose(row)
      const rewritten = seal.seal(seal.open(bytes, purpose), purpose)
      await replace(tx, sealed, { place, bytes: rewritten })
    }
    const last = rows.at(-1)?.place ?? null
    return { count: rows.length, after: rows.length < BATCH ? null : last }
  })
}

interface LockedRow {
  bytes: Buffer
  /** Physical position (ctid), which is stable while the row is locked. */
  place: string
  row: Readonly<Record<string, string>>
}

/** Rows with a value of the previous key that no other transaction has locked. */
async function lockRows(
  tx: Transaction,
  sealed: SealedColumn,
  { seal: { previous }, after }: { seal: Seal; after: string },
): Promise<LockedRow[]> {
  if (previous === null) return []
  const texts = (sealed.reads ?? []).map(
    (name) => sql`, ${sql.ref(name)}::text as ${sql.ref(name)}`,
  )
  const { rows } = await sql<{ sealed_bytes: Buffer; place: string }>`
    select ${bytesOf(sealed)} as sealed_bytes, ctid::text as place ${sql.join(texts, sql``)}
    from ${sql.table(sealed.table)}
    where ctid > ${after}::tid and ${keyIdIn(sealed)} = ${previous.key_id}
    limit ${BATCH} for update skip locked`.execute(tx)
  return rows.map(({ sealed_bytes: bytes, place, ...row }) => ({ bytes, place, row }))
}

async function replace(
  tx: Transaction,
  { table, column, field }: SealedColumn,
  { place, bytes }: Pick<LockedRow, 'place' | 'bytes'>,
): Promise<void> {
  const value =
    field === undefined
      ? sql`${bytes}`
      : sql`${sql.ref(column)} || jsonb_build_object(${sql.lit(field)}, ${bytes.toString('base64')}::text)`
  await sql`
    update ${sql.table(table)} set ${sql.ref(column)} = ${value}
    where ctid = ${place}::tid`.execute(tx)
}
