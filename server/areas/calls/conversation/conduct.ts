/**
 * Conducts a call: sends the commands of the call plan's interpreter to a line, and events of the
 * line to the interpreter, until the call has ended. On a handover, connects the line to the
 * assistant's text relay. Records the transcript; makes no decisions and writes no rows.
 */
import assert from 'node:assert/strict'
import { limits } from '../../../contract/limits.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import type { CallerAction, HungUp, Line } from '../../../providers/carrier/line.ts'
import type { RelayIn, RelayOut } from '../../../providers/voice/relay.ts'
import * as assistant from '../../assistant/service.ts'
import * as callPlans from '../../call-plans/service.ts'
import { sortTargets, playAudio, recordVoicemail, sendText, type Stage } from './plan-commands.ts'

type Event = callPlans.CallEvent
type Command = callPlans.CallCommand
type CommandOf<T extends Command['type']> = Extract<Command, { type: T }>

const LISTEN_SECONDS = 10

export interface CallFacts {
  id: string
  project_id: string
  direction: 'inbound' | 'outbound'
  from: string
  to: string
  language: string | null
  plan: callPlans.CallPlan
  /** The targets that the assistant must not transfer to. */
  target_rules: callPlans.TargetRules
  /** The payer of model requests; null: they are not charged. */
  spender: assistant.Spender | null
}

export interface Spoken {
  role: 'caller' | 'assistant' | 'system'
  text: string
  /** Milliseconds since the start of the call. */
  at_ms: number
  node_id: string | null
  /** The sources of the answer of the assistant; omitted if there are none. */
  sources?: Cited
}

type Cited = NonNullable<Extract<RelayOut, { type: 'text' }>['sources']>

/** A message for the business: one that the assistant took, or a voicemail. */
export interface TakenMessage {
  text: string
  kind: 'assistant' | 'voicemail'
  /** Whether the business gets it by mail. */
  mailed: boolean
  /** Milliseconds since the start of the call. */
  at_ms: number
}

export interface Conducted {
  outcome: callPlans.CallOutcome
  path: string[]
  /**
   * Milliseconds from the start to the answer by a person, text or assistant; null if the call was
   * not answered.
   */
  answered_ms: number | null
  duration_ms: number
  lines: Spoken[]
  messages: TakenMessage[]
  /** The language of the caller, otherwise that of the line or the assistant; null if unknown. */
  language: string | null
}

export interface Scene {
  runtime: Runtime
  call: CallFacts
  line: Line
  lines: Spoken[]
  messages: TakenMessage[]
  answered_ms: number | null
  node_id: string | null
  /** Language tag of the assistant's latest utterance; null if there was none. */
  assistant_language: string | null
  /** Stores what was said so far, where a call may outlive the process that conducts it. */
  stored?: () => Promise<void>
}

export function newScene(runtime: Runtime, call: CallFacts, line: Line): Scene {
  return {
    runtime,
    call,
    line,
    lines: [],
    messages: [],
    answered_ms: null,
    node_id: null,
    assistant_language: null,
  }
}

export async function conductCall(
  runtime: Runtime,
  call: CallFacts,
  line: Line,
): Promise<Conducted> {
  const scene = newScene(runtime, call, line)
  const { hours: assistant_hours } = await assistant.readHours(runtime.db, call.project_id)
  const world = { isOpen: assistant.isOpen }
  const project_plan = await callPlans.findProjectPlan(runtime.db, call.project_id, call.plan)
  let state = callPlans.beginCall({ plan: call.plan, project_plan, assistant_hours })
  let event: Event | null = {
    type: 'started',
    at: runtime.clock.now().toISOString(),
    from: call.from,
    to: call.to,
  }
  while (event) {
    if (line.elapsed_ms() > limits.call_s_max * 1000) event = { type: 'time_limit' }
    const step = callPlans.interpret(state, event, world)
    state = step.state
    if (step.ignored) throw new Error(`The interpreter ignored an event: ${step.ignored}`)
    event = await carryOut(scene, step.commands)
    if (!event && state.phase.name === 'bridged') event = await waitForBridge(scene)
  }
  assert(state.outcome, `The call ${call.id} has no outcome after its last event.`)
  return {
    outcome: state.outcome,
    path: state.path,
    answered_ms: scene.answered_ms,
    duration_ms: line.elapsed_ms(),
    lines: scene.lines,
    messages: scene.messages,
    language: languageOf(scene),
  }
}

/**
 * Returns the language of the call; null if the caller said nothing and the line has no language.
 */
export function languageOf({ call, lines, assistant_language }: Scene): string | null {
  const said = lines.filter(({ role }) => role === 'caller').map(({ text }) => text)
  if (said.length === 0) return call.language
  return call.language ?? assistant.detectSpokenLanguage(said) ?? assistant_language
}

/** Runs commands in order and returns the event that the waiting command yields. */
async function carryOut(scene: Scene, commands: readonly Command[]): Promise<Event | null> {
  let event: Event | null = null
  for (const command of commands) event = await carry(scene, command)
  return event
}

/** Carries out one command, and returns the event that it yields. */
export async function carry(scene: Scene, command: Command): Promise<Event | null> {
  if (command.type === 'hang_up') {
    await scene.line.hangUp()
    return null
  }
  scene.node_id = command.node_id
  if (command.type === 'ring') return ring(scene, command)
  if (command.type === 'send_sms') {
    const { project_id, target_rules } = scene.call
    await sendText({ ...stageOf(scene), project_id, number: target_rules.number }, command)
    return { type: 'texted', step: command.step }
  }
  // Text can be played only on an answered line.
  if (await pickUp(scene)) return { type: 'caller_hung_up', before_answer: true }
  switch (command.type) {
    case 'say':
      await speak(scene, { role: 'system', text: command.text }, command.language)
      return { type: 'said', step: command.step }
    case 'play':
      await playAudio(stageOf(scene), command)
      return { type: 'said', step: command.step }
    case 'record':
      return record(scene, command)
    case 'gather':
      return gather(scene, command)
    case 'hand_over':
      return handOver(scene, command)
  }
}

function stageOf(scene: Scene): Stage {
  const { runtime, call, line } = scene
  return {
    runtime,
    call,
    line,
    note: (text) => note(scene, text),
    hear: (seconds) => hear(scene, seconds),
  }
}

async function record(scene: Scene, command: CommandOf<'record'>): Promise<Event> {
  const { mailed } = command
  const message = { text: '', kind: 'voicemail' as const, mailed, at_ms: scene.line.elapsed_ms() }
  const keepMessage = (text: string) => {
    if (message.text === '') scene.messages.push(message)
    message.text = text
  }
  const { left, hung_up } = await recordVoicemail({ ...stageOf(scene), keepMessage }, command)
  if (hung_up) return { type: 'caller_hung_up', left_message: left }
  return { type: 'recorded', left, step: command.step }
}

async function pickUp(scene: Scene): Promise<HungUp | null> {
  if (scene.answered_ms !== null) return null
  const gone = await scene.line.answer()
  if (!gone) scene.answered_ms = scene.line.elapsed_ms()
  return gone
}

async function ring(
  scene: Scene,
  { targets, ring_seconds, step }: CommandOf<'ring'>,
): Promise<Event> {
  const { line } = scene
  const { usable, notes } = sortTargets(scene.call, targets)
  for (const text of notes) note(scene, text)
  if (usable.length === 0) return { type: 'ring_ended', outcome: 'failed', step }
  const result = await line.ring(usable, ring_seconds)
  if ('hung_up' in result) {
    return { type: 'caller_hung_up', before_answer: scene.answered_ms === null }
  }
  const { outcome, target } = result
  if (outcome !== 'answered') {
    note(scene, `${usable.join(', ')}: ${ringWords[outcome]}.`)
    return { type: 'ring_ended', outcome, step }
  }
  scene.answered_ms ??= line.elapsed_ms()
  note(scene, `${target ?? usable[0]} answered and was connected.`)
  return { type: 'ring_ended', outcome, step, ...(target ? { target } : {}) }
}

/** Waits until either side of a connected call hangs up. */
async function waitForBridge({ line }: Scene): Promise<Event> {
  return (await line.bridged()) === 'caller' ? { type: 'caller_hung_up' } : { type: 'bridge_ended' }
}

const ringWords = { no_answer: 'nobody answered', busy: 'busy', failed: 'could not be reached' }

async function gather(
  scene: Scene,
  { text, language, timeout_seconds, words, step }: CommandOf<'gather'>,
): Promise<Event> {
  await speak(scene, { role: 'system', text }, language)
  const heard = await hear(scene, timeout_seconds)
  if ('hung_up' in heard) return { type: 'caller_hung_up' }
  if ('digits' in heard) return { type: 'digits', digits: heard.digits, step }
  const spoke = 'text' in heard && words.length > 0
  return spoke ? { type: 'heard', text: heard.text, step } : { type: 'no_input', step }
}

/** Connects the line to the assistant's text relay until either side ends the session. */
async function handOver(scene: Scene, { step, options }: CommandOf<'hand_over'>): Promise<Event> {
  const { runtime, call, line } = scene
  if (call.spender) await assistant.requireReplyOf(runtime, call.spender)
  const said: RelayOut[] = []
  const relay = await assistant.openRelay(runtime, {
    project_id: call.project_id,
    spender: call.spender,
    send: (out) => void said.push(out),
    takeMessage: (text) => takeMessage(scene, text),
    note: (text) => note(scene, text),
  })
  const until_ms = line.elapsed_ms() + (options.max_seconds ?? limits.call_s_max) * 1000
  try {
    let next: RelayIn[] = [setupOf(call, options)]
    for (;;) {
      for (const message of next) await relay.receive(message)
      const end = await playBack(scene, said.splice(0))
      if (end) return { type: 'assistant_ended', step, ...end }
      if (line.elapsed_ms() >= until_ms)
        return { type: 'assistant_ended', step, reason: 'max_duration' }
      const heard = await hear(scene, LISTEN_SECONDS)
      if ('hung_up' in heard) return { type: 'caller_hung_up' }
      next = relayed(heard)
    }
  } finally {
    relay.close()
  }
}

function takeMessage({ messages, line }: Scene, text: string): void {
  messages.push({ text, kind: 'assistant', mailed: true, at_ms: line.elapsed_ms() })
}

function setupOf(call: CallFacts, node_options: callPlans.HandOverOptions): RelayIn {
  const { id, from, to, language } = call
  return {
    type: 'setup',
    session_id: id,
    call_id: id,
    from,
    to,
    direction: call.direction,
    ...(language ? { language } : {}),
    node_options,
  }
}

type Ended =
  | { reason: 'completed' | 'unavailable' }
  | { reason: 'transfer'; target_id?: string; e164?: string }

/**
 * Sends the assistant's messages to the line. Returns how the assistant ended the session; null if
 * it did not.
 */
async function playBack(scene: Scene, sent: readonly RelayOut[]): Promise<Ended | null> {
  let text = ''
  let sources: Cited = []
  for (const out of sent) {
    if (out.type === 'text') {
      text += out.token
      sources = out.sources ?? sources
      scene.assistant_language = out.language
    }
    if (text !== '' && (out.type !== 'text' || out.last)) {
      await speak(scene, { role: 'assistant', text, sources }, scene.assistant_language)
      text = ''
      sources = []
    }
    if (out.type === 'send_digits') note(scene, `The assistant pressed ${out.digits}.`)
    if (out.type === 'end') return endedBy(scene, out)
  }
  if (text !== '') {
    await speak(scene, { role: 'assistant', text, sources }, scene.assistant_language)
  }
  return null
}

function endedBy(scene: Scene, { reason, handoff }: Extract<RelayOut, { type: 'end' }>): Ended {
  if (reason !== 'transfer') return { reason }
  const refused = handoff && callPlans.describeTargetRefusal(handoff.phone, scene.call.target_rules)
  if (refused) {
    note(scene, `${handoff.phone} ${refused}, so the call is not transferred there.`)
    return { reason }
  }
  return {
    reason,
    ...(handoff?.target_id ? { target_id: handoff.target_id } : {}),
    ...(handoff ? { e164: handoff.phone } : {}),
  }
}

/** Converts input of the caller to relay messages. Each key becomes a message of its own. */
function relayed(heard: Exclude<CallerAction, HungUp>): RelayIn[] {
  if ('digits' in heard) return Array.from(heard.digits, (digit) => ({ type: 'dtmf', digit }))
  const prompt: RelayIn = { type: 'prompt', text: 'text' in heard ? heard.text : '', last: true }
  if (!('text' in heard) || heard.heard_before === undefined) return [prompt]
  return [{ type: 'interrupt', heard_text: heard.heard_before, after_ms: 0 }, prompt]
}

/**
 * Waits for the caller and adds their words to the transcript, with the time at which they began.
 */
async function hear(scene: Scene, seconds: number): Promise<CallerAction> {
  const { line, lines, node_id } = scene
  const at_ms = line.elapsed_ms()
  await scene.stored?.()
  const heard = await line.listen(seconds)
  if ('text' in heard && heard.heard_before !== undefined) forgetUnheard(scene, heard.heard_before)
  if ('text' in heard) lines.push({ role: 'caller', text: heard.text, at_ms, node_id })
  if ('digits' in heard)
    lines.push({ role: 'caller', text: `Pressed ${heard.digits}.`, at_ms, node_id })
  await scene.stored?.()
  return heard
}

type Said = Pick<Spoken, 'role' | 'text' | 'sources'>

async function speak(scene: Scene, said: Said, language: string | null): Promise<void> {
  keep(scene, said)
  await scene.line.speak(said.text, language)
}

/** Shortens the last utterance of the assistant to what the caller heard before interrupting it. */
function forgetUnheard({ lines }: Scene, heard: string): void {
  const last = lines.findLast(({ role }) => role === 'assistant')
  if (last && last.text.startsWith(heard)) last.text = heard
}

/** Adds a system line to the transcript. */
export function note(scene: Scene, text: string): void {
  keep(scene, { role: 'system', text })
}

function keep({ lines, line, node_id }: Scene, { role, text, sources = [] }: Said): void {
  const cited = sources.length > 0 ? { sources } : {}
  lines.push({ role, text, at_ms: line.elapsed_ms(), node_id, ...cited })
}
