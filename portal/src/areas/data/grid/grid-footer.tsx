/** How much of the list is loaded, and what became of the last edit. */
import { Undo2 } from 'lucide-react'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { useFormat } from '../../../language/format.ts'
import { useTexts } from '../../../language/texts.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { gridTexts } from './texts.ts'
import type { EditState } from './use-edits.ts'

export interface GridFooterProps {
  loaded: number
  count: number
  state: EditState
  mayUndo: boolean
  onUndo(): void
}

export function GridFooter({ loaded, count, state, mayUndo, onUndo }: GridFooterProps) {
  const t = useTexts(gridTexts)
  const format = useFormat()
  const mayEdit = useProjectScope().may('member')
  const shown = format.number(loaded)
  return (
    <div className="flex min-h-11 flex-wrap items-center gap-x-4 border-t border-line px-4 py-1 text-sm text-muted">
      <span className="tabular-nums">
        {loaded < count
          ? t('loaded', { shown, count: format.number(count) })
          : t('all_loaded', { count: loaded, shown })}
      </span>
      {mayEdit && <span className="text-faint max-md:hidden">{t('keys')}</span>}
      <span className="ml-auto flex items-center gap-2" role="status">
        {state !== 'none' && t(state)}
        {mayUndo && (
          <Button size="sm" kind="ghost" onClick={onUndo} title="Ctrl+Z">
            <Undo2 aria-hidden="true" />
            {t('undo')}
          </Button>
        )}
      </span>
    </div>
  )
}
