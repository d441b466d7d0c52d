/** A preview of the chat with the chosen theme. */
import { MessageCircle, Send } from 'lucide-react'
import { cx } from '../../ui/class-names.ts'
import type { Theme } from './queries.ts'
import { useTokenTexts } from './texts.ts'

/** The colour of the widget without one of its own. */
export const DEFAULT_COLOUR = '#1f5eff'

export interface ThemePreviewProps {
  theme: Pick<Theme, 'color' | 'position'>
  name: string
  greeting: string
}

export function ThemePreview({ theme, name, greeting }: ThemePreviewProps) {
  const t = useTokenTexts()
  const color = theme.color ?? DEFAULT_COLOUR
  const colours = { backgroundColor: color, color: inkOn(color) }
  const isLeft = theme.position === 'left'
  return (
    <figure className="overflow-hidden rounded-xl border border-line-strong bg-bg">
      <div aria-hidden="true" className="flex gap-1.5 border-b border-line bg-hover px-3 py-2">
        {[1, 2, 3].map((dot) => (
          <span key={dot} className="size-2 rounded-full bg-line-strong" />
        ))}
      </div>
      <div className={cx('flex flex-col gap-3 p-4', isLeft ? 'items-start' : 'items-end')}>
        <div className="w-full max-w-64 overflow-hidden rounded-xl bg-raised shadow-pop">
          <p className="truncate px-3.5 py-2.5 font-semibold" style={colours}>
            {name}
          </p>
          <div className="flex min-h-24 flex-col gap-2 p-3 text-sm">
            <p className="w-fit max-w-[85%] rounded-xl rounded-bl-sm bg-hover px-3 py-1.5 wrap-anywhere">
              {greeting}
            </p>
            <p
              className="w-fit max-w-[85%] self-end rounded-xl rounded-br-sm px-3 py-1.5"
              style={colours}
            >
              {t('preview_question')}
            </p>
          </div>
          <p className="flex items-center gap-2 border-t border-line px-3 py-2 text-sm text-muted">
            <span className="flex-1">{t('preview_write')}</span>
            <Send className="size-4" aria-hidden="true" />
          </p>
        </div>
        <span className="grid size-12 place-items-center rounded-full shadow-pop" style={colours}>
          <MessageCircle className="size-6" aria-hidden="true" />
        </span>
      </div>
      <figcaption className="border-t border-line px-3 py-2 text-xs text-muted">
        {t('preview')}
      </figcaption>
    </figure>
  )
}

const CONTRAST_MIN = 4.5

/** White if it is readable on the colour, else almost black, as the widget chooses. */
function inkOn(color: string): string {
  return 1.05 / (luminance(color) + 0.05) >= CONTRAST_MIN ? '#ffffff' : '#111111'
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(color.slice(start, start + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
