/**
 * Times as workbooks keep them: days since the end of 1899, with the time of day as a fraction and
 * no time zone. Ours are in UTC. Before March 1900 the count of Excel is wrong by a day (it knows a
 * 29 February 1900), so times before then stay texts.
 */
const DAY_MS = 86_400_000
const EPOCH_DAYS = 25_569
const DAYS_FROM_1904 = 1462
const SERIAL_MIN = 61
/** The first day of the year 10,000. */
const SERIAL_END = 2_958_466

const datePattern = /^\d{4}-\d\d-\d\d$/
const timePattern = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d{1,3})?(?:[Zz]|[+-]\d\d:\d\d)$/

/** The number of days for a date or a time as JSON has it, or null when there is none for it. */
export function serialOf(text: string, format: 'date' | 'date-time'): number | null {
  if (!(format === 'date' ? datePattern : timePattern).test(text)) return null
  const ms = Date.parse(text)
  const serial = ms / DAY_MS + EPOCH_DAYS
  if (!(serial >= SERIAL_MIN && serial < SERIAL_END)) return null
  return isDay(text.slice(0, 10)) ? serial : null
}

/** Date.parse takes 30 February for 2 March; what is no day of a calendar stays a text. */
function isDay(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number)
  return new Date(Date.UTC(year, month - 1, day)).toISOString().startsWith(text)
}

export interface SerialReading {
  /** What to make of it; by default a date when it is a whole number of days. */
  format?: 'date' | 'date-time' | null
  since_1904?: boolean
}

export function readSerial(serial: number, { format, since_1904 }: SerialReading): string | null {
  const days = serial + (since_1904 ? DAYS_FROM_1904 : 0)
  if (!(days >= SERIAL_MIN && days < SERIAL_END)) return null
  const text = new Date(Math.round((days - EPOCH_DAYS) * DAY_MS)).toISOString()
  const kind = format ?? (Number.isInteger(serial) ? 'date' : 'date-time')
  return kind === 'date' ? text.slice(0, 10) : text.replace('.000Z', 'Z')
}
