/**
 * Selects whose cost depends on the request: filters, sorts, searches, groups. They share a part of
 * the connections, of which one project gets at most half, and each is cancelled after its time.
 */
import { createSlots } from '../limits/slots.ts'
import { readWithin, type Reader, type TimedRead } from './database.ts'

/** All other requests share the ten connections of the pool. */
const slots = createSlots({
  name: 'records are searched',
  units: 6,
  units_each: 3,
  waiting_max: 100,
  waiting_each_max: 30,
  wait_ms_max: 10_000,
  retry_after_s: 5,
})

/** Stands for the project of selects across all projects, for operators. */
export const OPERATORS = 'operators'

interface CostlyRead<Row> extends TimedRead<Row> {
  project_id: string
  /** Aborting it ends the wait for a connection. */
  signal?: AbortSignal
}

/** Throws `StatementTimeout`, or `NoSlot` if too many such selects wait. */
export async function readCostly<Row>(
  db: Reader,
  { project_id, signal, ...read }: CostlyRead<Row>,
): Promise<Row[]> {
  const giveBack = await slots.take(project_id, signal ? { signal } : {})
  try {
    return await readWithin(db, read)
  } finally {
    giveBack()
  }
}
