/**
 * The hook for the unsaved changes of the page: edits them, saves them, and resolves conflicts with
 * another person.
 */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ApiProblem } from '../../api/client.ts'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { isChanged, rebased, withChanges, type Draft } from './draft.ts'
import {
  assistantKey,
  readAssistant,
  saveAssistant,
  settingsOf,
  type Assistant,
  type Settings,
} from './queries.ts'
import { useAssistantTexts } from './texts.ts'

export interface DraftState {
  base: Assistant
  draft: Draft
  settings: Settings
  isChanged: boolean
  isSaving: boolean
  /** The settings that another person saved meanwhile; null if there is no conflict. */
  theirs: Assistant | null
  problem: ApiProblem | null
  faultOf(path: string): string | undefined
  change(changes: Partial<Settings>): void
  save(): void
  /** Saves `settings` over the version of another person. */
  resolve(theirs: Assistant, settings: Settings): void
  discard(): void
  /** Closes the conflict dialog without saving. */
  postpone(): void
}

interface Saved {
  settings: Settings
  version: number
}

export function useDraft(saved: Assistant): DraftState {
  const t = useAssistantTexts()
  const scope = useProjectScope()
  const client = useQueryClient()
  const [edited, setDraft] = useState<Draft>({ base: saved, changes: {} })
  const [theirs, setTheirs] = useState<Assistant | null>(null)
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  // Without changes the page shows the saved settings, including later changes by other persons.
  const draft = isChanged(edited) ? edited : { base: saved, changes: {} }
  const settings = { ...settingsOf(draft.base), ...draft.changes }
  const act = useAct({
    run: (given: Saved) => saveAssistant(scope, given.settings, given.version),
    done: t('saved'),
    onDone(result) {
      client.setQueryData(assistantKey(scope), result)
      setDraft({ base: result, changes: {} })
      setTheirs(null)
      setProblem(null)
    },
    onFault(fault) {
      if (fault.slug === 'version_conflict') {
        void readAssistant(scope).then(setTheirs, () => setProblem(fault))
        return true
      }
      setTheirs(null)
      setProblem(fault)
      return fault.faults.length > 0
    },
  })
  return {
    base: draft.base,
    draft,
    settings,
    isChanged: isChanged(draft),
    isSaving: act.isPending,
    theirs,
    problem,
    faultOf: (path) => problem?.faults.find((fault) => fault.path === path)?.message,
    change: (changes) => setDraft(withChanges(draft, changes)),
    save: () => act.mutate({ settings, version: draft.base.version }),
    resolve(newer, resolved) {
      setDraft(rebased(draft, newer))
      act.mutate({ settings: resolved, version: newer.version })
    },
    discard() {
      setProblem(null)
      setDraft({ base: saved, changes: {} })
      void client.invalidateQueries({ queryKey: assistantKey(scope) })
    },
    postpone: () => setTheirs(null),
  }
}
