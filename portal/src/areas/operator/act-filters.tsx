/** The filters of the audit log. */
import { useEffect, useState } from 'react'
import { useTexts } from '../../language/texts.ts'
import { Input } from '../../ui/forms/input.tsx'
import { Select } from '../../ui/forms/select.tsx'
import type { ActFilter } from './queries.ts'
import { operatorTexts } from './texts.ts'

const TYPING_MS = 300
const DAY_MS = 86_400_000
const days = { day: 1, week: 7, month: 30 } as const

export interface ActFiltersProps {
  filter: ActFilter
  onChange(filter: ActFilter): void
}

export function ActFilters({ filter, onChange }: ActFiltersProps) {
  const t = useTexts(operatorTexts)
  const [period, setPeriod] = useState<keyof typeof days | 'all'>('all')
  const choosePeriod = (value: keyof typeof days | 'all') => {
    setPeriod(value)
    const { from: _, ...rest } = filter
    const from = value === 'all' ? '' : new Date(Date.now() - days[value] * DAY_MS).toISOString()
    onChange(from === '' ? rest : { ...rest, from })
  }
  const chooseEntryPoint = (value: 'all' | 'operator' | 'command_line') => {
    const { entry_point: _, ...rest } = filter
    onChange(value === 'all' ? rest : { ...rest, entry_point: value })
  }
  return (
    <div className="grid grid-cols-1 gap-2.5 p-5 sm:grid-cols-2 lg:grid-cols-4">
      <TextFilter name="operator" filter={filter} onChange={onChange} />
      <TextFilter name="operation" filter={filter} onChange={onChange} />
      <Select
        label={t('filter_entry_point')}
        value={filter.entry_point ?? 'all'}
        onChange={chooseEntryPoint}
        choices={[
          { value: 'all', text: t('all_entry_points') },
          { value: 'operator', text: t('console') },
          { value: 'command_line', text: t('command_line') },
        ]}
      />
      <Select
        label={t('filter_time')}
        value={period}
        onChange={choosePeriod}
        choices={[
          { value: 'all', text: t('all_time') },
          { value: 'day', text: t('last_day') },
          { value: 'week', text: t('last_week') },
          { value: 'month', text: t('last_month') },
        ]}
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
  const t = useTexts(operatorTexts)
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
