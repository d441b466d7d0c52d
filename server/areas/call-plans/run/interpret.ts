/**
 * The interpreter of call plans: `(state, event) → (state, commands)`. Pure, so a simulated call, a
 * SIP line and carrier webhooks run the same plan in the same way.
 * Entering a node decides an edge or sends a command, and the event that replies to the command
 * chooses the next edge. Deciding nodes (openingHours, callerMatch, goto) are passed within one event.
 * Sequential ringing sends one ring command per number. A call that enters too many nodes is ended.
 * Unexpected events are ignored, because real lines deliver events late.
 */
import assert from 'node:assert/strict'
import type {
  RingAttempts,
  CallEvent,
  CallOutcome,
  CallPhase,
  RingResult,
  CallState,
  PlanStep,
  PlanWorld,
} from './call-state.ts'
import {
  currentNode,
  end,
  endByCaller,
  gather,
  greet,
  handOver,
  play,
  record,
  say,
  sendSms,
  wait,
} from './commands.ts'
import { chooseCallerEdge, chooseMenuKey } from './caller-match.ts'
import { chooseOpeningEdge, type Hours } from './hours.ts'
import {
  by,
  endByHangupNode,
  endByPlan,
  endByStepLimit,
  endByTimeLimit,
  endUnanswered,
} from './outcome.ts'
import { planLimits } from '../nodes/node-fields.ts'
import type { AiAgent, Forward, PlanNode } from '../nodes/node-schemas.ts'
import type { CallPlan } from '../schema.ts'

export const STEPS_MAX = 50
const RING_SECONDS = planLimits.ring_seconds_default

/**
 * Returns the state of a call that has not started. It includes the plan, because the stored plan
 * may change during the call.
 */
export function beginCall(call: {
  plan: CallPlan
  /** The plan of goto nodes with plan: 'project'; they end the call without one. */
  project_plan?: CallPlan | null
  assistant_hours: Hours | null
}): CallState {
  return {
    plan: call.plan,
    project_plan: call.project_plan ?? null,
    assistant_hours: call.assistant_hours,
    at: null,
    from: null,
    to: null,
    path: [],
    step: 0,
    phase: { name: 'new' },
    texted: [],
    answered: { text: false, message: false, assistant: false, person: false },
    rang: false,
    outcome: null,
  }
}

/** The phase in which each event is expected; null means every phase except the last. */
const phaseOf: Record<CallEvent['type'], CallPhase['name'] | null> = {
  started: 'new',
  ring_ended: 'ringing',
  bridge_ended: 'bridged',
  assistant_ended: 'assistant',
  said: 'saying',
  recorded: 'recording',
  texted: 'texting',
  digits: 'gathering',
  heard: 'gathering',
  no_input: 'gathering',
  caller_hung_up: null,
  time_limit: null,
}

export function interpret(state: CallState, event: CallEvent, world: PlanWorld): PlanStep {
  const why = whyUnfitting(state, event)
  if (why !== null) return { state, commands: [], ignored: why }
  switch (event.type) {
    case 'started':
      return started(state, event, world)
    case 'ring_ended':
      return ringEnded(state, event, world)
    case 'bridge_ended':
      return end(state, by('callee', 'normal_clearing', 'forwarded'))
    case 'assistant_ended':
      return assistantEnded(state, event, world)
    case 'said':
      return said(state, world)
    case 'recorded':
      return recorded(state, event, world)
    case 'texted':
      return goOnAfter(state, world)
    case 'digits':
    case 'heard':
    case 'no_input':
      return chosen(state, event, world)
    case 'caller_hung_up':
      return hungUp(state, event)
    case 'time_limit':
      return end(state, endByTimeLimit(state))
  }
}

function whyUnfitting(state: CallState, event: CallEvent): string | null {
  const { phase, step } = state
  if (phase.name === 'ended') return 'The call has ended.'
  if ('step' in event && event.step !== undefined && event.step !== step) {
    return `It answers step ${event.step}, and the call is at step ${step}.`
  }
  const fitting = phaseOf[event.type]
  if (fitting !== null && fitting !== phase.name) {
    return `A ${event.type} does not fit a call that is ${phase.name}.`
  }
  if (event.type === 'ring_ended' && event.target !== undefined) {
    return isRinging(phase, event.target) ? null : `${event.target} is not ringing.`
  }
  const words = event.type === 'heard' && currentNode(state)
  return words && words.type === 'menu' && !words.speech ? 'This menu takes keys only.' : null
}

function isRinging(phase: CallPhase, target: string): boolean {
  return (
    phase.name === 'ringing' && phase.attempts.groups[phase.position]?.includes(target) === true
  )
}

type EventOf<T extends CallEvent['type']> = Extract<CallEvent, { type: T }>

function started(
  state: CallState,
  { at, from, to }: EventOf<'started'>,
  world: PlanWorld,
): PlanStep {
  return enter({ ...state, at, from, to }, state.plan.entry, world)
}

/** Enters a node, and passes deciding nodes until a node waits or ends the call. */
function enter(before: CallState, node_id: string, world: PlanWorld): PlanStep {
  let state = before
  let next: string | undefined = node_id
  while (next !== undefined) {
    if (state.path.length >= STEPS_MAX) return end(state, endByStepLimit(state))
    state = { ...state, path: [...state.path, next] }
    const node = currentNode(state)
    if (node.type === 'goto' && node.node === undefined) {
      if (state.project_plan === null) break
      // A call goes to the project's plan once, so that two plans form no loop.
      state = { ...state, plan: state.project_plan, project_plan: null, texted: [] }
      next = state.plan.entry
    } else if (isPassed(state, node)) {
      next = passTo(state, node, world)
    } else {
      return act(state, node)
    }
  }
  return end(state, endByPlan(state))
}

type PassedNode = Extract<PlanNode, { type: 'openingHours' | 'callerMatch' | 'goto' | 'sendSms' }>

/** Whether a node sends no command: it decides, or its text message was sent before. */
function isPassed({ texted }: CallState, node: PlanNode): node is PassedNode {
  if (node.type === 'sendSms') return texted.includes(node.id)
  return node.type === 'openingHours' || node.type === 'callerMatch' || node.type === 'goto'
}

function passTo(state: CallState, node: PassedNode, world: PlanWorld): string | undefined {
  switch (node.type) {
    case 'openingHours': {
      const { at, assistant_hours } = state
      assert(at !== null, 'A call is at a node only after it started.')
      return chooseOpeningEdge(node, { ...world, assistant_hours, at })
    }
    case 'callerMatch':
      return chooseCallerEdge(node, state.from)
    case 'goto':
      return node.node
    case 'sendSms':
      return node.next
  }
}

function act(state: CallState, node: PlanNode): PlanStep {
  switch (node.type) {
    case 'forward':
      return ringAll(state, forwardAttempts(node))
    case 'ai_agent':
      return handOver(state, node, { resumed: false })
    case 'readText':
      return say(state, node, node.repeat ?? 1)
    case 'playAudio':
      return play(state, node, node.repeat ?? 1)
    case 'menu':
      return gather(state, node, 1)
    case 'voicemail':
      return greet(state, node)
    case 'sendSms':
      return sendSms(state, node)
    case 'hangup':
      return node.text === undefined
        ? end(state, endByHangupNode(state, node))
        : say(state, node, 1)
    default:
      throw new Error(`A node of type ${node.type} sends no command.`)
  }
}

interface Onward {
  edge: string | undefined
  outcome: CallOutcome
}

/** Follows the edge, or ends the call if the plan has none. */
function goOn(state: CallState, { edge, outcome }: Onward, world: PlanWorld): PlanStep {
  return edge === undefined ? end(state, outcome) : enter(state, edge, world)
}

// Ringing

function forwardAttempts({ targets, strategy, ringSeconds }: Forward): RingAttempts {
  const numbers = targets.map(({ e164 }) => e164)
  return {
    // A number that rings twice at once would be one leg at the carrier.
    groups: strategy === 'parallel' ? [[...new Set(numbers)]] : numbers.map((number) => [number]),
    ring_seconds: ringSeconds ?? RING_SECONDS,
  }
}

function ringAll(state: CallState, attempts: RingAttempts): PlanStep {
  return ring(state, { name: 'ringing', position: 0, results: [], attempts })
}

function ring(state: CallState, phase: Extract<CallPhase, { name: 'ringing' }>): PlanStep {
  const targets = phase.attempts.groups[phase.position]
  assert(targets !== undefined, 'There is a group of numbers left to ring.')
  const strategy = targets.length > 1 ? 'parallel' : 'sequential'
  const { ring_seconds } = phase.attempts
  return wait({ ...state, rang: true }, phase, { type: 'ring', targets, strategy, ring_seconds })
}

function ringEnded(state: CallState, event: EventOf<'ring_ended'>, world: PlanWorld): PlanStep {
  const { phase } = state
  assert(phase.name === 'ringing')
  const { position, attempts } = phase
  if (event.outcome === 'answered') {
    const answered = { ...state.answered, person: true }
    return {
      state: { ...state, phase: { name: 'bridged' }, answered },
      commands: [],
      ignored: null,
    }
  }
  const results = [...phase.results, event.outcome]
  if (position + 1 < attempts.groups.length) {
    return ring(state, { ...phase, position: position + 1, results })
  }
  return nobodyAnswered(state, results, world)
}

/** Ends a round of ringing without an answer: no answer outranks busy, and busy outranks failed. */
function nobodyAnswered(
  state: CallState,
  results: readonly RingResult[],
  world: PlanWorld,
): PlanStep {
  const node = currentNode(state)
  if (node.type === 'ai_agent') return backToAssistant(state, node)
  assert(node.type === 'forward', 'Only forward nodes and transfers ring.')
  const { onNoAnswer, onBusy = onNoAnswer, onFailed = onNoAnswer } = node
  if (results.includes('no_answer')) {
    return goOn(state, { edge: onNoAnswer, outcome: endUnanswered(state, 'no_answer') }, world)
  }
  if (results.includes('busy')) {
    return goOn(state, { edge: onBusy, outcome: endUnanswered(state, 'user_busy') }, world)
  }
  return goOn(state, { edge: onFailed, outcome: endUnanswered(state, 'unspecified') }, world)
}

// The assistant

function assistantEnded(
  state: CallState,
  event: EventOf<'assistant_ended'>,
  world: PlanWorld,
): PlanStep {
  const node = currentNode(state)
  assert(node.type === 'ai_agent', 'The assistant talks at ai_agent nodes only.')
  if (event.reason === 'unavailable') {
    const status = state.answered.assistant ? 'ai_handled' : 'failed'
    const outcome = by('system', 'unspecified', status)
    return goOn(state, { edge: node.onUnavailable, outcome }, world)
  }
  const talked = { ...state, answered: { ...state.answered, assistant: true } }
  if (event.reason === 'max_duration') {
    const outcome = by('system', 'time_limit', 'ai_handled')
    return goOn(talked, { edge: node.onMaxDuration, outcome }, world)
  }
  if (event.reason === 'transfer' && event.by_person && event.e164 !== undefined) {
    return ringAll(talked, { groups: [[event.e164]], ring_seconds: RING_SECONDS })
  }
  if (event.reason === 'transfer' && node.allowTransfer !== false) {
    const e164 = numberToTransferTo(node, event)
    if (e164 !== undefined) return ringAll(talked, { groups: [[e164]], ring_seconds: RING_SECONDS })
    if (node.onTransfer !== undefined) return enter(talked, node.onTransfer, world)
  }
  const outcome = by('assistant', 'normal_clearing', 'ai_handled')
  return goOn(talked, { edge: node.onEnd, outcome }, world)
}

/**
 * Returns the number of the named target. Without one, returns undefined if the plan has an edge
 * for transfers, else the number in the assistant's settings or of the first target.
 */
function numberToTransferTo(
  { transferTargets = [], onTransfer }: AiAgent,
  { target_id, e164 }: { target_id?: string; e164?: string },
): string | undefined {
  const named = transferTargets.find(({ id }) => id === target_id)
  if (named || onTransfer !== undefined) return named?.e164
  return e164 ?? transferTargets[0]?.e164
}

/** Returns the caller to the assistant, which reports that nobody answered. */
function backToAssistant(state: CallState, node: AiAgent): PlanStep {
  if (state.path.length >= STEPS_MAX) return end(state, endByStepLimit(state))
  return handOver({ ...state, path: [...state.path, node.id] }, node, { resumed: true })
}

// Texts and menus

function said(state: CallState, world: PlanWorld): PlanStep {
  const { phase } = state
  assert(phase.name === 'saying')
  const node = currentNode(state)
  if (node.type === 'hangup') return end(state, endByHangupNode(state, node))
  if (node.type === 'voicemail') return record(state, node)
  if (node.type === 'playAudio' && phase.times_left > 0) return play(state, node, phase.times_left)
  if (node.type === 'readText' && phase.times_left > 0) return say(state, node, phase.times_left)
  return goOnAfter(state, world)
}

/** Follows `next` of a node that is done. */
function goOnAfter(state: CallState, world: PlanWorld): PlanStep {
  const node = currentNode(state)
  assert(
    node.type === 'readText' ||
      node.type === 'playAudio' ||
      node.type === 'voicemail' ||
      node.type === 'sendSms',
    `A ${node.type} node has no next node.`,
  )
  return goOn(state, { edge: node.next, outcome: endByPlan(state) }, world)
}

function recorded(state: CallState, { left }: EventOf<'recorded'>, world: PlanWorld): PlanStep {
  return goOnAfter(left ? withMessage(state) : state, world)
}

function hungUp(state: CallState, event: EventOf<'caller_hung_up'>): PlanStep {
  const { before_answer = false, left_message = false } = event
  const left = left_message && state.phase.name === 'recording'
  return endByCaller(left ? withMessage(state) : state, before_answer)
}

function withMessage(state: CallState): CallState {
  return { ...state, answered: { ...state.answered, message: true } }
}

function chosen(
  state: CallState,
  event: EventOf<'digits' | 'heard' | 'no_input'>,
  world: PlanWorld,
): PlanStep {
  const { phase } = state
  assert(phase.name === 'gathering')
  const node = currentNode(state)
  assert(node.type === 'menu', 'Only menus gather.')
  const key = event.type === 'digits' ? event.digits.slice(0, 1) : chooseMenuKey(node, event)
  const edge = key !== null && Object.hasOwn(node.options, key) ? node.options[key] : undefined
  if (edge !== undefined) return enter(state, edge, world)
  if (phase.attempt < (node.attempts ?? planLimits.menu_attempts_default)) {
    return gather(state, node, phase.attempt + 1)
  }
  const { onNoInput, onInvalid = onNoInput } = node
  const nothing = event.type === 'no_input' || (event.type === 'digits' && event.digits === '')
  return goOn(state, { edge: nothing ? onNoInput : onInvalid, outcome: endByPlan(state) }, world)
}
