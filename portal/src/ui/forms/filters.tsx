/** The filters above a list. */
import { useState } from 'react'
import { defineTexts } from '../../language/texts.ts'
import { Select } from './select.tsx'
import type { SelectProps } from './select-parts.tsx'

const useFiltersTexts = defineTexts('filters', {
  en: { day: 'Last 24 hours', week: 'Last 7 days', month: 'Last 30 days' },
  nl: { day: 'Laatste 24 uur', week: 'Laatste 7 dagen', month: 'Laatste 30 dagen' },
})

const DAY_MS = 86_400_000
const periods = { day: 1, week: 7, month: 30 } as const
type Period = keyof typeof periods

export type PartOf<Filter> = { [Name in keyof Filter]?: Filter[Name] | undefined }

/** The filter with a part of it replaced; undefined removes a member. */
export function withPart<Filter extends object>(filter: Filter, part: PartOf<Filter>): Filter {
  const entries = Object.entries({ ...filter, ...part })
  return Object(Object.fromEntries(entries.filter(([, value]) => value !== undefined)))
}

export interface FilterSelectProps<Value extends string> {
  label: string
  /** The text of no filter. */
  all: string
  value: Value | undefined
  onChange(value: NoInfer<Value> | undefined): void
  choices: SelectProps<NoInfer<Value>>['choices']
}

export function FilterSelect<Value extends string>(props: FilterSelectProps<Value>) {
  const { label, all, value, onChange, choices } = props
  return (
    <Select<Value | 'all'>
      label={label}
      value={value ?? 'all'}
      onChange={(next) => onChange(choices.find((choice) => choice.value === next)?.value)}
      choices={[{ value: 'all', text: all }, ...choices]}
    />
  )
}

export interface PeriodSelectProps {
  label: string
  all: string
  /** The start of the period; undefined for all time. */
  from: string | undefined
  onChange(from: string | undefined): void
}

export function PeriodSelect({ label, all, from, onChange }: PeriodSelectProps) {
  const t = useFiltersTexts()
  const [period, setPeriod] = useState<Period>()
  return (
    <FilterSelect<Period>
      label={label}
      all={all}
      value={from === undefined ? undefined : period}
      onChange={(next) => {
        setPeriod(next)
        onChange(next && new Date(Date.now() - periods[next] * DAY_MS).toISOString())
      }}
      choices={(['day', 'week', 'month'] as const).map((value) => ({ value, text: t(value) }))}
    />
  )
}
