/**
 * The amounts of an order, in whole cents. Prices include VAT, as customers see and pay them. The VAT of
 * a line is the part of its amount that is VAT, rounded half up to a cent; the VAT of the order is
 * the sum of its lines.
 */
const CENTS_PER_EURO = 100
/** A percentage with two decimals is a whole number of hundredths. */
const HUNDREDTHS = 100
const WHOLE = 10_000n
const TOLERANCE = 1e-6

export interface PricedItem {
  quantity: number
  unit_price_cents: number
  vat_percent: number
}

export interface LineAmounts {
  amount_cents: number
  vat_cents: number
}

/** Null unless the number has at most two decimals. */
export function centsFromEuro(euro: number): number | null {
  return wholeOrNull(euro * CENTS_PER_EURO)
}

export function euroFromCents(cents: bigint | number): number {
  return Number(cents) / CENTS_PER_EURO
}

/** Null unless the percentage has at most two decimals. */
export function hundredthsFromPercent(percent: number): number | null {
  return wholeOrNull(percent * HUNDREDTHS)
}

export function percentFromHundredths(hundredths: number): number {
  return hundredths / HUNDREDTHS
}

function wholeOrNull(scaled: number): number | null {
  const whole = Math.round(scaled)
  return Math.abs(scaled - whole) < TOLERANCE ? whole : null
}

export function amountsOf({ quantity, unit_price_cents, vat_percent }: PricedItem): LineAmounts {
  const amount_cents = quantity * unit_price_cents
  return { amount_cents, vat_cents: includedVat(amount_cents, vat_percent) }
}

/** The VAT in an amount, rounded half up: amount × rate / (100 + rate). */
export function includedVat(amount_cents: number, vat_percent: number): number {
  const rate = BigInt(Math.round(vat_percent * HUNDREDTHS))
  const whole = WHOLE + rate
  return Number((BigInt(amount_cents) * rate * 2n + whole) / (whole * 2n))
}

export function sumOf(lines: readonly LineAmounts[]): LineAmounts {
  return {
    amount_cents: lines.reduce((sum, line) => sum + line.amount_cents, 0),
    vat_cents: lines.reduce((sum, line) => sum + line.vat_cents, 0),
  }
}
