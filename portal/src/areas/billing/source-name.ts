/** The category of a transaction as words. */
import type { Translate } from '../../language/texts.ts'
import type { useBillingTexts } from './texts.ts'

const known = ['ai', 'call', 'domain', 'email', 'number', 'plan', 'sms', 'payment'] as const

export function nameSource(
  source: string,
  t: Translate<(typeof useBillingTexts)['table']>,
): string {
  const name = known.find((one) => one === source)
  return name === undefined ? source.replaceAll(/[_.]/g, ' ') : t(`source_${name}`)
}
