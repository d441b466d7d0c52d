/** Formats money, dates and durations in the person's language. */
import { useLanguage, type Language } from './texts.ts'

const locales: Readonly<Record<Language, string>> = { en: 'en-GB', nl: 'nl-NL' }
const steps: readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

const DAY_MS = 86_400_000
/** Any Sunday. */
const SUNDAY_MS = Date.UTC(2026, 2, 1)

export interface Format {
  euro(amount: number): string
  /** Formats a small amount with up to four decimals, such as the cost of a reply. */
  cost(amount: number): string
  /** Formats a time, such as `12 Mar 2026, 14:05`. */
  moment(timestamp: string): string
  date(timestamp: string): string
  /** Formats the time of day, such as `14:05`. */
  time(timestamp: string): string
  /** Formats a UTC date such as `2026-03-12` as `12 Mar`. */
  day(date: string): string
  /** Formats a relative time, such as `3 hours ago` or `in 2 days`. */
  ago(timestamp: string): string
  /** Formats a month such as `2026-03` as `Mar`. */
  month(month: string): string
  /** The same with its year, as `March 2026`. */
  monthAndYear(month: string): string
  /** The name of a day of the week, 0 for Sunday. */
  weekday(day: number): string
  number(value: number): string
  /** Formats a size, such as `1.2 MB`. */
  bytes(value: number): string
  /** As limits are stated: a MB has 1,024 kB. */
  limitBytes(value: number): string
}

const formats: Partial<Record<Language, Format>> = {}

export function useFormat(): Format {
  const language = useLanguage()
  return (formats[language] ??= createFormat(locales[language]))
}

function createFormat(locale: string): Format {
  const euro = new Intl.NumberFormat(locale, { style: 'currency', currency: 'EUR' })
  const cost = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: 'EUR',
    maximumFractionDigits: 4,
  })
  const number = new Intl.NumberFormat(locale)
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short' })
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
  const day = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' })
  const month = new Intl.DateTimeFormat(locale, { month: 'short', timeZone: 'UTC' })
  const monthAndYear = new Intl.DateTimeFormat(locale, {
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  })
  const weekday = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' })
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  return {
    euro: (amount) => euro.format(amount),
    cost: (amount) => cost.format(amount),
    number: (value) => number.format(value),
    bytes: (value) => bytesText(value, locale, 1000),
    limitBytes: (value) => bytesText(value, locale, 1024),
    moment: (timestamp) => moment.format(new Date(timestamp)),
    day: (text) => day.format(new Date(`${text}T00:00:00Z`)),
    time: (timestamp) => time.format(new Date(timestamp)),
    date: (timestamp) => date.format(new Date(timestamp)),
    monthAndYear: (text) => monthAndYear.format(new Date(`${text}-01T00:00:00Z`)),
    month: (text) => month.format(new Date(`${text}-01T00:00:00Z`)),
    weekday: (number) => weekday.format(SUNDAY_MS + number * DAY_MS),
    ago(timestamp) {
      const seconds = (Date.parse(timestamp) - Date.now()) / 1000
      const [unit, size] = steps.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1]
      if (unit === 'second') return relative.format(0, 'second')
      return relative.format(Math.round(seconds / size), unit)
    },
  }
}

const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

function bytesText(value: number, locale: string, base: 1000 | 1024): string {
  const thousands = base === 1000 ? Math.log10(value) / 3 : Math.log2(value) / 10
  const power = value < base ? 0 : Math.min(Math.floor(thousands), byteUnits.length - 1)
  const unit = byteUnits[power] ?? 'terabyte'
  const format = {
    style: 'unit',
    unit,
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power === 0 ? 0 : 1,
  } as const
  return new Intl.NumberFormat(locale, format).format(value / base ** power)
}
