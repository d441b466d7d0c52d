/** Statements whose text is written once, for what is asked so often that making it would show. */
import { CompiledQuery } from 'kysely'
import type { Reader } from '../database.ts'

export interface Written<Row> {
  rows: Row[]
  /** Of a statement that is no select. */
  changed: number
}

/** Runs a text with `$1` and so on in it. What it gives back is for whoever wrote it to say. */
export async function runStatement<Row>(
  db: Reader,
  text: string,
  parameters: readonly unknown[],
): Promise<Written<Row>> {
  const query = CompiledQuery.raw(text, [...parameters])
  const { rows, numAffectedRows = 0n } = await db.executeQuery<Row>(query as CompiledQuery<Row>)
  return { rows, changed: Number(numAffectedRows) }
}
