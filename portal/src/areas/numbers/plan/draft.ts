/**
 * The plan that a person edits: its text, what it was read from, and the steps to undo and redo. The
 * text is what is saved, so what a person wrote in JSON is stored exactly as they wrote it.
 */
import { isObject, isSame } from './model/json.ts'
import type { Plan } from './model/plan.ts'
import type { StoredPlan } from './queries.ts'

/** Edits of one field in a row are one step. */
const STEPS_MAX = 200

interface Moment {
  text: string
  /** The last plan that could be read from the text. */
  plan: Plan
  /** Why the text is no JSON object; null if it is one. */
  text_fault: string | null
}

export interface Draft extends Moment {
  /** What was read from the server, or saved to it last. */
  base: StoredPlan
  past: readonly Moment[]
  future: readonly Moment[]
  /** What the last edit changed; null after an undo. */
  last_edit: string | null
}

export type DraftAction =
  | { kind: 'edit'; name: string; plan: Plan }
  | { kind: 'write'; text: string }
  | { kind: 'undo' }
  | { kind: 'redo' }
  /** The plan of the server replaces the draft. */
  | { kind: 'load'; stored: StoredPlan }
  /** The draft goes on from another version of the server. */
  | { kind: 'rebase'; stored: StoredPlan; plan: Plan }
  /** The draft was saved. */
  | { kind: 'saved'; stored: StoredPlan }

export function textOf(plan: Plan): string {
  return JSON.stringify(plan, null, 2)
}

function momentOf(plan: Plan): Moment {
  return { text: textOf(plan), plan, text_fault: null }
}

export function firstDraft(base: StoredPlan): Draft {
  return { ...momentOf(base.plan), base, past: [], future: [], last_edit: null }
}

export function isChanged({ plan, text_fault, base }: Draft): boolean {
  return text_fault !== null || !isSame(plan, base.plan)
}

export function nextDraft(draft: Draft, action: DraftAction): Draft {
  switch (action.kind) {
    case 'edit':
      return edited(draft, action.name, momentOf(action.plan))
    case 'write':
      return edited(draft, 'text', written(draft, action.text))
    case 'undo':
      return undone(draft)
    case 'redo':
      return redone(draft)
    case 'load':
      return { ...edited(draft, '', momentOf(action.stored.plan)), base: action.stored }
    case 'rebase':
      return { ...edited(draft, '', momentOf(action.plan)), base: action.stored }
    case 'saved':
      return { ...draft, base: action.stored, last_edit: null }
  }
}

/** `name`: edits with the same name are undone together. */
function edited(draft: Draft, name: string, next: Moment): Draft {
  const { past, last_edit, text, plan, text_fault } = draft
  const goesOn = name !== '' && name === last_edit
  const steps = goesOn ? past : [...past, { text, plan, text_fault }].slice(-STEPS_MAX)
  return { ...draft, ...next, past: steps, future: [], last_edit: name }
}

function undone(draft: Draft): Draft {
  const { past, future, text, plan, text_fault } = draft
  const before = past.at(-1)
  if (before === undefined) return draft
  const steps = [{ text, plan, text_fault }, ...future]
  return { ...draft, ...before, past: past.slice(0, -1), future: steps, last_edit: null }
}

function redone(draft: Draft): Draft {
  const { past, future, text, plan, text_fault } = draft
  const [after, ...others] = future
  if (after === undefined) return draft
  const steps = [...past, { text, plan, text_fault }]
  return { ...draft, ...after, past: steps, future: others, last_edit: null }
}

function written({ plan }: Draft, text: string): Moment {
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return { text, plan: value, text_fault: null }
    return { text, plan, text_fault: '{ }' }
  } catch (error) {
    return { text, plan, text_fault: error instanceof Error ? error.message : String(error) }
  }
}
