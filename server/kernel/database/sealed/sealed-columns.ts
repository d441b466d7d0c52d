/**
 * Columns with sealed values, as areas declare them in their manifest, and the scan that counts
 * their values by master key. A rotation of the master key rewrites exactly these columns.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Reader } from '../database.ts'
import type { Tables } from '../tables.ts'
import type { Seal } from '../../secrets/crypto.ts'
import { MissingMasterKey } from '../../secrets/missing-master-key.ts'

export interface SealedColumn {
  table: keyof Tables
  column: string
  /** The field of a JSON column that has the value, in base64. */
  field?: string
  /** The columns that `purpose` reads. */
  reads?: readonly string[]
  /** The purpose with which the value of a row is sealed. */
  purpose(row: Readonly<Record<string, string>>): string
}

export interface SealedCount {
  table: string
  column: string
  key_id: string
  values: number
}

/** The place of the key id in a sealed value (crypto.ts). */
const KEY_ID_FROM = 2
const KEY_ID_BYTES = 4

/** The sealed bytes of a column; null if the row has none. */
export function bytesOf({ column, field }: SealedColumn): RawBuilder<Buffer | null> {
  if (field === undefined) return sql`${sql.ref(column)}`
  return sql`decode(${sql.ref(column)} ->> ${sql.lit(field)}, 'base64')`
}

export function keyIdIn(sealed: SealedColumn): RawBuilder<string | null> {
  const id = sql`substring(${bytesOf(sealed)} from ${sql.lit(KEY_ID_FROM)} for ${sql.lit(KEY_ID_BYTES)})`
  return sql`encode(${id}, 'hex')`
}

/** Counts the sealed values of each column by the id of their master key, by a scan. */
export async function countSealed(
  db: Reader,
  columns: readonly SealedColumn[],
): Promise<SealedCount[]> {
  const counts: SealedCount[] = []
  for (const sealed of columns) {
    const { table, column } = sealed
    const { rows } = await sql<{ key_id: string; values: number }>`
      select ${keyIdIn(sealed)} as key_id, count(*)::int as "values" from ${sql.table(table)}
      where ${bytesOf(sealed)} is not null group by 1 order by 1`.execute(db)
    counts.push(...rows.map((row) => ({ table, column: nameOf(column, sealed.field), ...row })))
  }
  return counts
}

function nameOf(column: string, field?: string): string {
  return field === undefined ? column : `${column}.${field}`
}

/** Throws MissingMasterKey if a value was sealed with a key that the process does not have. */
export async function requireMasterKeys(
  db: Reader,
  seal: Seal,
  columns: readonly SealedColumn[],
): Promise<void> {
  const known = [seal.key_id, seal.previous?.key_id]
  const missing = (await countSealed(db, columns)).filter(({ key_id }) => !known.includes(key_id))
  if (missing.length === 0) return
  const count = missing.reduce((sum, { values }) => sum + values, 0)
  throw new MissingMasterKey([...new Set(missing.map(({ key_id }) => key_id))], count)
}
