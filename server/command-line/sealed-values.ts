/**
 * The sealed values of an installation. The areas that declare them are imported on demand, because
 * most commands need none of them.
 */
import type { Reader } from '../kernel/database/database.ts'
import {
  countSealed,
  type SealedColumn,
  type SealedCount,
} from '../kernel/database/sealed/sealed-columns.ts'

export async function listSealedColumns(): Promise<readonly SealedColumn[]> {
  const { sealedColumns } = await import('../app.ts')
  return sealedColumns
}

/** Counts the sealed values of the installation by column and master key. */
export async function countSealedValues(db: Reader): Promise<SealedCount[]> {
  return countSealed(db, await listSealedColumns())
}
