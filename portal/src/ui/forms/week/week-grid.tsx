/** The hours of a week: each day as a line to drag on, and as inputs for the times. */
import { Copy, Plus, X } from 'lucide-react'
import { Button } from '../../actions/button.tsx'
import { Menu, MenuItem } from '../../actions/menu.tsx'
import { Badge } from '../../display/badge.tsx'
import {
  DAY_MINUTES,
  days,
  isOvernight,
  nextSpan,
  overlaps,
  sorted,
  spanFrom,
  STEP_MINUTES,
  timeOf,
  withEnd,
  type Day,
  type Span,
  type Week,
} from './spans.ts'
import { TimeInput } from './time-input.tsx'
import { Timeline, type TimelineTexts } from './timeline.tsx'

export interface WeekTexts extends TimelineTexts {
  days: Readonly<Record<Day, string>>
  closed: string
  next_day: string
  overlap: string
  add_first: string
  /** The label of the button that adds a span; it begins with the text `add_first`. */
  add(day: string): string
  remove(span: string): string
  /** The label of the button that copies a day, and of its choices. */
  copy(day: string): string
  copy_weekdays: string
  copy_all: string
  copy_to(day: string): string
}

export interface WeekGridProps {
  week: Week
  texts: WeekTexts
  disabled?: boolean
  onChange(week: Week): void
}

const weekdays: readonly Day[] = ['mon', 'tue', 'wed', 'thu', 'fri']

export function WeekGrid({ week, texts, disabled = false, onChange }: WeekGridProps) {
  const copy = (from: Day, to: readonly Day[]) =>
    onChange(to.reduce((next, day) => ({ ...next, [day]: week[from] }), week))
  return (
    <div>
      <Hours />
      <ul className="flex flex-col divide-y divide-line">
        {days.map((day, index) => (
          <DayRow
            key={day}
            day={day}
            spans={week[day]}
            continues={endingOn(week, days[(index + 6) % 7] ?? 'sun')}
            texts={texts}
            disabled={disabled}
            onChange={(spans) => onChange({ ...week, [day]: spans })}
            onCopy={(to) => copy(day, to)}
          />
        ))}
      </ul>
    </div>
  )
}

/** Returns the minutes of the next day until which the last span of a day continues. */
function endingOn(week: Week, before: Day): number {
  return Math.max(0, ...week[before].map(({ end }) => end - DAY_MINUTES))
}

/** The time scale above the lines. */
function Hours() {
  return (
    <div
      aria-hidden="true"
      className="mb-1 grid grid-cols-[7.5rem_1fr_2.25rem] gap-x-4 max-sm:hidden"
    >
      <span />
      <div className="relative h-4 text-xs text-faint tabular-nums">
        {[0, 6, 12, 18, 24].map((hour) => (
          <span
            key={hour}
            className="absolute -translate-x-1/2 whitespace-nowrap first:translate-x-0 last:-translate-x-full"
            style={{ left: `${(hour / 24) * 100}%` }}
          >
            {timeOf(hour * 60)}
          </span>
        ))}
      </div>
    </div>
  )
}

interface DayRowProps {
  day: Day
  spans: readonly Span[]
  continues: number
  texts: WeekTexts
  disabled: boolean
  onChange(spans: readonly Span[]): void
  onCopy(to: readonly Day[]): void
}

function DayRow(props: DayRowProps) {
  const { day, spans, continues, texts, disabled, onChange, onCopy } = props
  const name = texts.days[day]
  return (
    <li className="grid grid-cols-[1fr_2.25rem] items-center gap-x-4 gap-y-2.5 py-3 sm:grid-cols-[7.5rem_1fr_2.25rem]">
      <span className="font-medium">{name}</span>
      <div className="max-sm:order-last max-sm:hidden">
        <Timeline
          label={name}
          spans={spans}
          continues={continues}
          disabled={disabled}
          texts={texts}
          onChange={onChange}
        />
      </div>
      {!disabled && <CopyMenu day={day} texts={texts} onCopy={onCopy} />}
      <div className="col-span-full sm:col-span-2 sm:col-start-2">
        <Times name={name} spans={spans} texts={texts} disabled={disabled} onChange={onChange} />
      </div>
    </li>
  )
}

interface TimesProps {
  name: string
  spans: readonly Span[]
  texts: WeekTexts
  disabled: boolean
  onChange(spans: readonly Span[]): void
}

function Times({ name, spans, texts, disabled, onChange }: TimesProps) {
  const next = nextSpan(spans)
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      {spans.length === 0 && <span className="text-sm text-muted">{texts.closed}</span>}
      {spans.map((span, index) => (
        <SpanFields
          key={index}
          name={name}
          span={span}
          texts={texts}
          disabled={disabled}
          onChange={(changed) => onChange(spans.with(index, changed))}
          onRemove={() => onChange(spans.toSpliced(index, 1))}
        />
      ))}
      {!disabled && next !== null && (
        <Button
          size="sm"
          kind="ghost"
          aria-label={texts.add(name)}
          onClick={() => onChange(sorted([...spans, next]))}
        >
          <Plus aria-hidden="true" />
          {spans.length === 0 && texts.add_first}
        </Button>
      )}
      {overlaps(spans) && <Badge tone="warn">{texts.overlap}</Badge>}
    </div>
  )
}

interface SpanFieldsProps {
  name: string
  span: Span
  texts: WeekTexts
  disabled: boolean
  onChange(span: Span): void
  onRemove(): void
}

function SpanFields({ name, span, texts, disabled, onChange, onRemove }: SpanFieldsProps) {
  const { start, end } = span
  const shown = `${name} ${timeOf(start)}–${timeOf(end)}`
  const until = isOvernight(span) ? end - DAY_MINUTES : end
  return (
    <span className="flex items-center gap-1.5">
      <TimeInput
        label={`${shown}, ${texts.opens}`}
        value={start}
        disabled={disabled}
        onChange={(value) => {
          const from = Math.min(value, DAY_MINUTES - STEP_MINUTES)
          onChange(withEnd({ start: from, end }, spanFrom(from, until).end))
        }}
      />
      <span aria-hidden="true" className="text-faint">
        –
      </span>
      <TimeInput
        label={`${shown}, ${texts.closes}`}
        value={until}
        disabled={disabled}
        onChange={(value) => onChange(withEnd(span, spanFrom(start, value).end))}
      />
      {isOvernight(span) && <span className="text-xs text-muted">{texts.next_day}</span>}
      {!disabled && (
        <Button
          kind="ghost"
          size="icon"
          className="size-8!"
          aria-label={texts.remove(shown)}
          onClick={onRemove}
        >
          <X aria-hidden="true" />
        </Button>
      )}
    </span>
  )
}

function CopyMenu({ day, texts, onCopy }: Pick<DayRowProps, 'day' | 'texts' | 'onCopy'>) {
  const others = days.filter((other) => other !== day)
  return (
    <Menu
      align="end"
      trigger={
        <Button kind="ghost" size="icon" aria-label={texts.copy(texts.days[day])}>
          <Copy aria-hidden="true" />
        </Button>
      }
    >
      <MenuItem onSelect={() => onCopy(weekdays)}>{texts.copy_weekdays}</MenuItem>
      <MenuItem onSelect={() => onCopy(days)}>{texts.copy_all}</MenuItem>
      {others.map((other) => (
        <MenuItem key={other} onSelect={() => onCopy([other])}>
          {texts.copy_to(texts.days[other])}
        </MenuItem>
      ))}
    </Menu>
  )
}
