/**
 * The steps of a call that send one command and wait for its event, by node type, and the steps that
 * end a call.
 */
import assert from 'node:assert/strict'
import type {
  CallCommand,
  CallOutcome,
  CallPhase,
  CallState,
  HandOverOptions,
  PlanStep,
} from './call-state.ts'
import { endByCallerHangup } from './outcome.ts'
import { planLimits } from '../nodes/node-fields.ts'
import type { PlayAudio, SendSms, Voicemail } from '../nodes/message-nodes.ts'
import type { AiAgent, Hangup, Menu, PlanNode, ReadText } from '../nodes/node-schemas.ts'

export function handOver(
  state: CallState,
  node: AiAgent,
  { resumed }: { resumed: boolean },
): PlanStep {
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

export function say(before: CallState, node: ReadText | Hangup, times: number): PlanStep {
  assert(node.text !== undefined, 'There is a text to read.')
  const state = answeredByText(before)
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

export function play(before: CallState, { mediaId }: PlayAudio, times: number): PlanStep {
  const phase = { name: 'saying', times_left: times - 1 } as const
  return wait(answeredByText(before), phase, { type: 'play', media_id: mediaId })
}

/** Plays or reads the greeting of a voicemail; without a greeting, records at once. */
export function greet(before: CallState, node: Voicemail): PlanStep {
  const state = answeredByText(before)
  const phase = { name: 'saying', times_left: 0 } as const
  const { mediaId, text, language = null } = node.greeting ?? {}
  if (mediaId !== undefined) return wait(state, phase, { type: 'play', media_id: mediaId })
  if (text === undefined) return record(state, node)
  return wait(state, phase, { type: 'say', text, language, voice: null, interruptible: false })
}

export function record(state: CallState, node: Voicemail): PlanStep {
  return wait(
    state,
    { name: 'recording' },
    {
      type: 'record',
      max_seconds: node.maxSeconds ?? planLimits.voicemail_seconds_default,
      beep: node.beep ?? true,
      mailed: node.notify?.email ?? true,
    },
  )
}

export function sendSms(before: CallState, node: SendSms): PlanStep {
  const { from, to, texted } = before
  const text = node.text
    .replaceAll('{{caller}}', () => from ?? '')
    .replaceAll('{{number}}', () => to ?? '')
  const state = { ...before, texted: [...texted, node.id] }
  return wait(state, { name: 'texting' }, { type: 'send_sms', to: from, text })
}

export function gather(before: CallState, node: Menu, attempt: number): PlanStep {
  return wait(
    answeredByText(before),
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

function answeredByText(state: CallState): CallState {
  return { ...state, answered: { ...state.answered, text: true } }
}

export function end(state: CallState, outcome: CallOutcome): PlanStep {
  const commands: CallCommand[] = [{ type: 'hang_up', cause: outcome.hangup_cause }]
  return { state: { ...state, phase: { name: 'ended' }, outcome }, commands, ignored: null }
}

/** The caller is gone, so no command follows. */
export function endByCaller(state: CallState, before_answer: boolean): PlanStep {
  const outcome = endByCallerHangup(state, before_answer)
  return { state: { ...state, phase: { name: 'ended' }, outcome }, commands: [], ignored: null }
}

type WithoutStep<C> = C extends { step: number } ? Omit<C, 'step' | 'node_id'> : never

/** Sends a command and waits for its reply event. */
export function wait(
  before: CallState,
  phase: CallPhase,
  command: WithoutStep<CallCommand>,
): PlanStep {
  const state = { ...before, phase, step: before.step + 1 }
  const node_id = currentNode(state).id
  return { state, commands: [{ ...command, step: state.step, node_id }], ignored: null }
}

export function currentNode({ plan, path }: CallState): PlanNode {
  const id = path.at(-1)
  assert(id !== undefined && Object.hasOwn(plan.nodes, id), `The plan has a node "${id}".`)
  const node = plan.nodes[id]
  assert(node !== undefined)
  return node
}
