/**
 * The description of a transaction in the language of the person. The ledger keeps English
 * descriptions with dates in ISO form; one that is not known here is shown as it is.
 */
import type { Format } from '../../language/format.ts'
import type { Translate } from '../../language/texts.ts'
import type { useBillingTexts } from './texts.ts'

type Words = Translate<(typeof useBillingTexts)['table']>
type Write = (t: Words, format: Format, parts: readonly string[]) => string

export function nameTransaction(description: string, t: Words, format: Format): string {
  for (const [pattern, write] of known) {
    const found = pattern.exec(description)
    if (found) return write(t, format, found.slice(1))
  }
  return description
}

const known: readonly (readonly [RegExp, Write])[] = [
  [/^Top-up by card$/, (t) => t('entry_top_up')],
  [/^Top-up by the operator$/, (t) => t('entry_operator')],
  [/^Automatic top-up(?: of the prepaid balance)?$/, (t) => t('entry_auto_top_up')],
  [
    /^Plan (\w+) from (\d{4}-\d\d-\d\d), (\d+) of (\d+) days$/,
    (t, format, [plan = '', from = '', days = '', all = '']) =>
      t('entry_plan_from', { plan, from: format.date(`${from}T12:00:00Z`), days, all }),
  ],
  [
    /^Plan (\w+), (\d{4}-\d\d)$/,
    (t, format, [plan = '', month = '']) =>
      t('entry_plan_month', { plan, month: format.monthAndYear(month) }),
  ],
  [
    /^Rest of the plan from (\d{4}-\d\d-\d\d)$/,
    (t, format, [from = '']) => t('entry_plan_rest', { from: format.date(`${from}T12:00:00Z`) }),
  ],
  [
    /^Card payment: (.+)$/,
    (t, format, [what = '']) => t('entry_card', { what: nameTransaction(what, t, format) }),
  ],
  [
    /^Phone number (\+\d+), first month$/,
    (t, _, [number = '']) => t('entry_number_first', { number }),
  ],
  [
    /^Phone number (\+\d+), (\d{4}-\d\d)$/,
    (t, format, [number = '', month = '']) =>
      t('entry_number', { number, month: format.monthAndYear(month) }),
  ],
  [
    /^Phone number (\+\d+) could not be registered$/,
    (t, _, [number = '']) => t('entry_number_refund', { number }),
  ],
  [/^Text message to (.+)$/, (t, _, [to = '']) => t('entry_sms', { to })],
  [/^Email$/, (t) => t('source_email')],
  [/^Email to (\d+) recipients$/, (t, _, [count = '']) => t('entry_emails', { number: count })],
  [/^Portal assistant$/, (t) => t('entry_portal_assistant')],
]
