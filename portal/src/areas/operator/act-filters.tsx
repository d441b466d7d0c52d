/** The filters of the audit log. */
import { useEffect, useState } from 'react'
import { FilterSelect, PeriodSelect, withPart, type PartOf } from '../../ui/forms/filters.tsx'
import { Input } from '../../ui/forms/input.tsx'
import type { ActFilter } from './queries.ts'
import { useOperatorTexts } from './texts.ts'

const TYPING_MS = 300

export interface ActFiltersProps {
  filter: ActFilter
  onChange(filter: ActFilter): void
}

export function ActFilters({ filter, onChange }: ActFiltersProps) {
  const t = useOperatorTexts()
  const set = (part: PartOf<ActFilter>) => onChange(withPart(filter, part))
  return (
    <div className="grid grid-cols-1 gap-2.5 p-5 sm:grid-cols-2 lg:grid-cols-4">
      <TextFilter name="operator" filter={filter} onChange={onChange} />
      <TextFilter name="operation" filter={filter} onChange={onChange} />
      <FilterSelect
        label={t('filter_entry_point')}
        all={t('all_entry_points')}
        value={filter.entry_point}
        onChange={(entry_point) => set({ entry_point })}
        choices={[
          { value: 'operator', text: t('console') },
          { value: 'command_line', text: t('command_line') },
        ]}
      />
      <PeriodSelect
        label={t('filter_time')}
        all={t('all_time')}
        from={filter.from}
        onChange={(from) => set({ from })}
      />
    </div>
  )
}

/** Applies the text a moment after the last key. */
function TextFilter({
  name,
  filter,
  onChange,
}: ActFiltersProps & { name: 'operator' | 'operation' }) {
  const t = useOperatorTexts()
  const [text, setText] = useState(filter[name] ?? '')
  const wanted = text.trim()
  useEffect(() => {
    if (wanted === (filter[name] ?? '')) return undefined
    const { [name]: _, ...rest } = filter
    const change = () => onChange(wanted === '' ? rest : { ...rest, [name]: wanted })
    const timer = setTimeout(change, TYPING_MS)
    return () => clearTimeout(timer)
  }, [wanted, name, filter, onChange])
  return (
    <Input
      type="search"
      aria-label={t(`filter_${name}`)}
      placeholder={t(`filter_${name}`)}
      value={text}
      maxLength={100}
      onChange={({ target }) => setText(target.value)}
    />
  )
}
