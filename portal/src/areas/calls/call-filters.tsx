/** The filters above the calls. */
import { useQuery } from '@tanstack/react-query'
import { useProjectScope } from '../../api/project-scope.tsx'
import { FilterSelect, PeriodSelect, withPart, type PartOf } from '../../ui/forms/filters.tsx'
import { SearchField } from '../../ui/forms/search-field.tsx'
import { numbersQuery } from '../home/queries.ts'
import type { CallFilter } from './queries.ts'
import { useCallTexts } from './texts.ts'

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

export interface CallFiltersProps {
  filter: CallFilter
  onChange(filter: CallFilter): void
}

export function CallFilters({ filter, onChange }: CallFiltersProps) {
  const t = useCallTexts()
  const { data: numbers = [] } = useQuery(numbersQuery(useProjectScope()))
  const set = (part: PartOf<CallFilter>) => onChange(withPart(filter, part))
  return (
    <div className="grid gap-2.5 px-5 pt-2 pb-4 sm:grid-cols-2 lg:grid-cols-[1fr_repeat(3,11rem)]">
      <SearchField label={t('search')} onSearch={(text) => set(searched(text))} />
      <FilterSelect
        label={t('outcome')}
        all={t('all_outcomes')}
        value={filter.status}
        onChange={(status) => set({ status })}
        choices={outcomes.map((value) => ({ value, text: t(value) }))}
      />
      <FilterSelect<string>
        label={t('number')}
        all={t('all_numbers')}
        value={filter.number_id}
        onChange={(number_id) => set({ number_id })}
        choices={numbers.map(({ id, e164 }) => ({ value: id, text: e164 }))}
      />
      <PeriodSelect
        label={t('period')}
        all={t('all_times')}
        from={filter.since}
        onChange={(since) => set({ since })}
      />
    </div>
  )
}

/** A whole number of a caller finds their calls; other texts are words of the conversation. */
function searched(text: string) {
  const number = text.replaceAll(/[\s()-]/g, '')
  const isNumber = /^\+\d{7,15}$/.test(number)
  return {
    from: isNumber ? number : undefined,
    q: isNumber || text === '' ? undefined : text,
  }
}
