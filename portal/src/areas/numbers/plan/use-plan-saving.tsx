/** Saving a plan with the version it was read with, and what happens if it was changed meanwhile. */
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { ApiProblem } from '../../../api/client.ts'
import { useAct } from '../../../api/mutations.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { numbersKey } from '../queries.ts'
import { ConflictDialog } from './conflict-dialog.tsx'
import { isChanged as isDraftChanged, textOf, type DraftAction } from './draft.ts'
import type { PlanEditor } from './editor-context.tsx'
import type { Plan } from './model/plan.ts'
import { planKey, planQuery, putPlan, type StoredPlan } from './queries.ts'
import { usePlanTexts } from './texts.ts'

const CONFLICT = 412

export interface PlanSaving {
  isChanged: boolean
  isBusy: boolean
  save(): void
  discard(): void
  /** A newer version of the server, while there are changes; null otherwise. */
  newer: StoredPlan | null
  compare(): void
  dialog: ReactNode
}

export function usePlanSaving(given: {
  number_id: string
  stored: StoredPlan
  editor: PlanEditor
  dispatch(action: DraftAction): void
}): PlanSaving {
  const { number_id, stored, editor, dispatch } = given
  const t = usePlanTexts()
  const scope = useProjectScope()
  const queries = useQueryClient()
  const [theirs, setTheirs] = useState<StoredPlan | null>(null)
  const { draft } = editor
  const isChanged = isDraftChanged(draft)
  const isNewer = stored.version !== draft.base.version || stored.source !== draft.base.source
  useEffect(() => {
    if (isNewer && !isChanged && stored.version > draft.base.version) {
      dispatch({ kind: 'load', stored })
    }
  }, [dispatch, draft.base.version, isChanged, isNewer, stored])
  const act = useAct({
    run: (sent: { text: string; version: number }) => putPlan(scope, number_id, sent),
    done: t('saved'),
    refresh: [numbersKey(scope)],
    onDone(saved) {
      queries.setQueryData(planKey(scope, number_id), saved)
      dispatch({ kind: 'saved', stored: saved })
      setTheirs(null)
    },
    onFault(problem) {
      if (problem instanceof ApiProblem && problem.status === CONFLICT) void compare()
      return problem.status === CONFLICT
    },
  })
  const compare = async () =>
    setTheirs(await queries.fetchQuery({ ...planQuery(scope, number_id), staleTime: 0 }))
  const saveJoined = (plan: Plan, version: StoredPlan) => {
    dispatch({ kind: 'rebase', stored: version, plan })
    act.mutate({ text: textOf(plan), version: version.version })
  }
  return {
    isChanged,
    isBusy: act.isPending,
    save: () => act.mutate({ text: draft.text, version: draft.base.version }),
    discard: () => dispatch({ kind: 'load', stored: draft.base }),
    newer: isChanged && stored.version > draft.base.version ? stored : null,
    compare: () => void compare(),
    dialog: (
      <ConflictDialog
        theirs={theirs}
        busy={act.isPending}
        onClose={() => setTheirs(null)}
        onJoin={saveJoined}
        onTake={(version) => {
          dispatch({ kind: 'load', stored: version })
          setTheirs(null)
        }}
      />
    ),
  }
}
