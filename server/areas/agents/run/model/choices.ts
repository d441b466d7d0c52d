/**
 * What the language model of a run chose, read from its stored steps. The calls of a request are
 * taken one after the other before the next request, so a killed process repeats none of them. Pure.
 */
import type { AgentAction, AgentStep, Definition } from '../../schema.ts'
import type { StepRow } from '../store.ts'

export interface ChosenCall {
  id: string
  name: string
  input: Record<string, unknown>
}

/** The stored output of a step of the type `model`. */
export interface ModelOutput {
  text: string
  calls: ChosenCall[]
}

export type NextChoice =
  | { kind: 'ask' }
  | { kind: 'call'; call: ChosenCall }
  | { kind: 'end'; text: string }

/** An output that was too large to store reads as empty. */
export function readOutput({ output }: StepRow): ModelOutput {
  return { text: '', calls: [], ...JSON.parse(output ?? '{}') }
}

export function findNextChoice(done: readonly StepRow[]): NextChoice {
  const last = done.findLast(({ type }) => type === 'model')
  if (!last) return { kind: 'ask' }
  const { text, calls } = readOutput(last)
  if (calls.length === 0) return { kind: 'end', text }
  const call = calls[done.filter(({ seq }) => seq > last.seq).length]
  return call ? { kind: 'call', call } : { kind: 'ask' }
}

/** Names of tools have no dots. */
export function toToolName({ action }: AgentAction): string {
  return action.replaceAll('.', '_')
}

/** The step that a call asks for; `chosen` is null if the agent has no such action. */
export function toStep({ actions }: Definition, call: ChosenCall) {
  const action = actions.find((one) => toToolName(one) === call.name)
  const step: AgentStep = {
    action: action?.action ?? call.name.slice(0, 100),
    input: action?.config ?? {},
    ...(action?.approval && { approval: action.approval }),
    on_rejection: 'continue',
  }
  return { step, chosen: action ? call.input : null }
}
