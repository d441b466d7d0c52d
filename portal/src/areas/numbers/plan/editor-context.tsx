/** What every part of the call-plan editor reads and does. */
import { createContext, use } from 'react'
import type { Draft } from './draft.ts'
import type { Json, Path } from './model/json.ts'
import type { NodeSchemas } from './model/node-schema.ts'
import type { Plan, PlanStep } from './model/plan.ts'
import type { Problems } from './problems/problems.ts'

export interface PlanEditor {
  draft: Draft
  plan: Plan
  schemas: NodeSchemas
  /** The steps in the order of a call. */
  steps: readonly PlanStep[]
  problems: Problems
  /** Whether the person may change the plan. */
  mayEdit: boolean
  selected: string | null
  select(id: string | null): void
  /** The step that was just added, which gets the focus; null after another is selected. */
  added: string | null
  /** Replaces the plan; edits with the same name in a row are undone together. */
  edit(name: string, plan: Plan): void
  setField(id: string, path: Path, value: Json | undefined): void
  /** Adds a step of a type after an exit, or unconnected, and selects it. */
  addStep(type: string, after?: { id: string; path: Path }): void
  removeStep(id: string): void
  write(text: string): void
  undo(): void
  redo(): void
}

const Context = createContext<PlanEditor | null>(null)

export const PlanEditorProvider = Context

export function usePlanEditor(): PlanEditor {
  const editor = use(Context)
  if (editor === null) throw new Error('This component needs a plan editor above it.')
  return editor
}
