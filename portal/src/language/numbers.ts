/** Reads numbers as people type them, in the notation of their language. */
import { currentLanguage, type Language } from './texts.ts'

const decimalMarks: Readonly<Record<Language, string>> = { en: '.', nl: ',' }

/**
 * Reads a number with the decimal mark and thousands of the language, such as `1.234,50` in Dutch,
 * or with a decimal mark of the other language that can mean nothing else. NaN if it is none.
 */
export function readNumber(text: string, language = currentLanguage()): number {
  const typed = text.replaceAll(/[\s€'’]/g, '')
  if (!/^-?\d[\d.,]*$/.test(typed)) return Number.NaN
  const marks = typed.match(/[.,]/g) ?? []
  const last = marks.at(-1)
  if (last === undefined) return Number(typed)
  const isGroup = last !== decimalMarks[language] && /^-?[1-9]\d{0,2}[.,]\d{3}$/.test(typed)
  const isDecimal = marks.filter((mark) => mark === last).length === 1 && !isGroup
  const [whole, part] = isDecimal ? typed.split(last) : [typed, '']
  const isGrouped = /^-?(\d+|\d{1,3}(\.\d{3})+|\d{1,3}(,\d{3})+)$/.test(whole!)
  if (!isGrouped || (isDecimal && part === '')) return Number.NaN
  return Number(`${whole!.replaceAll(/[.,]/g, '')}.${part || '0'}`)
}

/** A number as it is typed in the language, without separators of thousands. */
export function writeNumber(value: number, language = currentLanguage()): string {
  return String(value).replace('.', decimalMarks[language])
}

/** Why a text is no amount: `ambiguous` if it could be a thousand times more or less. */
export type AmountFault = 'ambiguous' | 'unreadable'

/**
 * Reads an amount of money with at most two decimals. `1.000` in English and `1,000` in Dutch are
 * ambiguous, because in the other language they are a thousand.
 */
export function readAmount(
  text: string,
  language = currentLanguage(),
): { value: number; fault: AmountFault | null } {
  const none = (fault: AmountFault) => ({ value: Number.NaN, fault })
  const typed = text.replaceAll(/[\s€'’]/g, '')
  const mark = decimalMarks[language]
  if (/^[1-9]\d{0,2}[.,]\d{3}$/.test(typed) && typed.includes(mark)) return none('ambiguous')
  const value = readNumber(typed, language)
  const isAmount = value >= 0 && Math.abs(value * 100 - Math.round(value * 100)) < 1e-6
  return isAmount ? { value, fault: null } : none('unreadable')
}

/** The amount in a text; NaN if there is none, or an ambiguous one. */
export const amountOf = (text: string): number => readAmount(text).value
