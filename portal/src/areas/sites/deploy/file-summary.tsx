/**
 * A summary of the files to publish: their number, their size, and the differences from the live
 * version.
 */
import { useFormat } from '../../../language/format.ts'
import { useSiteTexts } from '../texts.ts'
import type { Difference, HashedFile } from './hashed-files.ts'

const ROWS_IN_VIEW = 6

interface FileSummaryProps {
  files: readonly HashedFile[]
  difference: Difference | null
}

export function FileSummary({ files, difference }: FileSummaryProps) {
  const t = useSiteTexts()
  const format = useFormat()
  const bytes = files.reduce((sum, { file }) => sum + file.size, 0)
  const rows =
    difference === null
      ? files.map(({ path }) => ({ path, sign: '' }))
      : [
          ...difference.added.map((path) => ({ path, sign: '+' })),
          ...difference.changed.map((path) => ({ path, sign: '~' })),
          ...difference.removed.map((path) => ({ path, sign: '−' })),
        ]
  return (
    <section className="rounded-lg border border-line">
      <header className="flex flex-wrap gap-x-4 px-4 py-2.5 text-sm">
        <p className="flex-1 font-medium">
          {t('files_count', { count: files.length })} · {format.bytes(bytes)}
        </p>
        {difference !== null && (
          <p className="text-muted">
            {t('difference', {
              added: difference.added.length,
              changed: difference.changed.length,
              removed: difference.removed.length,
            })}
          </p>
        )}
      </header>
      {rows.length > 0 && (
        <ul
          // Keyboard users need the focus to scroll the list.
          tabIndex={rows.length > ROWS_IN_VIEW ? 0 : undefined}
          aria-label={t('files')}
          className="max-h-40 overflow-y-auto border-t border-line px-4 py-2 font-mono text-xs leading-6"
        >
          {rows.map(({ path, sign }) => (
            <li key={path} className="flex gap-2">
              {sign !== '' && <Sign sign={sign} />}
              <span className="min-w-0 truncate">{path}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

const tones: Readonly<Record<string, string>> = {
  '+': 'text-good',
  '~': 'text-warn',
  '−': 'text-bad',
}

function Sign({ sign }: { sign: string }) {
  const t = useSiteTexts()
  const words = { '+': t('added'), '~': t('changed'), '−': t('removed') }
  const word = sign === '+' || sign === '~' || sign === '−' ? words[sign] : ''
  return (
    <span className={tones[sign]} title={word}>
      <span aria-hidden="true">{sign}</span>
      <span className="sr-only">{word}</span>
    </span>
  )
}
