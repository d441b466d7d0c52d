/** Shows one file of a version: its text, or its differences from another version. */
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { QueryState } from '../../../api/query-state.tsx'
import { useFormat } from '../../../language/format.ts'
import { cx } from '../../../ui/class-names.ts'
import { Badge } from '../../../ui/display/badge.tsx'
import { Card } from '../../../ui/display/card.tsx'
import { fileQuery, type FileContent } from '../queries.ts'
import { useSiteTexts } from '../texts.ts'
import { diffLines, type DiffLine } from './line-diff.ts'
import type { FileRow } from './version-files.tsx'

export interface FileDiffProps {
  site_id: string
  row: FileRow
  version: number
  /** The version to compare with; null shows the file without a comparison. */
  other: number | null
}

const tones = { same: 'neutral', added: 'good', changed: 'warn', removed: 'bad' } as const

export function FileDiff({ site_id, row, version, other }: FileDiffProps) {
  const t = useSiteTexts()
  const format = useFormat()
  const scope = useProjectScope()
  const { path, state, file } = row
  const shown = state === 'removed' && other !== null ? other : version
  const current = useQuery(fileQuery(scope, site_id, { version: shown, path }))
  const isChanged = state === 'changed' && other !== null
  const before = useQuery({
    ...fileQuery(scope, site_id, { version: other ?? version, path }),
    enabled: isChanged,
  })
  return (
    <Card
      flush
      title={<code className="font-mono text-sm break-all">{path}</code>}
      about={`${file.content_type.split(';')[0]} · ${format.bytes(file.bytes)}`}
      aside={state !== 'same' && <Badge tone={tones[state]}>{t(state)}</Badge>}
    >
      <QueryState query={isChanged && before.data === undefined ? before : current}>
        {() => <Body state={state} current={current.data} before={before.data} />}
      </QueryState>
    </Card>
  )
}

interface BodyProps {
  state: FileRow['state']
  current: FileContent | undefined
  before: FileContent | undefined
}

function Body({ state, current, before }: BodyProps) {
  const t = useSiteTexts()
  const after_text = textOf(current)
  const before_text = textOf(before)
  const lines = useMemo((): DiffLine[] | null => {
    if (after_text === null) return null
    if (state === 'added') return diffLines('', after_text)
    if (state === 'removed') return diffLines(after_text, '')
    if (state === 'same') return diffLines(after_text, after_text)
    return before_text === null ? null : folded(diffLines(before_text, after_text))
  }, [state, after_text, before_text])
  const picture = current !== undefined && pictureOf(current)
  if (picture) {
    return (
      <div className="border-t border-line p-5">
        <img src={picture} alt="" className="mx-auto max-h-96 max-w-full rounded-lg" />
      </div>
    )
  }
  if (lines === null) return <p className="border-t border-line p-5 text-muted">{t('no_text')}</p>
  return <Lines lines={lines.slice(0, LINES_MAX)} hidden={Math.max(0, lines.length - LINES_MAX)} />
}

const LINES_MAX = 2_000
/** Number of unchanged lines shown around a change. */
const CONTEXT = 4

function textOf(file: FileContent | undefined): string | null {
  return file?.encoding === 'utf8' ? file.content : null
}

function pictureOf({ content_type, content, encoding }: FileContent): string | null {
  const isPicture = /^image\/(?:png|jpeg|webp|gif|avif)$/.test(content_type)
  return isPicture && encoding === 'base64' ? `data:${content_type};base64,${content}` : null
}

/** Omits unchanged lines that are far from every change. */
function folded(lines: readonly DiffLine[]): DiffLine[] {
  const isNear = new Set<number>()
  lines.forEach(({ kind }, index) => {
    if (kind === 'same') return
    for (let at = index - CONTEXT; at <= index + CONTEXT; at += 1) isNear.add(at)
  })
  return lines.filter((_line, index) => isNear.has(index))
}

const rows = { same: '', added: 'bg-good-soft', removed: 'bg-bad-soft' }
const signs = { same: ' ', added: '+', removed: '−' }

function Lines({ lines, hidden }: { lines: readonly DiffLine[]; hidden: number }) {
  const t = useSiteTexts()
  return (
    <div
      role="region"
      aria-label={t('lines')}
      tabIndex={0}
      className="max-h-[65dvh] overflow-auto border-t border-line -outline-offset-2!"
    >
      <table className="w-full border-collapse font-mono text-xs leading-5">
        <tbody>
          {lines.map((line, index) => (
            <tr
              key={index}
              className={cx(
                rows[line.kind],
                isGap(lines[index - 1], line) && 'border-t border-dashed border-line-strong',
              )}
            >
              <Gutter number={line.before} />
              <Gutter number={line.after} />
              <td className="pr-1 pl-2 align-top select-none" aria-hidden="true">
                {signs[line.kind]}
              </td>
              <td className="w-full pr-4 break-words whitespace-pre-wrap">
                {line.kind === 'added' && <span className="sr-only">{t('added')}: </span>}
                {line.kind === 'removed' && <span className="sr-only">{t('removed')}: </span>}
                {line.text}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {hidden > 0 && <p className="p-4 text-sm text-muted">{t('more_lines', { count: hidden })}</p>}
    </div>
  )
}

function isGap(before: DiffLine | undefined, line: DiffLine): boolean {
  if (before === undefined || before.kind !== 'same' || line.kind !== 'same') return false
  return (line.after ?? 0) - (before.after ?? 0) > 1
}

function Gutter({ number }: { number: number | null }) {
  return (
    <td className="min-w-10 px-2 text-right align-top text-muted tabular-nums select-none">
      {number}
    </td>
  )
}
