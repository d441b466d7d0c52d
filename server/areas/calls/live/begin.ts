/** The start of a running call: its row, its plan and the money that it may cost. */
import type { Transaction } from '../../../kernel/database/database.ts'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { announceRecordsAfter } from '../../../kernel/jobs/record-wakeups.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'
import type { Instruction } from '../../../providers/carrier/calls/call-contract.ts'
import { readsReplies } from '../../../providers/carrier/carrier.ts'
import * as assistant from '../../assistant/service.ts'
import * as billing from '../../billing/service.ts'
import * as callPlans from '../../call-plans/service.ts'
import * as numbers from '../../numbers/service.ts'
import * as projects from '../../projects/service.ts'
import * as store from '../store.ts'
import { addLine, currentInstruction, end, lockRunning, step } from './engine.ts'
import { maximumPrice } from './finish.ts'
import { findByCarrierId, insertLive } from './live-store.ts'

/** How much longer a carrier may take to end a call, in milliseconds. */
const GRACE_MS = 120_000
/** A balance that does not cover the longest call covers one of this length, or none. */
const SHORT_CALL_S = 300

/** A withheld number. */
const ANONYMOUS = 'anonymous'

interface Incoming {
  carrier_id: string
  from: string | null
  to: string
}

interface Begun {
  key: store.CallKey | null
  instruction: Instruction
}

const refused: Instruction = { do: 'hang_up', signal: 'reject' }
const busy: Instruction = { do: 'hang_up', signal: 'busy' }

export async function beginIncoming(runtime: Runtime, incoming: Incoming): Promise<Begun> {
  const { db } = runtime
  const project_id = await numbers.findOwner(db, incoming.to)
  const project = project_id === null ? null : await projects.find(db, project_id)
  const active = project ? await numbers.listActive(db, project.id) : []
  const number = active.find(({ e164, test }) => !test && e164 === incoming.to)
  if (!project?.enabled || !number) return { key: null, instruction: refused }
  const plan = await callPlans.findPlanFor(db, project.id, number.id)
  const { hours: assistant_hours } = await assistant.readHours(db, project.id)
  const project_plan = await callPlans.findProjectPlan(db, project.id, plan)
  const state = callPlans.beginCall({ plan, project_plan, assistant_hours })
  return db
    .transact(async (tx) => {
      await projects.lock(tx, project.id)
      if (await store.isKnownAtCarrier(tx, incoming.carrier_id)) throw new RepeatedCall()
      const counted = { project_id: project.id, direction: 'inbound', test: false } as const
      if ((await store.countRunning(tx, counted)) >= limits.inbound_calls_at_once_max) {
        return { key: null, instruction: busy }
      }
      const key = { project_id: project.id, id: newId(runtime.clock) }
      const from = incoming.from ?? ANONYMOUS
      const call = { ...key, number_id: number.id, from, to: incoming.to }
      const { carrier_id } = incoming
      await insertRunning(tx, runtime, {
        ...call,
        carrier_id,
        direction: 'inbound',
        status: 'ringing',
      })
      const held = await holdInbound(tx, runtime, call)
      const ends_by = endsBy(runtime, held?.seconds ?? SHORT_CALL_S)
      await insertLive(tx, {
        project_id: key.project_id,
        call_id: key.id,
        carrier_id,
        state,
        commands: [],
        hold_id: held?.hold_id ?? null,
        held_micro: held?.held_micro ?? 0n,
        ends_by,
        due_at: new Date(runtime.clock.now_ms() + GRACE_MS),
      })
      const running = await lockRunning(tx, key)
      if (!running) throw new Error('A call is missing after it was written.')
      if (held === null) {
        await addLine(tx, runtime, {
          call: running.call,
          text: 'The balance does not cover calls.',
        })
        await end(tx, runtime, { ...running, outcome: unpaid })
        return { key, instruction: refused }
      }
      const at = runtime.clock.now().toISOString()
      const { instruction } = await step(tx, runtime, {
        ...running,
        event: { type: 'started', at, from: incoming.from, to: incoming.to },
      })
      return { key, instruction }
    })
    .catch((error: unknown) => {
      if (error instanceof RepeatedCall) return repeated(runtime, incoming.carrier_id)
      throw error
    })
}

class RepeatedCall extends Error {}

const unpaid = { status: 'failed', hangup_cause: 'call_rejected', hangup_by: 'system' } as const

async function repeated(runtime: Runtime, carrier_id: string): Promise<Begun> {
  const key = await findByCarrierId(runtime.db, carrier_id)
  if (key === null) return { key, instruction: refused }
  return runtime.db.transact(async (tx) => {
    const running = await lockRunning(tx, key)
    if (!running) return { key, instruction: refused }
    const asks = readsReplies(runtime)
    return { key, instruction: asks ? await currentInstruction(tx, running) : { do: 'wait' } }
  })
}

export function endsBy({ clock }: Runtime, seconds: number): Date {
  return new Date(clock.now_ms() + seconds * 1000 + GRACE_MS)
}

interface Numbered extends store.CallKey {
  from: string
  to: string
}

interface Held {
  hold_id: string
  held_micro: bigint
  seconds: number
}

async function holdInbound(
  tx: Transaction,
  runtime: Runtime,
  call: Numbered,
): Promise<Held | null> {
  for (const seconds of [limits.call_s_max, SHORT_CALL_S]) {
    try {
      return await holdCall(tx, runtime, { ...call, direction: 'inbound', seconds })
    } catch (error) {
      if (!(error instanceof Problem)) throw error
    }
  }
  return null
}

/** Holds the price of the longest call. Throws the Problem of a balance that does not cover it. */
export async function holdCall(
  tx: Transaction,
  runtime: Runtime,
  call: Numbered & { direction: 'inbound' | 'outbound'; seconds: number },
): Promise<Held> {
  const { direction, seconds } = call
  const held_micro = maximumPrice(runtime, direction, seconds)
  const hold_id = await billing.hold(tx, runtime, {
    project_id: call.project_id,
    amount_micro: held_micro,
    source: 'call',
    description: direction === 'inbound' ? `Call from ${call.from}` : `Call to ${call.to}`,
    reference_id: call.id,
    reference: `call:${call.id}`,
    lasts_s: seconds + 3_600,
  })
  return { hold_id, held_micro, seconds }
}

export interface NewRunning extends Numbered {
  number_id: string
  direction: 'inbound' | 'outbound'
  status: 'queued' | 'ringing'
  /** Of a call that came in. */
  carrier_id?: string
  purpose?: 'transactional' | 'marketing'
  instructions?: string
  test?: boolean
}

export async function insertRunning(
  tx: Transaction,
  runtime: Runtime,
  { purpose, instructions, test = false, from, to, ...call }: NewRunning,
): Promise<void> {
  const now = runtime.clock.now()
  await store.insert(tx, {
    ...call,
    from_number: from,
    to_number: to,
    purpose: purpose ?? null,
    instructions: instructions ?? null,
    created_at: now,
    started_at: now,
    path: [],
    transcript: '[]',
    wants_summary: false,
    test,
  })
  announceRecordsAfter(tx, runtime, call.project_id, 'calls')
}
