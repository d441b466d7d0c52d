/** Appears at the foot of the page while there are unsaved changes. */
import { useEffect } from 'react'
import { useTexts } from '../../language/texts.ts'
import { Button } from '../../ui/actions/button.tsx'
import { assistantTexts } from './texts.ts'
import type { DraftState } from './use-draft.ts'

export function SaveBar({ draft }: { draft: DraftState }) {
  const t = useTexts(assistantTexts)
  const { isChanged, isSaving, problem, save, discard } = draft
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== 's' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      if (isChanged && !isSaving) save()
    }
    addEventListener('keydown', listen)
    return () => removeEventListener('keydown', listen)
  }, [isChanged, isSaving, save])
  if (!isChanged) return null
  const faults = problem?.faults.length ?? 0
  return (
    <div
      role="region"
      aria-label={t('unsaved')}
      className="sticky bottom-4 z-20 mt-6 flex flex-wrap items-center gap-3 rounded-xl bg-raised px-4 py-3 shadow-pop"
    >
      <p className="min-w-40 flex-1 text-sm">
        <span className="font-medium">{t('unsaved')}</span>
        {faults > 0 && <span className="block text-bad">{t('faults', { count: faults })}</span>}
      </p>
      <Button kind="ghost" disabled={isSaving} onClick={discard}>
        {t('discard')}
      </Button>
      <Button kind="primary" busy={isSaving} onClick={save}>
        {t('save')}
      </Button>
    </div>
  )
}
