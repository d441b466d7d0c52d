/** Dates and shares in a language and time zone. */
import { html, type Html } from '../html/html.ts'

export interface Place {
  locale: string
  zone: string
}

const formats = {
  time: {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  },
  day: { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' },
  short_day: { day: 'numeric', month: 'short' },
  month: { month: 'long', year: 'numeric' },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>

/** Kept, because a page has hundreds of dates and a formatter is expensive to make. */
const formatters = new Map<string, Intl.DateTimeFormat>()

function formatterOf(name: keyof typeof formats, { locale, zone }: Place): Intl.DateTimeFormat {
  const key = `${name} ${locale} ${zone}`
  const known = formatters.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat(locale, { ...formats[name], timeZone: zone })
  formatters.set(key, made)
  return made
}

/** Such as `3 Nov 2026, 10:04 CET`. */
export function renderTime(iso: string, place: Place): Html {
  const text = formatterOf('time', place).format(new Date(iso))
  return html`<time datetime="${iso}">${text}</time>`
}

/** Such as `Tuesday 3 November 2026`. */
export function writeDay(day: string, locale: string): string {
  return formatterOf('day', { locale, zone: 'UTC' }).format(noon(day))
}

/** Such as `3 Nov`. */
export function writeShortDay(day: string, locale: string): string {
  return formatterOf('short_day', { locale, zone: 'UTC' }).format(noon(day))
}

/** Such as `November 2026`. */
export function writeMonth(month: string, locale: string): string {
  const text = formatterOf('month', { locale, zone: 'UTC' }).format(noon(`${month}-15`))
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function noon(day: string): Date {
  return new Date(`${day}T12:00:00Z`)
}

const numbers = new Map<string, Intl.NumberFormat>()

export function writeNumber(value: number, locale: string): string {
  const format = numbers.get(locale) ?? new Intl.NumberFormat(locale, { maximumFractionDigits: 2 })
  numbers.set(locale, format)
  return format.format(value)
}

/** Rounds down, so that 100 % means that nothing failed. */
export function writeShare(share: number, locale: string): string {
  return `${writeNumber(Math.floor(share * 10_000) / 100, locale)} %`
}

export function dayIn(iso: string, zone: string): string {
  return Temporal.Instant.from(iso).toZonedDateTimeISO(zone).toPlainDate().toString()
}
