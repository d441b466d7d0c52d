/**
 * Opening hours in a plan. Converts a node's own schedule to the format of the assistant's hours,
 * so one injected calculation serves both; exceptions on dates, which that format lacks, are
 * applied here first.
 */
import assert from 'node:assert/strict'
import type { OpeningHours } from '../nodes/node-schemas.ts'
import type { Schedule } from '../nodes/schedule-schema.ts'

const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
type Day = (typeof days)[number]

export interface Hours {
  timezone: string
  /** Times as HH:MM in that zone; a `to` that is not later than `from` is on the next day. */
  opening_hours: readonly { day: Day; from: string; to: string }[]
  closures: readonly { date: string; reason: string | null }[]
}

/** Whether a business with these hours is open at a moment (ISO 8601). */
export type IsOpen = (hours: Hours, at: string) => boolean

export interface Opening {
  /** The assistant's hours; null means always open. */
  assistant_hours: Hours | null
  /** The start of the call, ISO 8601. */
  at: string
  isOpen: IsOpen
}

/**
 * Returns the edge to take. A business that is closed on a date of the exceptions or closures has a
 * holiday.
 */
export function chooseOpeningEdge(node: OpeningHours, opening: Opening): string {
  const { at, isOpen } = opening
  const own = node.source === 'custom' ? node.schedule : undefined
  assert(own !== undefined || node.source === 'assistant', 'A custom source has a schedule.')
  const hours = own ? hoursAt(own, at) : opening.assistant_hours
  if (hours === null || isOpen(hours, at)) return node.onOpen
  const special = own ? (own.exceptions ?? []) : hours.closures
  const today = dateAt(hours.timezone, at).toString()
  const holiday = special.some(({ date }) => date === today)
  return holiday && node.onHoliday !== undefined ? node.onHoliday : node.onClosed
}

/**
 * Returns the schedule at a moment: an exception replaces the weekday that it falls on. The day
 * before is included, because its hours may end after midnight.
 */
function hoursAt({ timezone, week, exceptions = [] }: Schedule, at: string): Hours {
  const today = dateAt(timezone, at)
  const exceptional = new Map(
    [today.subtract({ days: 1 }), today].flatMap((date) => {
      const exception = exceptions.find((one) => one.date === date.toString())
      return exception ? [[date.dayOfWeek, exception]] : []
    }),
  )
  const opening_hours = days.flatMap((day, index) => {
    const exception = exceptional.get(index + 1)
    const ranges = exception ? exceptionalRanges(exception) : (week[day] ?? [])
    return ranges.map(({ from, to }) => ({ day, from, to }))
  })
  return { timezone, opening_hours, closures: [] }
}

type Exception = NonNullable<Schedule['exceptions']>[number]

function exceptionalRanges({ closed, ranges = [] }: Exception) {
  return closed ? [] : ranges
}

function dateAt(timezone: string, at: string): Temporal.PlainDate {
  return Temporal.Instant.from(at).toZonedDateTimeISO(timezone).toPlainDate()
}

/** Offsets such as +01:00 are refused, because they ignore daylight saving time. */
export function isTimezone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    dateAt(name, '2000-01-01T00:00:00Z')
    return true
  } catch {
    return false
  }
}

export function isCalendarDate(text: string): boolean {
  try {
    return Temporal.PlainDate.from(text).toString() === text
  } catch {
    return false
  }
}
