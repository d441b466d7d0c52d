/** The filters above the request log. */
import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useProjectScope } from '../../api/project-scope.tsx'
import { FilterSelect, withPart, type PartOf } from '../../ui/forms/filters.tsx'
import { Input } from '../../ui/forms/input.tsx'
import { connectionsQuery } from '../connections/queries.ts'
import { keysQuery } from '../keys/queries.ts'
import type { RequestFilter } from './queries.ts'
import { useRequestTexts } from './texts.ts'

const TYPING_MS = 300
const statuses = ['error', '2xx', '4xx', '5xx'] as const
const entryPoints = ['rest', 'mcp', 'portal'] as const

export interface RequestFiltersProps {
  filter: RequestFilter
  onChange(filter: RequestFilter): void
}

export function RequestFilters({ filter, onChange }: RequestFiltersProps) {
  const t = useRequestTexts()
  const set = (part: PartOf<RequestFilter>) => onChange(withPart(filter, part))
  return (
    <div className="grid gap-2.5 px-5 pb-4 sm:grid-cols-2 lg:grid-cols-[1fr_repeat(3,12rem)]">
      <SearchField filter={filter} onChange={onChange} />
      <FilterSelect
        label={t('filter_status')}
        all={t('all_statuses')}
        value={filter.status}
        onChange={(status) => set({ status })}
        choices={statuses.map((value) => ({ value, text: t(`s_${value}`) }))}
      />
      <FilterSelect
        label={t('filter_entry_point')}
        all={t('all_entry_points')}
        value={filter.entry_point}
        onChange={(entry_point) => set({ entry_point })}
        choices={entryPoints.map((value) => ({ value, text: t(value) }))}
      />
      <CallerSelect value={filter.actor_id} onChange={(actor_id) => set({ actor_id })} />
    </div>
  )
}

/** Searches an operation such as `calls.list`, or else a request id. */
function SearchField({ filter, onChange }: RequestFiltersProps) {
  const t = useRequestTexts()
  const [text, setText] = useState(filter.operation ?? filter.request_id ?? '')
  const wanted = text.trim()
  useEffect(() => {
    const { operation, request_id, ...rest } = filter
    if (wanted === (operation ?? request_id ?? '')) return undefined
    const searched = wanted.includes('.') ? { operation: wanted } : { request_id: wanted }
    const change = () => onChange({ ...rest, ...(wanted !== '' && searched) })
    const timer = setTimeout(change, TYPING_MS)
    return () => clearTimeout(timer)
  }, [wanted, filter, onChange])
  return (
    <span className="relative block">
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-faint"
      />
      <Input
        type="search"
        aria-label={t('search')}
        placeholder={t('search')}
        value={text}
        onChange={({ target }) => setText(target.value)}
        className="pl-9"
      />
    </span>
  )
}

interface CallerSelectProps {
  value: string | undefined
  onChange(value: string | undefined): void
}

function CallerSelect({ value, onChange }: CallerSelectProps) {
  const t = useRequestTexts()
  const scope = useProjectScope()
  const { data: keys = [] } = useQuery(keysQuery(scope))
  const { data: connections = [] } = useQuery(connectionsQuery(scope))
  const choices = [
    ...keys
      .filter(({ mode }) => mode === scope.mode)
      .map(({ id, name }) => ({
        value: id,
        text: name,
        hint: t('api_key'),
      })),
    ...connections
      .filter(({ mode }) => mode === scope.mode)
      .map(({ id, client_name }) => ({
        value: id,
        text: client_name,
        hint: t('connection'),
      })),
  ]
  return (
    <FilterSelect<string>
      label={t('filter_by')}
      all={t('everyone')}
      value={value}
      onChange={onChange}
      choices={choices}
    />
  )
}
