/**
 * Opening hours of a week in minutes. A span belongs to the day on which it starts; one that ends
 * after midnight ends beyond 1,440.
 */
export const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Day = (typeof days)[number]

export const DAY_MINUTES = 1_440
export const STEP_MINUTES = 15

export interface Span {
  start: number
  end: number
}

export type Week = Readonly<Record<Day, readonly Span[]>>

export interface DayRange {
  day: Day
  from: string
  to: string
}

/** Returns the minutes after midnight of a time such as `09:30`. */
function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

/**
 * Formats minutes as a time. `24:00` is the end of a day; later minutes are those of the next day.
 */
export function timeOf(minutes: number): string {
  const inDay = minutes > DAY_MINUTES ? minutes - DAY_MINUTES : minutes
  const text = (value: number) => String(value).padStart(2, '0')
  return `${text(Math.floor(inDay / 60))}:${text(inDay % 60)}`
}

/** Parses a typed time: `9`, `930`, `9:30`, `9.30`, `17:00`, `24:00`; null if it is invalid. */
export function readTime(text: string): number | null {
  const [, hours = '', minutes = '00'] =
    /^(\d{1,2})(?:[:.h]?([0-5]\d))?h?$/.exec(text.trim().toLowerCase()) ?? []
  if (hours === '') return null
  const total = Number(hours) * 60 + Number(minutes)
  return total <= DAY_MINUTES ? total : null
}

export function weekOf(ranges: readonly DayRange[]): Week {
  const spansOn = (day: Day) =>
    ranges
      .filter((range) => range.day === day)
      .map(({ from, to }) => spanFrom(minutesOf(from), minutesOf(to)))
  return {
    mon: spansOn('mon'),
    tue: spansOn('tue'),
    wed: spansOn('wed'),
    thu: spansOn('thu'),
    fri: spansOn('fri'),
    sat: spansOn('sat'),
    sun: spansOn('sun'),
  }
}

export function rangesOf(week: Week): DayRange[] {
  return days.flatMap((day) =>
    week[day].map(({ start, end }) => ({ day, from: timeOf(start), to: timeOf(end) })),
  )
}

/** Returns a span. An end before the start is on the next day. */
export function spanFrom(start: number, end: number): Span {
  return { start, end: end <= start ? end + DAY_MINUTES : end }
}

export function sorted(spans: readonly Span[]): Span[] {
  return spans.toSorted((one, other) => one.start - other.start || one.end - other.end)
}

export function overlaps(spans: readonly Span[]): boolean {
  return sorted(spans).some(({ start }, index, all) => {
    const before = all[index - 1]
    return before !== undefined && start < before.end
  })
}

export function isOvernight({ end }: Span): boolean {
  return end > DAY_MINUTES
}

/** Returns a span to add: after the last one of the day, or else usual working hours. */
export function nextSpan(spans: readonly Span[]): Span | null {
  const last = sorted(spans).at(-1)
  if (last === undefined) return { start: 540, end: 1_020 }
  const start = last.end + 60
  return start + 60 > DAY_MINUTES ? null : { start, end: Math.min(start + 240, DAY_MINUTES) }
}

/** Moves a span within its day. */
export function moved({ start, end }: Span, by: number): Span {
  const length = end - start
  const next = Math.min(Math.max(start + by, 0), Math.max(DAY_MINUTES - length, 0))
  return { start: next, end: next + length }
}

export function withStart({ end }: Span, start: number): Span {
  return { start: Math.min(Math.max(start, 0), Math.min(end, DAY_MINUTES) - STEP_MINUTES), end }
}

/** Changes the end of a span. It may be on the next day, at most 24 hours after the start. */
export function withEnd({ start }: Span, end: number): Span {
  const last = start + DAY_MINUTES - STEP_MINUTES
  return { start, end: Math.min(Math.max(end, start + STEP_MINUTES), last) }
}
