/** The state of the editor: the draft, its check by the server, the selection, and the edits. */
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useEffect, useMemo, useReducer, useState } from 'react'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { firstDraft, nextDraft, type DraftAction } from './draft.ts'
import type { PlanEditor } from './editor-context.tsx'
import { isObject } from './model/json.ts'
import type { NodeSchemas } from './model/node-schema.ts'
import {
  newNode,
  stepOf,
  stepsInOrder,
  stepsOf,
  withField,
  withNode,
  withoutNode,
  type Plan,
} from './model/plan.ts'
import { useProblemWords } from './problems/problem-words.ts'
import { problemsOf } from './problems/problems.ts'
import { checkQuery, type StoredPlan } from './queries.ts'

/** A person who types is not interrupted, and the server is asked once. */
const CHECK_AFTER_MS = 500

export interface EditorState {
  editor: PlanEditor
  dispatch(action: DraftAction): void
}

export function useEditor(given: {
  number_id: string
  stored: StoredPlan
  schemas: NodeSchemas
}): EditorState {
  const { number_id, stored, schemas } = given
  const { may } = useProjectScope()
  const [draft, dispatch] = useReducer(nextDraft, stored, firstDraft)
  const [selected, select] = useState<string | null>(null)
  const [added, setAdded] = useState<string | null>(null)
  const { plan, text, text_fault } = draft
  const problems = useProblems(number_id, text_fault === null ? text : JSON.stringify(plan))
  const steps = useMemo(() => stepsInOrder(plan, schemas), [plan, schemas])
  const edit = (name: string, next: Plan) => dispatch({ kind: 'edit', name, plan: next })
  const editor: PlanEditor = {
    draft,
    plan,
    schemas,
    steps,
    problems,
    mayEdit: may('member'),
    selected: stepOf(plan, selected) === null ? null : selected,
    select(id) {
      select(id)
      setAdded((before) => (before === id ? before : null))
    },
    added,
    edit,
    setField(id, path, value) {
      edit(`${id}/${path.join('/')}`, withField(plan, ['nodes', id, ...path], value))
    },
    addStep(type, after) {
      const [id, node] = newNode(plan, type, schemas)
      const first = stepsOf(plan).length === 0 ? { ...plan, entry: id } : plan
      const added = withNode(first, id, node)
      edit('', after ? withField(added, ['nodes', after.id, ...after.path], id) : added)
      select(id)
      setAdded(id)
    },
    removeStep(id) {
      edit('', withoutNode(plan, id, schemas))
      select(null)
    },
    write: (next) => dispatch({ kind: 'write', text: next }),
    undo: () => dispatch({ kind: 'undo' }),
    redo: () => dispatch({ kind: 'redo' }),
  }
  useUndoKeys(editor)
  return { editor, dispatch }
}

/** The problems of a plan, asked for once it has not changed for a moment. */
function useProblems(number_id: string, text: string) {
  const scope = useProjectScope()
  const [checked, setChecked] = useState(text)
  useEffect(() => {
    if (checked === text) return undefined
    const timer = setTimeout(() => setChecked(text), CHECK_AFTER_MS)
    return () => clearTimeout(timer)
  }, [checked, text])
  const { data, isPlaceholderData } = useQuery(checkQuery(scope, number_id, checked))
  const words = useProblemWords()
  const isCurrent = data !== undefined && !isPlaceholderData && checked === text
  return useDeferredValue(
    useMemo(() => problemsOf(data, isCurrent, words), [data, isCurrent, words]),
  )
}

/** Ctrl+Z and Ctrl+Shift+Z, except in the JSON text, where the browser undoes single letters. */
function useUndoKeys({ undo, redo }: PlanEditor): void {
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!(event.metaKey || event.ctrlKey) || event.altKey) return
      const { target } = event
      if (target instanceof Element && target.closest('[data-plan-json], [role=dialog]')) return
      const key = event.key.toLowerCase()
      if (key !== 'z' && key !== 'y') return
      event.preventDefault()
      if (key === 'y' || event.shiftKey) redo()
      else undo()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  })
}

/** A copy of a step with another id, selected and without a way to it. */
export function duplicateStep(editor: PlanEditor, id: string): void {
  const { plan, schemas } = editor
  const step = stepOf(plan, id)
  if (step === null || !isObject(step.node)) return
  const [copy_id] = newNode(plan, step.type, schemas)
  editor.edit('', withNode(plan, copy_id, { ...step.node, id: copy_id }))
  editor.select(copy_id)
}
