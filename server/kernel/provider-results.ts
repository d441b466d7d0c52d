/**
 * Whether requests to each provider work, of all processes. Each process writes in the background: a
 * failed write is logged, and a request never waits for it.
 */
import { sql, type Selectable } from 'kysely'
import type { Reader, Transaction } from './database/database.ts'
import type { ProviderResultsTable } from './database/tables.ts'
import type { Runtime } from './runtime.ts'

type Recording = Pick<Runtime, 'clock' | 'db' | 'log' | 'metrics'>
export type ProviderResult = Selectable<ProviderResultsTable>

/** Successes within this time of a written one are not written. */
const SUCCESS_EVERY_MS = 30_000

interface Unwritten {
  /** Failures that are not written yet. */
  failures: number
  message: string
  worked: boolean
  /** Time of the last written success; 0 after a failure. */
  worked_ms: number
  writing: boolean
}

const unwritten = new WeakMap<Runtime['metrics'], Map<string, Unwritten>>()

function unwrittenOf({ metrics }: Recording, provider: string): Unwritten {
  const ours = unwritten.get(metrics) ?? new Map<string, Unwritten>()
  unwritten.set(metrics, ours)
  const known = ours.get(provider)
  if (known) return known
  const created = { failures: 0, message: '', worked: false, worked_ms: 0, writing: false }
  ours.set(provider, created)
  return created
}

export function recordProviderFailure(
  recording: Recording,
  provider: string,
  message: string,
): void {
  const state = unwrittenOf(recording, provider)
  Object.assign(state, { failures: state.failures + 1, message, worked: false, worked_ms: 0 })
  void write(recording, provider, state)
}

export function recordProviderSuccess(recording: Recording, provider: string): void {
  const state = unwrittenOf(recording, provider)
  if (recording.clock.now_ms() - state.worked_ms < SUCCESS_EVERY_MS) return
  Object.assign(state, { failures: 0, worked: true, worked_ms: recording.clock.now_ms() })
  void write(recording, provider, state)
}

/** One write at a time; what happens meanwhile is written together after it. */
async function write(recording: Recording, provider: string, state: Unwritten): Promise<void> {
  if (state.writing) return
  state.writing = true
  const { db, clock, log } = recording
  try {
    while (state.failures > 0 || state.worked) {
      const { failures, message, worked } = state
      Object.assign(state, { failures: 0, worked: false })
      const now = clock.now()
      await db.transact((tx) =>
        worked
          ? writeSuccess(tx, provider, now)
          : writeFailures(tx, { provider, failures, message, now }),
      )
    }
  } catch (err) {
    log.debug({ err, provider }, 'the result of a request to a provider was not recorded')
  } finally {
    state.writing = false
  }
}

async function writeSuccess(tx: Transaction, provider: string, now: Date): Promise<void> {
  await sql`
    insert into provider_results as r (provider, worked_at) values (${provider}, ${now})
    on conflict (provider) do update
      set worked_at = ${now}, failing_since = null, failures = 0`.execute(tx)
}

interface Failures {
  provider: string
  failures: number
  message: string
  now: Date
}

async function writeFailures(
  tx: Transaction,
  { provider, failures, message, now }: Failures,
): Promise<void> {
  await sql`
    insert into provider_results as r (provider, failed_at, failing_since, failures, message)
    values (${provider}, ${now}, ${now}, ${failures}, ${message})
    on conflict (provider) do update
      set failed_at = ${now}, failing_since = coalesce(r.failing_since, ${now}),
        failures = r.failures + ${failures}, message = ${message}`.execute(tx)
}

export function listProviderResults(db: Reader): Promise<ProviderResult[]> {
  return db.selectFrom('provider_results').selectAll().orderBy('provider').execute()
}
