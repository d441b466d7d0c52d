/**
 * Outbound calls: the checks of a request in their order, and the row, the hold and the job that it
 * writes. The limits are counted under the lock of their row.
 */
import { isTest, mayBeReal, type Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import { enqueue } from '../../../kernel/jobs/jobs.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { carrierOf } from '../../../providers/carrier/carrier.ts'
import * as assistant from '../../assistant/service.ts'
import * as billing from '../../billing/service.ts'
import * as callPlans from '../../call-plans/service.ts'
import * as numbers from '../../numbers/service.ts'
import { endsBy, holdCall, insertRunning } from '../live/begin.ts'
import { insertLive } from '../live/live-store.ts'
import { present } from '../present.ts'
import type { Call, OutboundCallInput } from '../schema.ts'
import * as store from '../store.ts'
import { findHoursFault } from './calling-hours.ts'
import { countCall, hasConsent } from './consent-store.ts'
import { dialCall } from './dial.ts'

const CARRIER_RETRY_AFTER_S = 3_600
export const DURATION_S = 300
/** In test mode, calling a number that ends so is outside the calling hours. */
const NIGHT_ENDING = '005'

interface Draft {
  from: numbers.NumberRow
  input: OutboundCallInput
  seconds: number
  test: boolean
}

/** Starts a call. It goes on after the reply, which shows it as queued. */
export async function place(caller: Caller, input: OutboundCallInput): Promise<Call> {
  const test = !mayBeReal(caller, 'outbound')
  const draft = await readDraft(caller, input, test)
  return caller.db.transact(async (tx) => {
    const reply = present(await accept(tx, caller, draft))
    await caller.remember(tx, reply)
    return reply
  })
}

/** Checks a request for a call. Throws the Problem of the first check that fails. */
export async function readDraft(
  caller: Caller,
  input: OutboundCallInput,
  test: boolean,
): Promise<Draft> {
  const { runtime, project, db } = caller
  if (!(await assistant.isConfigured(db, project.id))) {
    throw new Problem('assistant_not_configured', 'The assistant that calls was never set up.')
  }
  if (!test) requireRealCalls(caller, input)
  const from = await findNumber(caller, { id: input.from_number_id, test })
  const own_numbers = await numbers.listE164(db, project.id)
  const fault = callPlans.describeTargetRefusal(input.to, { number: from, own_numbers })
  if (fault !== null) throw invalid('/to', `${fault}, so nobody is called`)
  const marketing = input.purpose === 'marketing'
  const asked = { project_id: project.id, test: isTest(caller), phone: input.to }
  if (marketing && !(await hasConsent(db, asked))) {
    const detail = `${input.to} has no recorded consent to marketing calls.`
    throw new Problem('consent_required', detail)
  }
  const night = test && input.to.endsWith(NIGHT_ENDING) ? 'It is night there.' : null
  const now = runtime.clock.now()
  const hours = night ?? (test ? null : findHoursFault(input.to, { now, marketing }))
  if (hours !== null) throw new Problem('outside_calling_hours', hours)
  return { from, input, seconds: input.max_duration_sec ?? DURATION_S, test }
}

function requireRealCalls({ runtime, project }: Caller, { turns }: OutboundCallInput): void {
  if (!carrierOf(runtime)) {
    const detail = 'No carrier is connected, so nobody is called.'
    throw new Problem('telephony_unavailable', detail, { retry_after_s: CARRIER_RETRY_AFTER_S })
  }
  if (project.full_status !== 'approved') {
    const detail = 'Outbound calls need the verification level full.'
    throw new Problem('verification_required', detail, { missing: ['level.full'] })
  }
  if (turns !== undefined) throw invalid('/turns', 'is for simulated calls, and this one is real')
}

function invalid(path: string, message: string): Problem {
  return new Problem('validation_failed', `${path} ${message}.`, { errors: [{ path, message }] })
}

async function findNumber(
  { db, project }: Caller,
  { id, test }: { id: string | undefined; test: boolean },
): Promise<numbers.NumberRow> {
  const active = await numbers.listActive(db, project.id)
  const usable = active.filter((number) => test || !number.test)
  if (id === undefined) {
    const [oldest] = usable
    if (oldest) return oldest
    const detail = 'The project has no active number that the assistant can call from.'
    throw new Problem('number_required', detail)
  }
  const chosen = usable.find((number) => number.id === id)
  if (chosen) return chosen
  throw invalid('/from_number_id', 'is no active number of this project for such a call')
}

async function accept(tx: Transaction, caller: Caller, draft: Draft): Promise<store.CallRow> {
  const { runtime, project } = caller
  const { from, input, seconds, test } = draft
  const key = { project_id: project.id, id: newId(runtime.clock) }
  await requireRoom(tx, caller, test)
  const { purpose, instructions, turns = null } = input
  const numbered = { ...key, from: from.e164, to: input.to }
  const held = test
    ? null
    : await holdCall(tx, runtime, { ...numbered, direction: 'outbound', seconds })
  await insertRunning(tx, runtime, {
    ...numbered,
    number_id: from.id,
    direction: 'outbound',
    status: 'queued',
    purpose,
    instructions,
    test,
  })
  const ends_by = endsBy(runtime, seconds)
  await insertLive(tx, {
    project_id: key.project_id,
    call_id: key.id,
    state: callPlans.beginCall({ plan: planOf(input, seconds), assistant_hours: null }),
    commands: [],
    script: turns,
    hold_id: held?.hold_id ?? null,
    held_micro: held?.held_micro ?? 0n,
    ends_by,
    due_at: ends_by,
  })
  await enqueue(tx, runtime, dialCall, {
    project_id: project.id,
    payload: { project_id: project.id, call_id: key.id },
  })
  const row = await store.lock(tx, key)
  if (!row) throw new Error(`The call ${key.id} is missing after it was written.`)
  return row
}

/** The plan of an outbound call is the assistant alone. */
function planOf(
  { instructions, opening }: OutboundCallInput,
  maxSeconds: number,
): callPlans.CallPlan {
  const nodes = {
    assistant: {
      id: 'assistant',
      type: 'ai_agent',
      instructions: `You are calling this person. ${instructions}`,
      ...(opening !== undefined && { greeting: opening }),
      maxSeconds,
      allowTransfer: false,
    },
  } as const
  return { entry: 'assistant', nodes }
}

async function requireRoom(tx: Transaction, caller: Caller, test: boolean): Promise<void> {
  const { runtime, project } = caller
  const day = billing.toDay(runtime.clock.now(), runtime.config.billing_timezone)
  const calls_max = limits.outbound_calls_per_day_max
  const counted = { project_id: project.id, test }
  if (!(await countCall(tx, { ...counted, day, calls_max }))) {
    const detail = `The project has started its ${calls_max} calls of today.`
    throw new Problem('call_limit_reached', detail)
  }
  // The count is locked, so concurrent requests never exceed the limit.
  const running = await store.countRunning(tx, { ...counted, direction: 'outbound' })
  const is_full = project.full_status === 'approved'
  const at_once_max = is_full
    ? limits.outbound_calls_at_once_full_max
    : limits.outbound_calls_at_once_max
  if (running < at_once_max) return
  const detail = `${running} calls of this project are running; at most ${at_once_max} may.`
  throw new Problem('concurrent_call_limit', detail)
}
