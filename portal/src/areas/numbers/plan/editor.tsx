/** The call-plan editor: the plan as graph, outline or JSON, and the form of the chosen step. */
import { useBlocker } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { cx } from '../../../ui/class-names.ts'
import { Card } from '../../../ui/display/card.tsx'
import { AlertDialog } from '../../../ui/overlays/alert-dialog.tsx'
import { Skeleton } from '../../../ui/states/skeleton.tsx'
import { useWide } from '../../../ui/wide.ts'
import type { NumberDetails } from '../queries.ts'
import { EditorAlerts } from './editor-alerts.tsx'
import { PlanEditorProvider } from './editor-context.tsx'
import type { NodeSchemas } from './model/node-schema.ts'
import { Outline } from './outline.tsx'
import { JsonPanel } from './panel/json-panel.tsx'
import { StepPanel } from './panel/step-panel.tsx'
import { ProblemList } from './problems/problem-list.tsx'
import type { StoredPlan } from './queries.ts'
import { SaveButtons } from './save-buttons.tsx'
import { usePlanTexts } from './texts.ts'
import { Toolbar, type PlanView } from './toolbar.tsx'
import { useEditor } from './use-editor.ts'
import { usePlanSaving } from './use-plan-saving.tsx'

const Graph = lazy(async () => ({ default: (await import('./graph/graph.tsx')).Graph }))

export interface EditorProps {
  number: NumberDetails
  stored: StoredPlan
  schemas: NodeSchemas
}

export function Editor({ number, stored, schemas }: EditorProps) {
  const t = usePlanTexts()
  const { editor, dispatch } = useEditor({ number_id: number.id, stored, schemas })
  const saving = usePlanSaving({ number_id: number.id, stored, editor, dispatch })
  const isWide = useWide()
  // A graph needs room.
  const [view, setView] = useState<PlanView>(isWide ? 'graph' : 'outline')
  const [withJson, setWithJson] = useState(false)
  const hasPanel = withJson || editor.selected !== null
  return (
    <PlanEditorProvider value={editor}>
      <Card
        flush
        title={t('title')}
        aside={editor.mayEdit && <SaveButtons saving={saving} />}
        about={
          editor.draft.base.source === 'project'
            ? t('from_project')
            : t('about', { number: number.e164 })
        }
      >
        <Toolbar {...{ view, setView, withJson, setWithJson }} />
        <EditorAlerts saving={saving} />
        <div
          className={cx(
            'grid border-t border-line lg:h-[clamp(34rem,calc(100dvh-14rem),52rem)]',
            hasPanel && 'lg:grid-cols-[minmax(0,1fr)_25rem]',
          )}
        >
          <div className="flex min-h-0 min-w-0 flex-col">
            {view === 'graph' ? (
              <Suspense fallback={<Skeleton className="h-full min-h-140" />}>
                <Graph />
              </Suspense>
            ) : (
              <Outline />
            )}
          </div>
          {withJson && <JsonPanel />}
          {!(withJson && isWide) && <StepPanel />}
        </div>
        <ProblemList />
      </Card>
      <LeaveQuestion isChanged={saving.isChanged} />
      {saving.dialog}
    </PlanEditorProvider>
  )
}

/** Asks before a page with unsaved changes is left. */
function LeaveQuestion({ isChanged }: { isChanged: boolean }) {
  const t = usePlanTexts()
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isChanged && current.pathname !== next.pathname,
    enableBeforeUnload: isChanged,
    withResolver: true,
  })
  return (
    <AlertDialog
      open={status === 'blocked'}
      onOpenChange={() => reset?.()}
      title={t('leave_title')}
      about={t('leave_about')}
      action={t('leave')}
      onConfirm={() => proceed?.()}
    />
  )
}
