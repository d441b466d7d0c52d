/** Amounts as people type them, with a point or a comma before the cents. */
import type { MicroEuro } from '../../../../kernel/values/money.ts'
import { euroFromMicro, microFromEuro } from '../../../../kernel/values/money.ts'

/** The amount in euro, or the sentence that says what it should have been. */
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
  return `The amount is from ${euroFromMicro(min)} to ${euroFromMicro(max)} euro, such as 25 or 12.50.`
}
