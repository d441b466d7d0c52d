/**
 * Opening hours as pure arithmetic. A range belongs to the day of its start: it may continue past
 * midnight, and a closure cancels the ranges that start on its date. Ranges become instants in the
 * business's time zone, so summer time changes their length.
 */
export const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Day = (typeof days)[number]

/**
 * `from` and `to` are `HH:MM`. `24:00` is the end of the day; a `to` before `from` is on the next
 * day.
 */
export interface OpenRange {
  day: Day
  from: string
  to: string
}

export interface Closure {
  date: string
  reason?: string | null
}

export interface BusinessHours {
  timezone: string
  opening_hours: readonly OpenRange[]
  closures: readonly Closure[]
}

export interface DayHours {
  date: string
  day: Day
  /** Sorted and merged; empty if the business is closed that day. */
  ranges: { from: string; to: string }[]
  closure: Closure | null
}

interface Span {
  start_ms: number
  end_ms: number
}

/** A business that stays open for this many days counts as always open. */
const ALWAYS_DAYS = 8
/** How many days ahead an opening is searched: the maximum number of closures plus a week. */
const SEARCH_DAYS = 373

/** The date of an instant in the business's time zone. */
export function toLocalDate(hours: BusinessHours, at: Date): Temporal.PlainDate {
  return zonedAt(hours, at.getTime()).toPlainDate()
}

/** Date and time of an instant in the business's time zone. */
export function toLocalTime(hours: BusinessHours, at: Date): { date: string; time: string } {
  const zoned = zonedAt(hours, at.getTime())
  const time = zoned.toPlainTime().toString({ smallestUnit: 'minute' })
  return { date: zoned.toPlainDate().toString(), time }
}

/** Returns the ranges and the closure of a date. */
export function findHoursOn(hours: BusinessHours, date: Temporal.PlainDate): DayHours {
  const day = dayOf(date)
  const closure = closureOn(hours, date)
  const ranges = closure === null ? hours.opening_hours.filter((range) => range.day === day) : []
  return { date: date.toString(), day, ranges: joinRanges(ranges), closure }
}

export function isOpen(hours: BusinessHours, at: Date): boolean {
  return spanAt(hours, at.getTime()) !== null
}

/**
 * Returns the next closing time; null if the business is closed, or does not close within
 * ALWAYS_DAYS.
 */
export function findNextClosing(hours: BusinessHours, at: Date): Date | null {
  const limit_ms = at.getTime() + ALWAYS_DAYS * 86_400_000
  let end_ms = spanAt(hours, at.getTime())?.end_ms
  // A range that starts at the end of another continues it.
  for (let next = end_ms; next !== undefined && next < limit_ms;) {
    end_ms = next
    next = spanAt(hours, end_ms)?.end_ms
    if (next === undefined) return new Date(end_ms)
  }
  return null
}

/**
 * Returns the next opening time, if it is open the one after the next closing. Returns null if
 * there is none within SEARCH_DAYS.
 */
export function findNextOpening(hours: BusinessHours, at: Date): Date | null {
  const from = isOpen(hours, at) ? findNextClosing(hours, at) : at
  if (from === null) return null
  const from_ms = from.getTime()
  let date = toLocalDate(hours, from).subtract({ days: 1 })
  for (let day = 0; day < SEARCH_DAYS; day += 1, date = date.add({ days: 1 })) {
    const starts = spansOf(hours, date).map((span) => span.start_ms)
    const coming = starts.filter((start_ms) => start_ms >= from_ms)
    if (coming.length > 0) return new Date(Math.min(...coming))
  }
  return null
}

/** Returns the span that contains an instant; of overlapping ones, the one that ends last. */
function spanAt(hours: BusinessHours, at_ms: number): Span | null {
  const today = zonedAt(hours, at_ms).toPlainDate()
  const spans = [...spansOf(hours, today.subtract({ days: 1 })), ...spansOf(hours, today)]
  const here = spans.filter((span) => span.start_ms <= at_ms && at_ms < span.end_ms)
  return here.toSorted((a, b) => b.end_ms - a.end_ms)[0] ?? null
}

function spansOf(hours: BusinessHours, date: Temporal.PlainDate): Span[] {
  if (closureOn(hours, date) !== null) return []
  const day = dayOf(date)
  const spans = hours.opening_hours
    .filter((range) => range.day === day)
    .map(({ from, to }) => ({
      start_ms: instantOf(hours, date, from),
      end_ms: instantOf(hours, to > from ? date : date.add({ days: 1 }), to),
    }))
  // A short range can lie entirely in the hour that a change to summer time skips.
  return spans.filter((span) => span.start_ms < span.end_ms)
}

function instantOf({ timezone }: BusinessHours, date: Temporal.PlainDate, time: string): number {
  const is_end_of_day = time === '24:00'
  const on = is_end_of_day ? date.add({ days: 1 }) : date
  const at = Temporal.PlainTime.from(is_end_of_day ? '00:00' : time)
  return on.toPlainDateTime(at).toZonedDateTime(timezone).epochMilliseconds
}

function zonedAt({ timezone }: BusinessHours, at_ms: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at_ms).toZonedDateTimeISO(timezone)
}

function closureOn(hours: BusinessHours, date: Temporal.PlainDate): Closure | null {
  const text = date.toString()
  return hours.closures.find((closure) => closure.date === text) ?? null
}

function dayOf(date: Temporal.PlainDate): Day {
  return days[date.dayOfWeek - 1] ?? 'mon'
}

function joinRanges(ranges: readonly OpenRange[]): { from: string; to: string }[] {
  const joined: { from: string; to: string }[] = []
  for (const { from, to } of ranges.toSorted((a, b) => (a.from < b.from ? -1 : 1))) {
    const last = joined.at(-1)
    // A range past midnight stays as written and is not merged.
    const is_plain = last !== undefined && last.from < last.to && from < to
    if (is_plain && from <= last.to) last.to = to > last.to ? to : last.to
    else joined.push({ from, to })
  }
  return joined
}
