/** The form of an agent as texts, and its conversion from an agent and to a request. Pure. */
import type { Agent, AgentInput, AgentStep, AgentTrigger } from '../queries.ts'
import { isKnown, NOTIFY_OWNER, startingInput } from './actions.ts'

export interface DraftStep {
  /** Identifies the step in the form. */
  key: number
  name: string
  when: string
  action: string
  /** The arguments as JSON. */
  input: string
  on_rejection: AgentStep['on_rejection']
  approval: AgentStep['approval']
}

export interface Draft {
  name: string
  instructions: string
  type: AgentTrigger['type']
  cron: string
  timezone: string
  event: string
  filter: string
  steps: readonly DraftStep[]
  /** What a language model may do, as JSON; null for an agent with steps. */
  actions: string | null
}

export function newStep(key: number): DraftStep {
  const action = NOTIFY_OWNER
  const input = startingInput(action)
  return { key, name: '', when: '', action, input, on_rejection: undefined, approval: undefined }
}

export function newDraft(timezone: string): Draft {
  return {
    name: '',
    instructions: '',
    type: 'event',
    cron: '0 8 * * *',
    timezone,
    event: 'document.created',
    filter: '',
    steps: [newStep(0)],
    actions: null,
  }
}

export function draftOf(
  { name, instructions, trigger, steps, actions }: Agent,
  timezone: string,
): Draft {
  return {
    ...newDraft(timezone),
    name,
    instructions,
    type: trigger.type,
    ...(trigger.type === 'schedule' && { cron: trigger.cron, timezone: trigger.timezone ?? 'UTC' }),
    ...(trigger.type === 'event' && { event: trigger.event, filter: trigger.filter ?? '' }),
    steps: steps.map(({ name: step, when, action, input, on_rejection, approval }, key) => ({
      key,
      name: step ?? '',
      when: when ?? '',
      action,
      input: JSON.stringify(input, null, 2),
      on_rejection,
      approval,
    })),
    actions: actions.length === 0 ? null : JSON.stringify(actions, null, 2),
  }
}

/** The arguments of a step; null if the text is not a JSON object. */
export function readInput(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? { ...value }
      : null
  } catch {
    return null
  }
}

/** Converts the form to a request; null if a name, an action or valid arguments are missing. */
export function inputOf(draft: Draft): AgentInput | null {
  const steps = draft.actions === null ? draft.steps.map(stepOf) : []
  const actions = draft.actions === null ? [] : readActions(draft.actions)
  if (draft.name.trim() === '' || steps.includes(null) || actions === null) return null
  return {
    name: draft.name.trim(),
    instructions: draft.instructions.trim(),
    trigger: triggerOf(draft),
    steps: steps.filter((step) => step !== null),
    actions,
  }
}

/** The actions of a language model; null if the text is not a JSON list. */
export function readActions(text: string): NonNullable<AgentInput['actions']> | null {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

function stepOf({
  name,
  when,
  action,
  input,
  on_rejection,
  approval,
}: DraftStep): AgentStep | null {
  const read = readInput(input)
  if (read === null || action.trim() === '') return null
  return {
    ...(name.trim() !== '' && { name: name.trim() }),
    ...(when.trim() !== '' && { when: when.trim() }),
    action: action.trim(),
    input: read,
    ...(on_rejection !== undefined && { on_rejection }),
    ...(approval !== undefined && { approval }),
  }
}

function triggerOf({ type, cron, timezone, event, filter }: Draft): AgentTrigger {
  if (type === 'manual' || type === 'webhook') return { type }
  if (type === 'schedule') return { type, cron: cron.trim(), timezone }
  return { type, event, ...(filter.trim() !== '' && { filter: filter.trim() }) }
}

/** Replaces the action, and the arguments by those of its example. */
export function withAction(step: DraftStep, action: string): DraftStep {
  return { ...step, action, input: isKnown(action) ? startingInput(action) : '{}' }
}
