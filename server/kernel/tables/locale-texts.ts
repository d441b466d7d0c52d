/**
 * The texts that a locale uses in amounts and dates, taken from Intl: digits, currencies, names of
 * months, words around dates, and the order of their parts.
 */

export interface LocaleTexts {
  tag: string
  /** The decimal mark of numbers; that of amounts differs in few locales, such as fr-CH. */
  decimal: '.' | ','
  money_decimal: '.' | ','
  order: readonly DatePart[]
  calendar: string
  /** Digits of the locale other than 0 to 9. */
  digits: ReadonlyMap<string, string>
  currencies: ReadonlySet<string>
  words: ReadonlyMap<string, Word>
}

type DatePart = 'day' | 'month' | 'year'
/** The meaning of a word in a date or time; 'other' has none, such as a weekday. */
export type Word = { month: number } | { half: 'am' | 'pm' } | 'other'

const CACHED_MAX = 50
const cached = new Map<string, LocaleTexts | null>()

/** Returns the texts of a BCP 47 tag such as nl-NL; null if the tag is invalid or unknown. */
export function localeTextsOf(tag: string): LocaleTexts | null {
  let texts = cached.get(tag)
  if (texts === undefined) {
    texts = isKnown(tag) ? readTexts(tag) : null
    if (cached.size >= CACHED_MAX) cached.clear()
    cached.set(tag, texts)
  }
  return texts
}

function isKnown(tag: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(tag).length > 0
  } catch {
    return false
  }
}

function readTexts(tag: string): LocaleTexts {
  const { calendar, numberingSystem } = new Intl.DateTimeFormat(tag).resolvedOptions()
  const short = new Intl.DateTimeFormat(tag, { calendar: 'gregory', dateStyle: 'short' })
  const order = short
    .formatToParts(0)
    .flatMap(({ type }) => (type === 'day' || type === 'month' || type === 'year' ? [type] : []))
  const format = new Intl.NumberFormat(tag, { useGrouping: false, numberingSystem })
  const digits = Array.from('0123456789', (digit) => [format.format(Number(digit)), digit] as const)
  return {
    tag,
    decimal: decimalOf(tag, {}),
    money_decimal: decimalOf(tag, { style: 'currency', currency: 'EUR' }),
    order,
    calendar,
    digits: new Map(digits.filter(([own, digit]) => own !== digit)),
    currencies: currenciesOf(tag),
    words: wordsOf(tag, calendar),
  }
}

function decimalOf(tag: string, style: Intl.NumberFormatOptions): '.' | ',' {
  const parts = new Intl.NumberFormat(tag, { ...style, numberingSystem: 'latn' }).formatToParts(1.5)
  return parts.some(({ type, value }) => type === 'decimal' && value === ',') ? ',' : '.'
}

/** Currencies whose names are accepted too. Formatting the names of all would take 0.1 seconds. */
const named = [
  'AUD',
  'CAD',
  'CHF',
  'CZK',
  'DKK',
  'EUR',
  'GBP',
  'HUF',
  'JPY',
  'NOK',
  'PLN',
  'SEK',
  'USD',
]

function currenciesOf(tag: string): Set<string> {
  const found = new Set<string>()
  const add = (currency: string, currencyDisplay: 'symbol' | 'narrowSymbol' | 'name') => {
    const format = new Intl.NumberFormat(tag, { style: 'currency', currency, currencyDisplay })
    for (const amount of currencyDisplay === 'name' ? [0, 1, 2, 5, 1.5] : [1]) {
      for (const { type, value } of format.formatToParts(amount)) {
        if (type === 'currency') found.add(keyOf(value, tag))
      }
    }
  }
  for (const currency of Intl.supportedValuesOf('currency')) {
    add(currency, 'symbol')
    add(currency, 'narrowSymbol')
  }
  for (const currency of named) add(currency, 'name')
  return found
}

const dateStyles = ['full', 'long', 'medium', 'short'] as const
const timeStyles = [undefined, 'short', 'medium'] as const
/** Days of each month of any calendar, of a week, and each hour of a day. */
const samples = [
  ...Array.from({ length: 24 }, (_, at) => Date.UTC(2024, at / 2, at % 2 === 0 ? 10 : 25)),
  ...Array.from({ length: 24 }, (_, hour) => Date.UTC(2024, 0, (hour % 7) + 1, hour)),
]

const wordFormats: Intl.DateTimeFormatOptions[] = [
  {},
  { hour: 'numeric', hour12: true },
  { dateStyle: 'long', timeStyle: 'short', hour12: true },
  { month: 'long' },
  { month: 'short' },
  ...dateStyles.flatMap((dateStyle) =>
    timeStyles.map((timeStyle) => ({ dateStyle, ...(timeStyle && { timeStyle }) })),
  ),
]

function wordsOf(tag: string, calendar: string): Map<string, Word> {
  const words = new Map<string, Word>()
  for (const options of wordFormats) {
    const format = new Intl.DateTimeFormat(tag, { ...options, timeZone: 'UTC' })
    for (const time of samples) {
      const date = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO('UTC')
      const found = format.formatToParts(time).flatMap((part) => {
        const [longest, ...others] = wordsIn(part.value).toSorted((a, b) => b.length - a.length)
        if (longest === undefined) return []
        const meaning = meaningOf(part, date.withCalendar(calendar))
        const known: [string, Word][] = others.map((word) => [word, 'other'])
        return [...known, [longest, meaning] as const]
      })
      for (const [word, meaning] of found) addWord(words, keyOf(word, tag), meaning)
    }
  }
  for (const half of ['am', 'pm'] as const) words.set(half, { half })
  return words
}

/** A month may be `12月`, whose word means nothing. */
function meaningOf(
  { type, value }: Intl.DateTimeFormatPart,
  { hour, month }: Temporal.ZonedDateTime,
): Word {
  if (type === 'dayPeriod') return { half: hour < 12 ? 'am' : 'pm' }
  return type === 'month' && !/\p{Nd}/u.test(value) ? { month } : 'other'
}

function addWord(words: Map<string, Word>, key: string, meaning: Word): void {
  if (meaning !== 'other' || !words.has(key)) words.set(key, meaning)
}

/** A word may have dots, such as `p. m.`; it has no digits. */
export function wordsIn(text: string): string[] {
  return text.match(/[\p{L}\p{M}\u200c]+(?:\.\s?[\p{L}\p{M}\u200c]+)*/gu) ?? []
}

/** Normalizes a word or currency: without case, dots, spaces and invisible marks. */
export function keyOf(text: string, tag: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/[.\s\p{Cf}]/gu, '')
    .toLocaleLowerCase(tag)
}
