/**
 * Running calls over a carrier. A call's state is stored between two messages of the carrier, so any
 * process continues it, also after a restart. Each message is one transaction under the lock of the
 * call: repeated, late and forged ones change nothing.
 */
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import { announceRecordsAfter } from '../../../kernel/jobs/record-wakeups.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import type {
  CallEventAtCarrier,
  RingingLeg,
  Instruction,
  LegResult,
} from '../../../providers/carrier/calls/call-contract.ts'
import * as assistant from '../../assistant/service.ts'
import * as callPlans from '../../call-plans/service.ts'
import * as store from '../store.ts'
import { finish, type RunningCall } from './finish.ts'
import { guardStoredRinging } from './guard-ringing.ts'
import { changeLive, lockLive, type LiveRow } from './live-store.ts'

/** How long a carrier may say nothing while it connects, rings or reconnects. */
const PATIENCE_MS = 90_000

const world = { isOpen: assistant.isOpen }

export const wait: Instruction = { do: 'wait' }
export const hangUp: Instruction = { do: 'hang_up', signal: 'normal' }

export interface Told {
  instruction: Instruction
  legs_to_end?: readonly string[]
}

/** The row of the running call, locked before that of the call. */
export async function lockRunning(
  tx: Transaction,
  key: store.CallKey,
): Promise<RunningCall | null> {
  const live = await lockLive(tx, key)
  const call = live && (await store.lock(tx, key))
  return live && call ? { live, call } : null
}

export interface Applied extends RunningCall {
  event: CallEventAtCarrier
  carrier_id: string
  /** Whether the carrier reads the reply to each callback as instructions. */
  asks: boolean
}

/** A relay that ends so often before its turn is over does not work. */
const RECONNECTS_MAX = 5

export async function apply(tx: Transaction, runtime: Runtime, applied: Applied): Promise<Told> {
  const { live, call, event, carrier_id, asks } = applied
  const { outcome } = live.state
  // The plan has ended in a relay that did not come to tell it.
  if (outcome && (event.kind === 'relay_ended' || event.kind === 'ended')) {
    return end(tx, runtime, { live, call, outcome: ofDirection(call, outcome) })
  }
  switch (event.kind) {
    case 'incoming':
      return { instruction: asks ? await currentInstruction(tx, { live, call }) : wait }
    case 'ringing':
      await wake(tx, runtime, { live, call, status: 'ringing', carrier_id })
      return { instruction: wait }
    case 'answered':
      return answered(tx, runtime, applied)
    case 'relay_ended':
      return relayEnded(tx, runtime, { live, call })
    case 'leg_answered':
      return legAnswered(tx, runtime, { live, call, event })
    case 'leg_ended':
      return legEnded(tx, runtime, { live, call, event })
    case 'ended':
      return ended(tx, runtime, { live, call, event })
  }
}

async function relayEnded(
  tx: Transaction,
  runtime: Runtime,
  { live, call }: RunningCall,
): Promise<Told> {
  const next = { ...live, reconnects: live.reconnects + 1 }
  const instruction = await currentInstruction(tx, { live: next, call })
  const { reconnects } = instruction.do === 'converse' ? next : live
  if (reconnects > RECONNECTS_MAX) return end(tx, runtime, { live, call, ...lost({ live, call }) })
  await changeLive(tx, live, {
    epoch: live.epoch + 1,
    reconnects,
    due_at: dueAt(runtime, live),
  })
  return { instruction }
}

/** When the carrier has to be heard of again; never after the end of the longest call. */
// oxlint-disable-next-line max-params -- now, the call and a duration
export function dueAt({ clock }: Runtime, { ends_by }: LiveRow, after_ms = PATIENCE_MS): Date {
  return new Date(Math.min(clock.now_ms() + after_ms, ends_by.getTime()))
}

interface Woken extends RunningCall {
  status: 'ringing' | 'in_progress'
  carrier_id: string
}

/** Notes that the carrier has the call. A status never goes back. */
async function wake(tx: Transaction, runtime: Runtime, woken: Woken): Promise<void> {
  const { live, call, status, carrier_id } = woken
  await changeLive(tx, live, {
    carrier_id: live.carrier_id ?? carrier_id,
    ...(!isBridged(live) &&
      live.state.phase.name !== 'ringing' && { due_at: dueAt(runtime, live) }),
  })
  if (call.answered_at !== null || call.status === status) return
  const now = runtime.clock.now()
  const changes = {
    status,
    ...(status === 'ringing' ? { started_at: now } : { answered_at: now }),
  }
  await store.change(tx, call, changes)
  Object.assign(call, changes)
  announceRecordsAfter(tx, runtime, live.project_id, 'calls')
}

async function answered(
  tx: Transaction,
  runtime: Runtime,
  { live, call, event, carrier_id, asks }: Applied,
): Promise<Told> {
  const is_news = call.answered_at === null
  if (event.kind === 'answered' && event.machine) {
    const outcome = {
      status: 'voicemail',
      hangup_cause: 'normal_clearing',
      hangup_by: 'system',
    } as const
    return end(tx, runtime, { live, call, outcome })
  }
  await wake(tx, runtime, { live, call, status: 'in_progress', carrier_id })
  if (live.state.phase.name !== 'new') {
    const instruction = await currentInstruction(tx, { live, call })
    const is_due = asks || (is_news && instruction.do === 'converse')
    return { instruction: is_due ? instruction : wait }
  }
  const at = runtime.clock.now().toISOString()
  return step(tx, runtime, {
    live,
    call,
    event: { type: 'started', at, from: call.from_number, to: call.to_number },
  })
}

interface Stepping extends RunningCall {
  event: callPlans.CallEvent
  legs?: LiveRow['legs']
}

/** Takes the interpreter one step further. An event that does not fit changes nothing. */
export async function step(
  tx: Transaction,
  runtime: Runtime,
  { live, call, event, legs = [] }: Stepping,
): Promise<Told> {
  const found = callPlans.interpret(live.state, event, world)
  if (found.ignored !== null) {
    return { instruction: await currentInstruction(tx, { live, call }) }
  }
  const { next, notes } = await guardStoredRinging(tx, call, found)
  for (const text of notes) await addLine(tx, runtime, { call, text })
  live.state = next.state
  if (next.state.outcome) {
    const outcome = ofDirection(call, next.state.outcome)
    await finish(tx, runtime, { live, call, outcome })
    return { instruction: call.answered_at === null ? signalOf(next.commands) : hangUp }
  }
  live.commands = next.commands
  await changeLive(tx, live, {
    state: next.state,
    commands: next.commands,
    legs,
    epoch: live.epoch + 1,
    due_at: dueAt(runtime, live, patienceFor(next.commands)),
  })
  return { instruction: await currentInstruction(tx, { live, call }) }
}

/** In an outbound call the person on the phone is not the caller. */
export function ofDirection(
  { direction }: store.CallRow,
  outcome: callPlans.CallOutcome,
): callPlans.CallOutcome {
  if (direction === 'inbound' || outcome.hangup_by !== 'caller') return outcome
  return { ...outcome, hangup_by: 'callee' }
}

function signalOf(commands: readonly callPlans.CallCommand[]): Instruction {
  const last = commands.at(-1)
  if (last?.type !== 'hang_up') return wait
  if (last.cause === 'user_busy') return { do: 'hang_up', signal: 'busy' }
  if (last.cause === 'call_rejected') return { do: 'hang_up', signal: 'reject' }
  return hangUp
}

/** Nothing but the callbacks of carriers says whether a phone that rings was answered. */
function patienceFor([first]: readonly callPlans.CallCommand[]): number {
  return first?.type === 'ring' ? Number.POSITIVE_INFINITY : PATIENCE_MS
}

function isBridged({ state }: LiveRow): boolean {
  return state.phase.name === 'bridged'
}

/** What the carrier has to do for the first command that waits. */
export async function currentInstruction(
  db: Reader,
  { live, call }: RunningCall,
): Promise<Instruction> {
  const [first] = live.commands
  if (first === undefined || isBridged(live)) return wait
  if (first.type === 'hang_up') return signalOf(live.commands)
  if (first.type === 'ring') {
    const { targets, ring_seconds, step: at } = first
    const from = call.direction === 'inbound' ? call.to_number : call.from_number
    return { do: 'ring', targets, seconds: ring_seconds, step: at, from }
  }
  const languages = await assistant.readLanguages(db, live.project_id)
  const turn = `${first.step} ${live.reconnects}`
  return { do: 'converse', answered: call.answered_at !== null, languages, turn }
}

type LegEvent<Kind> = Extract<CallEventAtCarrier, { kind: Kind }>

async function legAnswered(
  tx: Transaction,
  runtime: Runtime,
  { live, call, event }: RunningCall & { event: LegEvent<'leg_answered'> },
): Promise<Told> {
  if (live.state.phase.name !== 'ringing') return { instruction: wait }
  const leg = live.legs.find(({ leg_id }) => leg_id === event.leg_id)
  const target = leg?.target ?? event.target
  const others = live.legs.filter(({ leg_id }) => leg_id !== event.leg_id)
  await addLine(tx, runtime, {
    call,
    text: `${target ?? 'The target'} answered and was connected.`,
  })
  const told = await step(tx, runtime, {
    live,
    call,
    event: {
      type: 'ring_ended',
      outcome: 'answered',
      step: event.step,
      ...(target && { target }),
    },
    legs:
      event.leg_id === null ? [] : [{ leg_id: event.leg_id, target: target ?? '', result: null }],
  })
  if (!isBridged(live)) return told
  const now = runtime.clock.now()
  live.bridged_at = now
  call.answered_at ??= now
  await changeLive(tx, live, { bridged_at: now, due_at: live.ends_by })
  await store.change(tx, call, { answered_at: call.answered_at, status: 'in_progress' })
  announceRecordsAfter(tx, runtime, live.project_id, 'calls')
  return { instruction: wait, legs_to_end: others.map(({ leg_id }) => leg_id) }
}

async function legEnded(
  tx: Transaction,
  runtime: Runtime,
  { live, call, event }: RunningCall & { event: LegEvent<'leg_ended'> },
): Promise<Told> {
  const { name } = live.state.phase
  if (name === 'bridged') {
    const is_other =
      event.leg_id !== null && live.legs.every(({ leg_id }) => leg_id !== event.leg_id)
    if (is_other || event.step !== live.state.step) return { instruction: wait }
    const bridge_ended = { type: 'bridge_ended', step: event.step } as const
    return step(tx, runtime, { live, call, event: bridge_ended })
  }
  if (name !== 'ringing' || event.step !== live.state.step) return { instruction: wait }
  if (event.result === 'connected') return talkedUnnoticed(tx, runtime, { live, call, event })
  const { result } = event
  const [ring] = live.commands
  const ringing = ring?.type === 'ring' ? ring.targets.length : 0
  const legs = event.leg_id === null ? [] : withResult(live.legs, event.leg_id, result)
  if (event.leg_id !== null && legs.filter((leg) => leg.result !== null).length < ringing) {
    await changeLive(tx, live, { legs })
    return { instruction: wait }
  }
  const outcome = event.leg_id === null ? result : bestOf(legs.map((leg) => leg.result))
  await addLine(tx, runtime, { call, text: ringWords[outcome] })
  return step(tx, runtime, { live, call, event: { type: 'ring_ended', outcome, step: event.step } })
}

/** The callback about the answer was lost, or comes later than the one about the end. */
async function talkedUnnoticed(
  tx: Transaction,
  runtime: Runtime,
  { live, call, event }: RunningCall & { event: LegEvent<'leg_ended'> },
): Promise<Told> {
  const { step: at, leg_id } = event
  const answer = { kind: 'leg_answered', step: at, leg_id, target: null } as const
  await legAnswered(tx, runtime, { live, call, event: answer })
  const began = new Date(runtime.clock.now_ms() - (event.seconds ?? 0) * 1000)
  if (isBridged(live)) live.bridged_at = began
  return step(tx, runtime, { live, call, event: { type: 'bridge_ended', step: at } })
}

/** The end of a leg may be told before the carrier's reply about its start is stored. */
function withResult(legs: LiveRow['legs'], leg_id: string, result: LegResult): LiveRow['legs'] {
  const target = legs.find((leg) => leg.leg_id === leg_id)?.target ?? ''
  return [...legs.filter((leg) => leg.leg_id !== leg_id), { leg_id, target, result }]
}

const ringWords: Readonly<Record<LegResult, string>> = {
  no_answer: 'The phones rang, and nobody answered.',
  busy: 'The phones were busy.',
  failed: 'The phones could not be reached.',
}

/** No answer outranks busy, and busy outranks failed. */
function bestOf(results: readonly (LegResult | null)[]): LegResult {
  if (results.includes('no_answer')) return 'no_answer'
  return results.includes('busy') ? 'busy' : 'failed'
}

async function ended(
  tx: Transaction,
  runtime: Runtime,
  { live, call, event }: RunningCall & { event: LegEvent<'ended'> },
): Promise<Told> {
  const { reason } = event
  if (call.direction === 'outbound' && call.answered_at === null) {
    return end(tx, runtime, { live, call, outcome: unanswered[reason] })
  }
  const before_answer = call.answered_at === null
  const left_message = live.messages.some(({ kind }) => kind === 'voicemail')
  const hung_up = { type: 'caller_hung_up', before_answer, left_message } as const
  const legs_to_end = openLegs(live)
  await step(tx, runtime, { live, call, event: hung_up })
  return { instruction: wait, legs_to_end }
}

const system = { hangup_by: 'system' } as const
const unanswered: Readonly<Record<LegEvent<'ended'>['reason'], callPlans.CallOutcome>> = {
  no_answer: { ...system, status: 'no_answer', hangup_cause: 'no_answer' },
  hung_up: { ...system, status: 'no_answer', hangup_cause: 'no_answer' },
  busy: { hangup_by: 'callee', status: 'busy', hangup_cause: 'user_busy' },
  failed: { ...system, status: 'failed', hangup_cause: 'unspecified' },
  canceled: { ...system, status: 'canceled', hangup_cause: 'originator_cancel' },
}

/** Phones that ring or talk. */
function openLegs({ legs }: LiveRow): string[] {
  return legs.filter(({ result }) => result === null).map(({ leg_id }) => leg_id)
}

/** The outcome of a call whose carrier said nothing more, or that was too long. */
export function lost({ live, call }: RunningCall): { outcome: callPlans.CallOutcome } {
  const talked = live.bridged_at === null ? 'ai_handled' : 'forwarded'
  const status = call.answered_at === null ? 'failed' : talked
  return { outcome: { ...system, status, hangup_cause: 'timeout' } }
}

/** Ends a call from our side. */
export async function end(
  tx: Transaction,
  runtime: Runtime,
  ending: RunningCall & { outcome: callPlans.CallOutcome },
): Promise<Told> {
  const legs_to_end = openLegs(ending.live)
  await finish(tx, runtime, ending)
  return { instruction: hangUp, legs_to_end }
}

/** Adds a line of the service to the transcript. */
export async function addLine(
  tx: Transaction,
  runtime: Runtime,
  { call, text }: { call: store.CallRow; text: string },
): Promise<void> {
  const at = runtime.clock.now().toISOString()
  call.transcript = [...call.transcript, { role: 'system', text, at, node_id: null }]
  await store.change(tx, call, { transcript: JSON.stringify(call.transcript) })
}

/**
 * Stores which legs ring, after the carrier was told to ring them. Returns those that ring in vain,
 * because the call went on meanwhile.
 */
export async function noteLegs(
  runtime: Runtime,
  key: store.CallKey,
  { step: at, legs }: { step: number; legs: readonly RingingLeg[] },
): Promise<string[]> {
  return runtime.db.transact(async (tx) => {
    const live = await lockLive(tx, key)
    const known = new Map(live?.legs.map((leg) => [leg.leg_id, leg]))
    if (live?.state.phase.name !== 'ringing' || live.state.step !== at) {
      return legs.filter(({ leg_id }) => !known.has(leg_id)).map(({ leg_id }) => leg_id)
    }
    const all = legs.map(({ leg_id, target, is_failed }) => {
      return known.get(leg_id) ?? ({ leg_id, target, result: is_failed ? 'failed' : null } as const)
    })
    await changeLive(tx, live, { legs: all })
    return []
  })
}
