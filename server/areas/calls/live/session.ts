/**
 * The conversation of a running call over a text relay: reads texts aloud, offers menus and connects
 * the caller with the assistant, until the plan needs the carrier again. What was said is stored
 * before each wait, so that a call survives the process that conducts it.
 */
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { announceRecordsAfter } from '../../../kernel/jobs/record-wakeups.ts'
import { carrierOf } from '../../../providers/carrier/carrier.ts'
import * as callPlans from '../../call-plans/service.ts'
import * as assistant from '../../assistant/service.ts'
import * as numbers from '../../numbers/service.ts'
import {
  carry,
  languageOf,
  newScene,
  note,
  type CallFacts,
  type Scene,
} from '../conversation/conduct.ts'
import * as store from '../store.ts'
import { react, tell } from './callbacks.ts'
import { currentInstruction, dueAt, lockRunning, ofDirection } from './engine.ts'
import { keepMessages } from '../record.ts'
import { finish, toMessages, type RunningCall } from './finish.ts'
import { guardRinging } from './guard-ringing.ts'
import { changeLive, type LiveRow } from './live-store.ts'
import { openRelayLine, type RelayLine, type RelaySocket } from './relay-line.ts'

/** The carrier is silent while the caller is; longer than any wait for the caller. */
const SILENCE_MS = 180_000

interface Session {
  runtime: Runtime
  key: store.CallKey
  line: RelayLine
  scene: Scene
  /** The lines of earlier sessions of the call. */
  earlier: store.CallRow['transcript']
  earlier_messages: LiveRow['messages']
  started_at: Date
  state: callPlans.CallState
  commands: callPlans.CallCommand[]
  epoch: number
  /** Whether another process or person took the call further meanwhile. */
  is_overtaken: boolean
  /** How many lines and messages of the scene are stored. */
  stored: { lines: number; messages: number }
}

/** Conducts the call until it is another's turn; the socket is closed afterwards. */
export async function runRelay(
  runtime: Runtime,
  key: store.CallKey,
  socket: RelaySocket,
): Promise<void> {
  const session = await openSession(runtime, key, socket)
  if (session === null) return socket.close()
  try {
    await converse(session)
    if (session.is_overtaken) return
    await session.line.spoken()
    if (session.line.is_open) socket.send({ type: 'end', handoffData: '{}' })
    await passOn(session)
  } finally {
    socket.close()
    await keepLate(session)
  }
}

async function openSession(
  runtime: Runtime,
  key: store.CallKey,
  socket: RelaySocket,
): Promise<Session | null> {
  const opened = await runtime.db.transact(async (tx) => {
    const running = await lockRunning(tx, key)
    if (!running) return null
    const { live, call } = running
    const epoch = live.epoch + 1
    await changeLive(tx, live, { epoch, due_at: dueAt(runtime, live, SILENCE_MS) })
    const answered_at = call.answered_at ?? runtime.clock.now()
    await store.change(tx, call, { answered_at, status: 'in_progress' })
    announceRecordsAfter(tx, runtime, key.project_id, 'calls')
    return { live, call: { ...call, answered_at }, epoch }
  })
  if (opened === null) return null
  const { live, call, epoch } = opened
  const facts = await factsOf(runtime, { live, call })
  const line = openRelayLine(socket, { clock: runtime.clock, started_at: call.started_at })
  const scene = newScene(runtime, facts, line)
  scene.answered_ms = line.elapsed_ms()
  const session: Session = {
    runtime,
    key,
    line,
    scene,
    earlier: call.transcript,
    earlier_messages: live.messages,
    started_at: call.started_at,
    state: live.state,
    commands: live.commands,
    epoch,
    is_overtaken: false,
    stored: { lines: 0, messages: 0 },
  }
  scene.stored = async () => void (await keep(session))
  return session
}

async function factsOf(runtime: Runtime, { live, call }: RunningCall): Promise<CallFacts> {
  const { project_id } = live
  const number = await numbers.find(runtime.db, project_id, call.number_id)
  if (!number) throw new Error(`The number of the call ${call.id} is missing.`)
  return {
    id: call.id,
    project_id,
    direction: call.direction,
    from: call.from_number,
    to: call.to_number,
    language: call.language,
    plan: live.state.plan,
    target_rules: { number, own_numbers: await numbers.listE164(runtime.db, project_id) },
    spender: { project_id, area: 'voice', reference_id: call.id, test: false },
  }
}

/** Carries out commands until the next one needs the carrier. */
async function converse(session: Session): Promise<void> {
  const { runtime, scene } = session
  for (;;) {
    const [command] = session.commands
    if (!command || command.type === 'ring' || command.type === 'hang_up') return
    const event = await carryLimited(session, command)
    // The connection may have ended without the caller: the carrier says so if they hung up.
    if (event?.type === 'caller_hung_up') session.is_overtaken = true
    if (session.is_overtaken) return
    session.commands = session.commands.slice(1)
    // Only the last of several commands waits for a reply.
    if (session.commands.length > 0 || event === null) continue
    const found = callPlans.interpret(session.state, event, { isOpen: assistant.isOpen })
    if (found.ignored !== null) {
      throw new Error(`The interpreter ignored an event: ${found.ignored}`)
    }
    const { next, notes } = guardRinging(scene.call, found)
    for (const text of notes) note(scene, text)
    session.state = next.state
    session.commands = next.commands
    scene.node_id = next.state.path.at(-1) ?? null
    if (!(await keep(session))) return
    runtime.log.debug({ call_id: session.key.id }, 'a call went on')
  }
}

/** The end of the longest call comes between two turns. */
async function carryLimited(
  session: Session,
  command: callPlans.CallCommand,
): Promise<callPlans.CallEvent | null> {
  if (session.line.elapsed_ms() > limits.call_s_max * 1000) return { type: 'time_limit' }
  try {
    return await carry(session.scene, command)
  } catch (error) {
    if (!(error instanceof Problem) || command.type !== 'hand_over') throw error
    session.runtime.log.warn(
      { err: error, call_id: session.key.id },
      'the assistant is unavailable',
    )
    return { type: 'assistant_ended', step: command.step, reason: 'unavailable' }
  }
}

/** Stores what was said. Returns false if the call went on without this session. */
async function keep(session: Session): Promise<boolean> {
  const { runtime, key, state, commands } = session
  if (session.is_overtaken) return false
  const sizes = { lines: session.scene.lines.length, messages: session.scene.messages.length }
  const kept = await runtime.db.transact(async (tx) => {
    const running = await lockRunning(tx, key)
    if (!running || running.live.epoch !== session.epoch) return false
    await changeLive(tx, running.live, {
      state,
      commands,
      messages: messagesOf(session),
      epoch: session.epoch + 1,
      due_at: dueAt(runtime, running.live, SILENCE_MS),
    })
    await store.change(tx, running.call, saidIn(session))
    announceRecordsAfter(tx, runtime, key.project_id, 'calls')
    return true
  })
  if (kept) {
    session.epoch += 1
    session.stored = sizes
  } else session.is_overtaken = true
  return kept
}

/** Adds what was said while the call ended, or went on without this session. */
async function keepLate(session: Session): Promise<void> {
  const { runtime, key, stored } = session
  const lines = linesOf(session).slice(stored.lines)
  const messages = takenIn(session).slice(stored.messages)
  if (lines.length === 0 && messages.length === 0) return
  await runtime.db.transact(async (tx) => {
    const running = await lockRunning(tx, key)
    const call = running?.call ?? (await store.lock(tx, key))
    if (!call) return
    const transcript = JSON.stringify([...call.transcript, ...lines])
    await store.change(tx, call, { transcript })
    if (running) {
      await changeLive(tx, running.live, { messages: [...running.live.messages, ...messages] })
    } else
      await keepMessages(tx, runtime, { row: call, messages: toMessages(runtime, call, messages) })
    announceRecordsAfter(tx, runtime, key.project_id, 'calls')
  })
}

function saidIn(session: Session) {
  const transcript = JSON.stringify([...session.earlier, ...linesOf(session)])
  return { transcript, language: languageOf(session.scene) }
}

function linesOf({ scene, started_at }: Session) {
  return scene.lines.map(({ role, text, at_ms, node_id, sources = [] }) => {
    const at = new Date(started_at.getTime() + at_ms).toISOString()
    return { role, text, at, node_id, sources }
  })
}

function takenIn({ scene, started_at }: Session): LiveRow['messages'] {
  return scene.messages.map(({ text, kind, mailed, at_ms }) => {
    return { text, kind, mailed, at: new Date(started_at.getTime() + at_ms).toISOString() }
  })
}

function messagesOf(session: Session): LiveRow['messages'] {
  return [...session.earlier_messages, ...takenIn(session)]
}

/** Ends the call if the plan did, and tells carriers that do not ask. */
async function passOn(session: Session): Promise<void> {
  const { runtime, key } = session
  const told = await runtime.db.transact(async (tx) => {
    const running = await lockRunning(tx, key)
    if (!running || running.live.epoch !== session.epoch) return null
    const { live, call } = running
    const carrier_id = live.carrier_id ?? ''
    const { outcome } = session.state
    if (!outcome) {
      const instruction = await currentInstruction(tx, running)
      return { carrier_id, key, instruction }
    }
    await finish(tx, runtime, { live, call, outcome: ofDirection(call, outcome) })
    return { carrier_id, key, instruction: { do: 'hang_up', signal: 'normal' } as const }
  })
  if (told === null || carrierOf(runtime)?.calls.reply) return
  await tell(runtime, react(runtime, told))
}
