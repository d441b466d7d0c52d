/**
 * Money as whole micro-euros (a millionth of a euro) in a bigint: no rounding errors, and enough
 * digits for a price per token. The API shows euros as JSON numbers.
 */
export type MicroEuro = bigint

const MICRO_PER_EURO = 1_000_000

/** The largest amount in euro, positive or negative, that is converted to micro-euros. */
export const EURO_MAX = 1e9

/** Converts a JSON number of euros. Digits past the sixth are rounded half away from zero. */
export function microFromEuro(euro: number): MicroEuro {
  if (!Number.isFinite(euro) || Math.abs(euro) > EURO_MAX)
    throw new RangeError('Not an amount of euro.')
  const scaled = Math.round(Math.abs(euro) * MICRO_PER_EURO)
  return euro < 0 ? -BigInt(scaled) : BigInt(scaled)
}

/** Converts an amount to euros as a JSON number. Exact up to nine billion euros. */
export function euroFromMicro(micro: MicroEuro): number {
  return Number(micro) / MICRO_PER_EURO
}
