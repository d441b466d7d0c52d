/**
 * Statements with handwritten SQL, for frequent queries where building the SQL takes measurable
 * time.
 */
import { CompiledQuery } from 'kysely'
import type { Reader } from '../database.ts'

export interface StatementResult<Row> {
  rows: Row[]
  /** Number of affected rows; 0 for a select. */
  changed: number
}

/** Runs SQL with `$1` placeholders. The caller declares the type of the rows. */
export async function runStatement<Row>(
  db: Reader,
  text: string,
  parameters: readonly unknown[],
): Promise<StatementResult<Row>> {
  const query = CompiledQuery.raw(text, [...parameters])
  const { rows, numAffectedRows = 0n } = await db.executeQuery<Row>(query as CompiledQuery<Row>)
  return { rows, changed: Number(numAffectedRows) }
}
