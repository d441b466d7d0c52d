/**
 * Schedules: the five fields of cron in a time zone. Pure. A time that a clock change skips moves
 * forward; a time that it repeats counts once.
 */

/** The allowed values of minute, hour, day of the month, month and day of the week. */
export interface Schedule {
  minutes: ReadonlySet<number>
  hours: ReadonlySet<number>
  days: ReadonlySet<number>
  months: ReadonlySet<number>
  weekdays: ReadonlySet<number>
  /** Whether a matching day of the month or of the week is enough, as in cron if both are limited. */
  any_day: boolean
}

const fields = [
  { name: 'minute', from: 0, to: 59, names: [] },
  { name: 'hour', from: 0, to: 23, names: [] },
  { name: 'day of the month', from: 1, to: 31, names: [] },
  {
    name: 'month',
    from: 1,
    to: 12,
    names: ['', ...'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')],
  },
  { name: 'day of the week', from: 0, to: 7, names: 'sun mon tue wed thu fri sat'.split(' ') },
] as const

const DAYS_AHEAD_MAX = 1500

/** Parses a schedule. Returns a sentence about the first fault if it is invalid. */
export function readCron(text: string): Schedule | string {
  const parts = text.trim().toLowerCase().split(/\s+/)
  if (parts.length !== fields.length)
    return 'A schedule has five fields: minute, hour, day of the month, month, day of the week.'
  const sets: Set<number>[] = []
  for (const [index, field] of fields.entries()) {
    const set = readField(parts[index] ?? '', field)
    if (set === null) return `The ${field.name} "${parts[index]}" of the schedule is not valid.`
    sets.push(set)
  }
  const [minutes, hours, days, months, weekdays] = sets as [
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
    Set<number>,
  ]
  if (weekdays.has(7)) weekdays.add(0)
  const any_day = !parts[2]!.startsWith('*') && !parts[4]!.startsWith('*')
  const schedule = { minutes, hours, days, months, weekdays, any_day }
  return nextTime(schedule, 'UTC', new Date(0)) === null
    ? 'The schedule names a day that does not exist.'
    : schedule
}

type Field = (typeof fields)[number]

const partPattern = /^(\*|[a-z0-9]+)(?:-([a-z0-9]+))?(?:\/([0-9]+))?$/

function readField(text: string, field: Field): Set<number> | null {
  const found = new Set<number>()
  for (const part of text.split(',')) {
    const range = readRange(part, field)
    if (range === null) return null
    for (let value = range.from; value <= range.to; value += range.step) found.add(value)
  }
  return found
}

function readRange(part: string, field: Field) {
  const [, first, last, every = '1'] = partPattern.exec(part) ?? []
  if (first === undefined) return null
  const from = first === '*' ? field.from : valueOf(first, field)
  const to = last === undefined ? endOf(part, first, field) : valueOf(last, field)
  const step = Number(every)
  return from === null || to === null || from > to || step < 1 ? null : { from, to, step }
}

/** `*` and a value with a step, such as `5/10`, reach to the last value of the field. */
function endOf(part: string, first: string, field: Field): number | null {
  return first === '*' || part.includes('/') ? field.to : valueOf(first, field)
}

function valueOf(text: string, { from, to, names }: (typeof fields)[number]): number | null {
  const named = (names as readonly string[]).indexOf(text)
  const value = named >= 0 && text !== '' ? named : /^\d+$/.test(text) ? Number(text) : Number.NaN
  return value >= from && value <= to ? value : null
}

/** The first time of the schedule after `after`; null if there is none in the next four years. */
export function nextTime(schedule: Schedule, timezone: string, after: Date): Date | null {
  const start = Temporal.Instant.fromEpochMilliseconds(after.getTime()).toZonedDateTimeISO(timezone)
  let day = start.toPlainDate()
  for (let count = 0; count < DAYS_AHEAD_MAX; count += 1, day = day.add({ days: 1 })) {
    const next = isDay(schedule, day) ? nextOnDay(schedule, day, { timezone, after }) : null
    if (next) return next
  }
  return null
}

function nextOnDay(
  { hours, minutes }: Schedule,
  day: Temporal.PlainDate,
  { timezone, after }: { timezone: string; after: Date },
): Date | null {
  for (const hour of sorted(hours)) {
    for (const minute of sorted(minutes)) {
      const plainTime = new Temporal.PlainTime(hour, minute)
      const { epochMilliseconds } = day.toZonedDateTime({ timeZone: timezone, plainTime })
      if (epochMilliseconds > after.getTime()) return new Date(epochMilliseconds)
    }
  }
  return null
}

function isDay({ days, months, weekdays, any_day }: Schedule, day: Temporal.PlainDate): boolean {
  if (!months.has(day.month)) return false
  const of_month = days.has(day.day)
  const of_week = weekdays.has(day.dayOfWeek % 7)
  return any_day ? of_month || of_week : of_month && of_week
}

function sorted(values: ReadonlySet<number>): number[] {
  return [...values].toSorted((one, other) => one - other)
}
