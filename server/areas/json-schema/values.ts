/** Equality and multiples as JSON Schema defines them; key order is irrelevant. */
import { isObject, type SchemaObject } from './subschemas.ts'

export function isObjectOrArray(value: unknown): value is SchemaObject | unknown[] {
  return typeof value === 'object' && value !== null
}

/** Returns JSON with sorted keys; equal values give equal texts. */
export function canonicalText(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) =>
    isObject(one) ? Object.fromEntries(Object.entries(one).toSorted(byName)) : one,
  )
}

function byName([one]: [string, unknown], [other]: [string, unknown]): number {
  return one < other ? -1 : 1
}

/** Computes in decimals: 19.99 is a multiple of 0.01. */
export function isMultiple(value: number, of: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(of)) return value % of === 0
  if (!Number.isFinite(value)) return false
  const [digits, exponent] = decimal(value)
  const [of_digits, of_exponent] = decimal(of)
  const scale = Math.min(exponent, of_exponent)
  const whole = digits * 10n ** BigInt(exponent - scale)
  return whole % (of_digits * 10n ** BigInt(of_exponent - scale)) === 0n
}

/** Splits a number into digits and a power of ten, from its shortest round-trip text. */
function decimal(value: number): [bigint, number] {
  const [mantissa = '0', power = '0'] = value.toExponential().split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  return [BigInt(whole + fraction), Number(power) - fraction.length]
}
