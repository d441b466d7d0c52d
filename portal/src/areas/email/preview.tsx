/** Shows the HTML of an email as wide as a phone or a computer. Without HTML it shows the text. */
import { useState } from 'react'
import { Button } from '../../ui/actions/button.tsx'
import { ForeignHtml } from '../../ui/display/foreign-html.tsx'
import { useEmailTexts } from './texts.ts'

const widths = { phone: 'max-w-90', desktop: 'max-w-full' } as const

export function Preview({ html, text }: { html: string | null; text: string | null }) {
  const t = useEmailTexts()
  const [width, setWidth] = useState<keyof typeof widths>('phone')
  if (html === null) {
    return (
      <section>
        <h3 className="mb-2 font-semibold">{t('text')}</h3>
        <p className="rounded-lg border border-line p-4 wrap-anywhere whitespace-pre-wrap">
          {text}
        </p>
      </section>
    )
  }
  return (
    <section>
      <header className="mb-2 flex items-center gap-2">
        <h3 className="flex-1 font-semibold">{t('preview')}</h3>
        {(['phone', 'desktop'] as const).map((one) => (
          <Button
            key={one}
            size="sm"
            kind={one === width ? 'secondary' : 'ghost'}
            aria-pressed={one === width}
            onClick={() => setWidth(one)}
          >
            {t(`preview_${one}`)}
          </Button>
        ))}
      </header>
      {/<img\b/i.test(html) && <p className="mb-2 text-sm text-muted">{t('preview_about')}</p>}
      <ForeignHtml
        title={t('preview')}
        html={html}
        className={`h-120 w-full rounded-lg border border-line bg-white ${widths[width]}`}
      />
    </section>
  )
}
