/**
 * Hands a queued message over to the carrier, at most once. If the request gets no reply, the
 * message stays queued until a callback confirms it, because carriers cannot look it up.
 */
import type { Transaction } from '../../../kernel/database/database.ts'
import type { JobRun } from '../../../kernel/jobs/jobs.ts'
import { CarrierError, carrierOf, type Carrier } from '../../../providers/carrier/carrier.ts'
import * as projects from '../../projects/service.ts'
import { createCallbackUrl } from '../incoming/callback-url.ts'
import { hasOptedOut } from '../incoming/opt-out-store.ts'
import * as store from '../store.ts'
import { advance, type Advance } from './settle.ts'
import type { FailureReason } from '../store.ts'

type SimulatedOutcome =
  | { status: 'delivered'; after_ms: number }
  | { status: 'sent' }
  | { status: 'failed'; reason: FailureReason }

const SLOW_MS = 10_000

/**
 * The outcomes of messages in test mode, by the last three digits of the recipient. All other numbers
 * are delivered. The simulated carrier uses the same endings.
 */
const byEnding: Readonly<Record<string, SimulatedOutcome>> = {
  '001': { status: 'failed', reason: 'unreachable' },
  '002': { status: 'failed', reason: 'landline' },
  '003': { status: 'failed', reason: 'blocked_by_carrier' },
  '004': { status: 'sent' },
  '005': { status: 'failed', reason: 'unknown' },
  '006': { status: 'delivered', after_ms: SLOW_MS },
  '007': { status: 'failed', reason: 'refused_by_carrier' },
  '008': { status: 'failed', reason: 'expired' },
  '009': { status: 'failed', reason: 'unknown_number' },
  '010': { status: 'failed', reason: 'carrier_unavailable' },
}

function chooseOutcome(e164: string): SimulatedOutcome {
  return byEnding[e164.slice(-3)] ?? { status: 'delivered', after_ms: 0 }
}

/** A message that waited longer for the carrier is not sent any more. */
const TOO_LATE_MS = 3_600_000

interface Payload {
  project_id: string
  message_id: string
  confirms?: boolean
}

type Work = JobRun<Payload>
/** Enqueues the second run of a simulated message. */
type Repeat = (tx: Transaction, row: store.MessageRow, after_ms: number) => Promise<void>

interface Sending extends Work {
  repeat: Repeat
}

export async function sendQueued(job: Work, repeat: Repeat): Promise<void> {
  const work = { ...job, repeat }
  const { runtime, payload } = work
  const row = await store.find(runtime.db, {
    project_id: payload.project_id,
    id: payload.message_id,
  })
  if (!row) return work.finish()
  if (row.test) return simulate(work, row)
  if (row.status !== 'queued' || row.handed_over_at !== null) return work.finish()
  const carrier = carrierOf(runtime)
  const is_late = runtime.clock.now_ms() - row.created_at.getTime() > TOO_LATE_MS
  if (is_late || !carrier || !(await maySend(work, row))) return end(work, row, notSent)
  const opted_out = await hasOptedOut(runtime.db, { ...row, phone: row.to_number })
  if (opted_out) return end(work, row, blocked)
  const now = runtime.clock.now()
  if (!(await store.handOver(runtime.db, { ...row, now }))) return work.finish()
  return handOver(work, carrier, row)
}

const notSent: Advance = { status: 'failed', reason: 'carrier_unavailable', is_free: true }
const blocked: Advance = { status: 'failed', reason: 'blocked_by_carrier', is_free: true }

/** The project may have been deleted, disabled or put back in test mode while the carrier took none. */
async function maySend({ runtime }: Work, { project_id }: store.MessageRow): Promise<boolean> {
  const project = await projects.find(runtime.db, project_id)
  return project?.enabled === true && project.rails.sms === 'live'
}

async function handOver(work: Sending, carrier: Carrier, row: store.MessageRow): Promise<void> {
  const { runtime } = work
  try {
    const carrier_id = await carrier.messages.send({
      from: row.from_number,
      to: row.to_number,
      text: row.text,
      encoding: row.encoding,
      callback_url: createCallbackUrl(runtime, row),
    })
    await end(work, row, { status: 'sent', carrier_id })
  } catch (error) {
    if (!(error instanceof CarrierError)) throw error
    runtime.log.warn({ err: error, message_id: row.id }, 'the carrier did not take a message')
    if (error.fault === 'unknown') return work.finish()
    if (error.fault !== 'unavailable') {
      return end(work, row, { status: 'failed', reason: 'refused_by_carrier', is_free: true })
    }
    await runtime.db.transact((tx) => store.takeBack(tx, row))
    throw error
  }
}

function end(
  { runtime, finish }: Sending,
  { project_id, id }: store.MessageRow,
  to: Advance,
): Promise<void> {
  return finish(async (tx) => {
    const row = await store.lockMessage(tx, { project_id, id })
    if (row) await advance(tx, runtime, { row, to })
  })
}

/** A simulated message goes through the same states; one that ends later needs a second run. */
async function simulate(work: Sending, row: store.MessageRow): Promise<void> {
  const outcome = chooseOutcome(row.to_number)
  const carrier_id = `simulated-${row.id}`
  if (outcome.status === 'sent') return end(work, row, { status: 'sent', carrier_id })
  if (outcome.status === 'failed') return end(work, row, { ...outcome, carrier_id })
  if (outcome.after_ms > 0 && !work.payload.confirms) return sendSlowly(work, row, outcome.after_ms)
  return end(work, row, { status: 'delivered', carrier_id })
}

function sendSlowly(
  { runtime, finish, repeat }: Sending,
  { project_id, id }: store.MessageRow,
  after_ms: number,
): Promise<void> {
  return finish(async (tx) => {
    const row = await store.lockMessage(tx, { project_id, id })
    if (!row) return
    await advance(tx, runtime, { row, to: { status: 'sent' } })
    await repeat(tx, row, after_ms)
  })
}
