/**
 * Money is whole micro-euro (a millionth of a euro) in a bigint: no cent is ever lost to binary
 * fractions, and a price per token still has digits. The wire shows euro as JSON numbers.
 */
export type MicroEuro = bigint

const MICRO_PER_EURO = 1_000_000

/** Reads a JSON number of euro. Digits past the sixth are rounded half away from zero. */
export function microFromEuro(euro: number): MicroEuro {
  if (!Number.isFinite(euro) || Math.abs(euro) > 1e9) throw new RangeError('Not an amount of euro.')
  const scaled = Math.round(Math.abs(euro) * MICRO_PER_EURO)
  return euro < 0 ? -BigInt(scaled) : BigInt(scaled)
}

/** The JSON number of euro for an amount. Exact up to nine billion euro. */
export function euroFromMicro(micro: MicroEuro): number {
  return Number(micro) / MICRO_PER_EURO
}
