/** What an import would do: counts, the field of each column, the first documents, refused lines. */
import { CircleAlert, Download } from 'lucide-react'
import { useServerText } from '../../../language/texts.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { Badge } from '../../../ui/display/badge.tsx'
import { saveFile } from '../../../work/save-file.ts'
import { textOf } from '../fields.ts'
import type { Collection } from '../queries.ts'
import { ColumnTable } from './column-table.tsx'
import type { ImportReport, Reading } from './import.ts'
import { useRefusedLines, type Refusal } from './refused-lines.ts'
import { useTransferTexts } from './texts.ts'

export interface ImportPreviewProps {
  row: Collection
  report: ImportReport
  columns: Reading['columns']
  onColumns(columns: Reading['columns']): void
}

export function ImportPreview({ row, report, columns, onColumns }: ImportPreviewProps) {
  const t = useTransferTexts()
  const said = useServerText()
  const { inserted, updated, refused, stopped, warnings } = report
  return (
    <>
      <p className="flex flex-wrap gap-2">
        <Badge tone="good">{t('new', { count: inserted })}</Badge>
        {updated > 0 && <Badge tone="info">{t('updated', { count: updated })}</Badge>}
        {refused > 0 && <Badge tone="bad">{t('refused', { count: refused })}</Badge>}
      </p>
      {stopped !== null && (
        <p className="rounded-lg bg-bad-soft px-4 py-3 text-sm">
          {t('stopped', { line: stopped.line, message: said(stopped.message) })}
        </p>
      )}
      {warnings.map((warning) => (
        <p key={warning} className="rounded-lg bg-warn-soft px-4 py-3 text-sm">
          {said(warning)}
        </p>
      ))}
      {report.columns.length > 0 && (
        <ColumnTable row={row} report={report} columns={columns} onColumns={onColumns} />
      )}
      {refused > 0 && <RefusedLines report={report} />}
      {report.columns.length === 0 && <FirstDocuments report={report} />}
    </>
  )
}

const LINES_SHOWN_MAX = 5

function RefusedLines({ report }: { report: ImportReport }) {
  const t = useTransferTexts()
  const { refusalsOf, fileOf } = useRefusedLines()
  const { errors, refused } = report
  const blob = fileOf(report)
  const shown = errors.slice(0, LINES_SHOWN_MAX)
  return (
    <section>
      <div className="mb-2 flex items-center gap-3">
        <h3 className="flex-1 font-semibold">{t('refusals')}</h3>
        {blob !== null && (
          <Button size="sm" onClick={() => saveFile({ blob, filename: 'refused-lines.csv' })}>
            <Download aria-hidden="true" />
            {t('download_refused')}
          </Button>
        )}
      </div>
      <ul className="divide-y divide-line rounded-lg border border-line text-sm">
        {shown.map((one) => (
          <li key={one.line} className="flex gap-3 px-3 py-2">
            <CircleAlert className="mt-0.5 size-4 shrink-0 text-bad" aria-hidden="true" />
            <span className="w-20 shrink-0 text-muted tabular-nums">
              {t('line', { line: one.line })}
            </span>
            <span className="min-w-0 flex-1">{refusalsOf(one).map(textOfRefusal).join(' · ')}</span>
          </li>
        ))}
      </ul>
      {refused > shown.length && (
        <p className="mt-1.5 text-sm text-muted">{t('more', { count: refused - shown.length })}</p>
      )}
    </section>
  )
}

function textOfRefusal({ column, value, message }: Refusal): string {
  const place = value === '' ? column : `${column} “${value}”`
  return place === '' ? message : `${place}: ${message}`
}

const DOCUMENTS_SHOWN_MAX = 3

function FirstDocuments({ report: { preview } }: { report: ImportReport }) {
  const t = useTransferTexts()
  if (preview.length === 0) return null
  return (
    <section>
      <h3 className="mb-2 font-semibold">{t('first')}</h3>
      <ul className="divide-y divide-line rounded-lg border border-line font-mono text-xs">
        {preview.slice(0, DOCUMENTS_SHOWN_MAX).map((document, index) => (
          <li key={index} className="truncate px-3 py-2">
            {textOf(document)}
          </li>
        ))}
      </ul>
    </section>
  )
}
