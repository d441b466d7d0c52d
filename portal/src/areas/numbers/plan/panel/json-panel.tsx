/** The plan as JSON, in both directions. What is written here is saved exactly as it is written. */
import { WandSparkles } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button } from '../../../../ui/actions/button.tsx'
import { CopyButton } from '../../../../ui/actions/copy-button.tsx'
import { textOf } from '../draft.ts'
import { usePlanEditor } from '../editor-context.tsx'
import { usePlanTexts } from '../texts.ts'

const LINE_PX = 20

export function JsonPanel() {
  const t = usePlanTexts()
  const { draft, plan, write, selected, mayEdit } = usePlanEditor()
  const { text, text_fault } = draft
  const area = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    const { current } = area
    if (current === null || selected === null || document.activeElement === current) return
    const at = current.value.indexOf(`${JSON.stringify(selected)}: {`)
    if (at < 0) return
    current.scrollTop = (current.value.slice(0, at).split('\n').length - 2) * LINE_PX
  }, [selected])
  return (
    <section
      aria-label={t('json_label')}
      className="flex min-h-100 min-w-0 flex-col border-line max-lg:border-t lg:min-h-0 lg:border-l"
    >
      <div className="flex items-center gap-2 py-2 pr-2 pl-4">
        <p className="min-w-0 flex-1 text-xs text-muted">{t('json_about')}</p>
        {mayEdit && (
          <Button
            size="sm"
            kind="ghost"
            disabled={text_fault !== null || text === textOf(plan)}
            onClick={() => write(textOf(plan))}
          >
            <WandSparkles aria-hidden="true" />
            {t('format')}
          </Button>
        )}
        <CopyButton text={text} />
      </div>
      <textarea
        ref={area}
        data-plan-json=""
        aria-label={t('json_label')}
        aria-invalid={text_fault !== null || undefined}
        readOnly={!mayEdit}
        spellCheck={false}
        wrap="off"
        value={text}
        onChange={({ target }) => write(target.value)}
        className="min-h-0 w-full flex-1 resize-none border-t border-line bg-bg p-4 font-mono text-xs leading-5 -outline-offset-2"
      />
    </section>
  )
}
