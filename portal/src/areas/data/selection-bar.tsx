/** Search or filter, and the order. */
import type { ApiProblem } from '../../api/client.ts'
import { Select } from '../../ui/forms/select.tsx'
import type { DataField } from './fields.ts'
import { FilterInput } from './filter/filter-input.tsx'
import { newestFirst, type Selection } from './queries.ts'
import { useDataTexts } from './texts.ts'

export interface SelectionBarProps {
  fields: readonly DataField[]
  selection: Selection
  /** Why the server refused the selection. */
  problem: ApiProblem | null
  onChange(selection: Selection): void
}

export function SelectionBar({ fields, selection, problem, onChange }: SelectionBarProps) {
  const t = useDataTexts()
  const orders = fields
    .filter(({ kind }) => kind !== 'json' && kind !== 'long')
    .flatMap(({ name, title }) => [
      { value: name, text: t('ascending', { title }) },
      { value: `-${name}`, text: t('descending', { title }) },
    ])
  return (
    <div className="mb-4 flex flex-wrap items-start gap-3">
      <FilterInput
        fields={fields}
        value={selection.search}
        example={exampleOf(fields)}
        problem={problem}
        onChange={(search) => onChange({ ...selection, search })}
      />
      <div className="w-full sm:w-56">
        <Select
          label={t('order')}
          value={selection.sort}
          onChange={(sort) => onChange({ ...selection, sort })}
          choices={[
            { value: newestFirst, text: t('newest') },
            { value: 'created_at', text: t('oldest') },
            ...orders,
          ]}
        />
      </div>
    </div>
  )
}

/** A filter of the kind that these fields allow. */
function exampleOf(fields: readonly DataField[]): string {
  const number = fields.find(({ kind }) => kind === 'number')
  if (number !== undefined) return `${number.name} > 3`
  const text = fields.find(({ kind }) => kind === 'text' || kind === 'choice')
  return `${text?.name ?? 'name'} = "${text?.choices[0] ?? 'Anna'}"`
}
