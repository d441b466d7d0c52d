/** Reads amounts as people type them, with a point or a comma before the cents. */
import type { MicroEuro } from '../../../../kernel/values/money.ts'
import { euroFromMicro, microFromEuro } from '../../../../kernel/values/money.ts'

/** Returns the amount in euro, or a sentence that states the accepted range. */
export function readEuro(
  text: string | null,
  { min, max }: { min: MicroEuro; max: MicroEuro },
): number | string {
  const typed = (text ?? '')
    .trim()
    .replace(/^€\s*/, '')
    .replace(',', '.')
  const euro = /^\d{1,9}(?:\.\d{1,2})?$/.test(typed) ? Number(typed) : null
  const micro = euro === null ? null : microFromEuro(euro)
  if (euro !== null && micro !== null && micro >= min && micro <= max) return euro
  return `Enter an amount from ${euroFromMicro(min)} to ${euroFromMicro(max)} euro, such as 25 or 12.50.`
}
