/** Saving and discarding the changes of a plan. */
import { Save } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../ui/actions/button.tsx'
import { AlertDialog } from '../../../ui/overlays/alert-dialog.tsx'
import { usePlanEditor } from './editor-context.tsx'
import { usePlanTexts } from './texts.ts'
import type { PlanSaving } from './use-plan-saving.tsx'

export function SaveButtons({ saving }: { saving: PlanSaving }) {
  const t = usePlanTexts()
  const [asks, setAsks] = useState(false)
  const { draft, problems } = usePlanEditor()
  const { isChanged, isBusy, save, discard } = saving
  const isFaulty =
    draft.text_fault !== null ||
    (problems.isCurrent && problems.all.some(({ tone }) => tone === 'bad'))
  const isNew = draft.base.source === 'project'
  return (
    <span className="flex flex-wrap items-center gap-2">
      <span className="text-sm text-muted" role="status">
        {isChanged ? t('unsaved') : isNew ? '' : t('version', { version: draft.base.version })}
      </span>
      {isChanged && (
        <Button size="sm" kind="ghost" onClick={() => setAsks(true)}>
          {t('discard')}
        </Button>
      )}
      <Button
        size="sm"
        kind="primary"
        busy={isBusy}
        disabled={(!isChanged && !isNew) || isFaulty || problems.refusal !== null}
        onClick={save}
      >
        <Save aria-hidden="true" />
        {t('save')}
      </Button>
      <AlertDialog
        open={asks}
        onOpenChange={setAsks}
        title={t('discard_title')}
        about={t('discard_about')}
        action={t('discard')}
        onConfirm={() => {
          discard()
          setAsks(false)
        }}
      />
    </span>
  )
}
