/**
 * Serial dates of workbooks: days since the end of 1899, with the time of day as a fraction,
 * without a zone (UTC here). Excel treats 1900 as a leap year, so dates before March 1900 stay
 * text.
 */
const DAY_MS = 86_400_000
const EPOCH_DAYS = 25_569
const DAYS_FROM_1904 = 1462
const SERIAL_MIN = 61
/** 10000-01-01. */
const SERIAL_END = 2_958_466

const datePattern = /^\d{4}-\d\d-\d\d$/
const timePattern = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d{1,3})?(?:[Zz]|[+-]\d\d:\d\d)$/

/** Returns the serial number of a JSON date or time; null if there is none. */
export function serialFromText(text: string, format: 'date' | 'date-time'): number | null {
  if (!(format === 'date' ? datePattern : timePattern).test(text)) return null
  const ms = Date.parse(text)
  const serial = ms / DAY_MS + EPOCH_DAYS
  if (!(serial >= SERIAL_MIN && serial < SERIAL_END)) return null
  return isDay(text.slice(0, 10)) ? serial : null
}

/** Returns whether the day exists; Date.parse reads 30 February as 2 March. */
function isDay(text: string): boolean {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number)
  return new Date(Date.UTC(year, month - 1, day)).toISOString().startsWith(text)
}

/**
 * Returns a fraction of a day as `09:00`, or `09:00:30` if it has seconds; null for a negative number. A
 * duration may have more than 23 hours.
 */
export function clockFromSerial(serial: number): string | null {
  if (!(serial >= 0 && serial < SERIAL_END)) return null
  const ms = Math.round(serial * DAY_MS)
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0')
  const [hours, minutes] = [two(ms / 3_600_000), two((ms / 60_000) % 60)]
  const fraction = ms % 1000 === 0 ? '' : `.${String(ms % 1000).padStart(3, '0')}`
  const seconds = ms % 60_000 === 0 ? '' : `:${two((ms / 1000) % 60)}${fraction}`
  return `${hours}:${minutes}${seconds}`
}

export interface SerialReading {
  /** Default: a date if the serial number is an integer, else a date-time. */
  format?: 'date' | 'date-time' | null
  since_1904?: boolean
}

export function textFromSerial(
  serial: number,
  { format, since_1904 }: SerialReading,
): string | null {
  const days = serial + (since_1904 ? DAYS_FROM_1904 : 0)
  if (!(days >= SERIAL_MIN && days < SERIAL_END)) return null
  const text = new Date(Math.round((days - EPOCH_DAYS) * DAY_MS)).toISOString()
  const kind = format ?? (Number.isInteger(serial) ? 'date' : 'date-time')
  return kind === 'date' ? text.slice(0, 10) : text.replace('.000Z', 'Z')
}
