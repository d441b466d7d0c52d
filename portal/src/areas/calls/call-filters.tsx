/** The filters above the calls. */
import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useTexts } from '../../language/texts.ts'
import { Input } from '../../ui/forms/input.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { numbersQuery } from '../home/queries.ts'
import type { CallFilter } from './queries.ts'
import { callTexts } from './texts.ts'

const TYPING_MS = 400
const DAY_MS = 86_400_000
const outcomes = [
  'in_progress',
  'ai_handled',
  'forwarded',
  'voicemail',
  'missed',
  'menu_ended',
  'busy',
  'blocked',
  'failed',
  'no_answer',
  'canceled',
] as const
const periods = { day: 1, week: 7, month: 30 } as const
type Period = keyof typeof periods | 'all'

export interface CallFiltersProps {
  filter: CallFilter
  onChange(filter: CallFilter): void
}

export function CallFilters({ filter, onChange }: CallFiltersProps) {
  const t = useTexts(callTexts)
  const { data: numbers = [] } = useQuery(numbersQuery(useProjectScope()))
  const [period, setPeriod] = useState<Period>('all')
  const set = (change: { [Name in keyof CallFilter]: CallFilter[Name] | undefined }) => {
    const entries = Object.entries({ ...filter, ...change })
    onChange(Object.fromEntries(entries.filter(([, value]) => value !== undefined)))
  }
  return (
    <div className="grid gap-2.5 px-5 pt-2 pb-4 sm:grid-cols-2 lg:grid-cols-[1fr_repeat(3,11rem)]">
      <SearchField onSearch={set} />
      <Select
        label={t('outcome')}
        value={filter.status ?? 'all'}
        onChange={(value) => set({ status: value === 'all' ? undefined : value })}
        choices={[
          { value: 'all', text: t('all_outcomes') },
          ...outcomes.map((value) => ({ value, text: t(value) })),
        ]}
      />
      <Select<string>
        label={t('number')}
        value={filter.number_id ?? 'all'}
        onChange={(value) => set({ number_id: value === 'all' ? undefined : value })}
        choices={[
          { value: 'all', text: t('all_numbers') },
          ...numbers.map(({ id, e164 }) => ({ value: id, text: e164 })),
        ]}
      />
      <Select<Period>
        label={t('period')}
        value={period}
        onChange={(next) => {
          setPeriod(next)
          const since = next === 'all' ? undefined : sinceOf(periods[next])
          set({ since })
        }}
        choices={[
          { value: 'all', text: t('all_times') },
          { value: 'day', text: t('last_day') },
          { value: 'week', text: t('last_week') },
          { value: 'month', text: t('last_month') },
        ]}
      />
    </div>
  )
}

function sinceOf(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString()
}

interface SearchFieldProps {
  onSearch(change: { q: string | undefined; from: string | undefined }): void
}

/** A whole number of a caller finds their calls; other texts are words of the conversation. */
function SearchField({ onSearch }: SearchFieldProps) {
  const t = useTexts(callTexts)
  const [text, setText] = useState<string | null>(null)
  const wanted = text?.trim()
  useEffect(() => {
    if (wanted === undefined) return undefined
    const number = wanted.replaceAll(/[\s()-]/g, '')
    const isNumber = /^\+\d{7,15}$/.test(number)
    const timer = setTimeout(
      () =>
        onSearch({
          from: isNumber ? number : undefined,
          q: isNumber || wanted === '' ? undefined : wanted,
        }),
      TYPING_MS,
    )
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only a new text is a new search
  }, [wanted])
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
        maxLength={200}
        value={text ?? ''}
        onChange={({ target }) => setText(target.value)}
        className="pl-9"
      />
    </span>
  )
}
