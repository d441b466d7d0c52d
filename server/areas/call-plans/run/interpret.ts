/**
 * The interpreter of call plans: `(state, event) → (state, commands)`. Pure, so a simulated call, a
 * SIP line and carrier webhooks run the same plan in the same way.
 * Entering a node decides an edge or sends a command, and the event that replies to the command
 * chooses the next edge. Deciding nodes (openingHours, callerMatch) are passed within one event.
 * Sequential ringing sends one ring command per number. A call that enters too many nodes is ended.
 * Unexpected events are ignored, because real lines deliver events late.
 */
import assert from 'node:assert/strict'
import type {
  RingAttempts,
  CallCommand,
  CallEvent,
  HandOverOptions,
  CallOutcome,
  CallPhase,
  RingResult,
  CallState,
  PlanStep,
  PlanWorld,
} from './call-state.ts'
import { chooseCallerEdge, chooseMenuKey } from './caller-match.ts'
import { chooseOpeningEdge, type Hours } from './hours.ts'
import {
  by,
  endByCallerHangup,
  endByHangupNode,
  endByPlan,
  endByStepLimit,
  endByTimeLimit,
  endUnanswered,
} from './outcome.ts'
import { planLimits } from '../nodes/node-fields.ts'
import type { AiAgent, Forward, Hangup, Menu, PlanNode, ReadText } from '../nodes/node-schemas.ts'
import type { CallPlan } from '../schema.ts'

export const STEPS_MAX = 50
const RING_SECONDS = planLimits.ring_seconds_default

/**
 * Returns the state of a call that has not started. It includes the plan, because the stored plan
 * may change during the call.
 */
export function beginCall(call: { plan: CallPlan; assistant_hours: Hours | null }): CallState {
  return {
    plan: call.plan,
    assistant_hours: call.assistant_hours,
    at: null,
    from: null,
    to: null,
    path: [],
    step: 0,
    phase: { name: 'new' },
    answered: { text: false, assistant: false, person: false },
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
    case 'digits':
    case 'heard':
    case 'no_input':
      return chosen(state, event, world)
    case 'caller_hung_up':
      return endByCaller(state, event.before_answer === true)
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
  let next = node_id
  for (;;) {
    if (state.path.length >= STEPS_MAX) return end(state, endByStepLimit(state))
    state = { ...state, path: [...state.path, next] }
    const node = currentNode(state)
    if (node.type === 'openingHours') {
      assert(state.at !== null, 'A call is at a node only after it started.')
      next = chooseOpeningEdge(node, {
        ...world,
        assistant_hours: state.assistant_hours,
        at: state.at,
      })
    } else if (node.type === 'callerMatch') {
      next = chooseCallerEdge(node, state.from)
    } else {
      return act(state, node)
    }
  }
}

type ActingNode = Exclude<PlanNode, { type: 'openingHours' | 'callerMatch' }>

function act(state: CallState, node: ActingNode): PlanStep {
  switch (node.type) {
    case 'forward':
      return ringAll(state, forwardAttempts(node))
    case 'ai_agent':
      return handOver(state, node, { resumed: false })
    case 'readText':
      return say(state, node, node.repeat ?? 1)
    case 'menu':
      return gather(state, node, 1)
    case 'hangup':
      return node.text === undefined
        ? end(state, endByHangupNode(state, node))
        : say(state, node, 1)
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
    groups: strategy === 'parallel' ? [numbers] : numbers.map((number) => [number]),
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

function handOver(state: CallState, node: AiAgent, { resumed }: { resumed: boolean }): PlanStep {
  const options: HandOverOptions = {
    greeting: node.greeting ?? null,
    instructions: node.instructions ?? null,
    language: node.language ?? null,
    max_seconds: node.maxSeconds ?? null,
    allow_transfer: node.allowTransfer ?? true,
    transfer_targets: (node.transferTargets ?? []).map(({ id, label, e164, when }) => {
      return { id, label, e164, when: when ?? null }
    }),
    resumed,
  }
  return wait(state, { name: 'assistant' }, { type: 'hand_over', options })
}

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

function say(before: CallState, node: ReadText | Hangup, times: number): PlanStep {
  assert(node.text !== undefined, 'There is a text to read.')
  const state = { ...before, answered: { ...before.answered, text: true } }
  return wait(
    state,
    { name: 'saying', times_left: times - 1 },
    {
      type: 'say',
      text: node.text,
      language: node.language ?? null,
      voice: node.type === 'readText' ? (node.voice ?? null) : null,
      interruptible: node.type === 'readText' && node.bargeIn === true,
    },
  )
}

function said(state: CallState, world: PlanWorld): PlanStep {
  const { phase } = state
  assert(phase.name === 'saying')
  const node = currentNode(state)
  if (node.type === 'hangup') return end(state, endByHangupNode(state, node))
  assert(node.type === 'readText', 'Only readText and hangup nodes read a text.')
  if (phase.times_left > 0) return say(state, node, phase.times_left)
  return goOn(state, { edge: node.next, outcome: endByPlan(state) }, world)
}

function gather(before: CallState, node: Menu, attempt: number): PlanStep {
  const state = { ...before, answered: { ...before.answered, text: true } }
  return wait(
    state,
    { name: 'gathering', attempt },
    {
      type: 'gather',
      text: node.prompt.text,
      language: node.prompt.language ?? null,
      words: Object.values(node.speech ?? {}).flat(),
      max_digits: 1,
      timeout_seconds: node.timeoutSeconds ?? planLimits.menu_timeout_seconds_default,
    },
  )
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

// Steps

function end(state: CallState, outcome: CallOutcome): PlanStep {
  const commands: CallCommand[] = [{ type: 'hang_up', cause: outcome.hangup_cause }]
  return { state: { ...state, phase: { name: 'ended' }, outcome }, commands, ignored: null }
}

/** The caller is gone, so no command follows. */
function endByCaller(state: CallState, before_answer: boolean): PlanStep {
  const outcome = endByCallerHangup(state, before_answer)
  return { state: { ...state, phase: { name: 'ended' }, outcome }, commands: [], ignored: null }
}

type WithoutStep<C> = C extends { step: number } ? Omit<C, 'step' | 'node_id'> : never

/** Sends a command and waits for its reply event. */
function wait(before: CallState, phase: CallPhase, command: WithoutStep<CallCommand>): PlanStep {
  const state = { ...before, phase, step: before.step + 1 }
  const node_id = currentNode(state).id
  return { state, commands: [{ ...command, step: state.step, node_id }], ignored: null }
}

function currentNode({ plan, path }: CallState): PlanNode {
  const id = path.at(-1)
  assert(id !== undefined && Object.hasOwn(plan.nodes, id), `The plan has a node "${id}".`)
  const node = plan.nodes[id]
  assert(node !== undefined)
  return node
}
