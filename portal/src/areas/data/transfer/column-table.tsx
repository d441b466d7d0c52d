/** Which field each column of a file fills. */
import { ArrowRight } from 'lucide-react'
import { Select } from '../../../ui/forms/select.tsx'
import { fieldsOf, textOf } from '../fields.ts'
import type { ImportPreviewProps } from './import-preview.tsx'
import type { ImportReport } from './import.ts'
import { useTransferTexts } from './texts.ts'

const SKIP = '@skip'
const COLUMNS_SHOWN_MAX = 60

export function ColumnTable({ row, report, columns, onColumns }: ImportPreviewProps) {
  const t = useTransferTexts()
  const shown = report.columns.filter(({ heading }) => heading !== '').slice(0, COLUMNS_SHOWN_MAX)
  return (
    <section>
      <h3 className="mb-2 font-semibold">{t('columns')}</h3>
      <ul className="divide-y divide-line rounded-lg border border-line">
        {shown.map((column) => (
          <ColumnRow key={column.column} {...{ row, column, columns, onColumns }} />
        ))}
      </ul>
    </section>
  )
}

interface ColumnRowProps extends Omit<ImportPreviewProps, 'report'> {
  column: ImportReport['columns'][number]
}

function ColumnRow({ row, column, columns, onColumns }: ColumnRowProps) {
  const t = useTransferTexts()
  const { heading, field, example, ambiguous, suggestion } = column
  const names = fieldsOf(row, []).map(({ name }) => name)
  const others = [heading, field ?? heading].filter((name) => !names.includes(name))
  return (
    <li className="px-3 py-2.5">
      <div className="grid items-center gap-x-3 gap-y-1.5 sm:grid-cols-[1fr_1fr_auto_13rem]">
        <span className="truncate font-medium">{heading}</span>
        <span className="truncate text-sm text-muted">
          {example === null ? '' : (example.text ?? textOf(example.value))}
        </span>
        <ArrowRight className="size-4 text-faint max-sm:hidden" aria-hidden="true" />
        <Select
          label={t('field_of', { column: heading })}
          value={field ?? SKIP}
          onChange={(next) => onColumns({ ...columns, [heading]: next === SKIP ? null : next })}
          choices={[
            ...names.map((value) => ({ value, text: value })),
            ...[...new Set(others)].map((name) => ({
              value: name,
              text: t('new_field', { name }),
            })),
            { value: SKIP, text: t('skip') },
          ]}
        />
      </div>
      {ambiguous !== null && (
        <p className="mt-1 text-sm text-warn">{t('ambiguous', { value: ambiguous })}</p>
      )}
      {suggestion !== null && (
        <p className="mt-1 text-sm text-warn">{t('suggestion', { field: suggestion })}</p>
      )}
    </li>
  )
}
