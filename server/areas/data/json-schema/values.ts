/**
 * Equality and multiples as JSON Schema means them: by value, whatever the order of keys, and in
 * exact decimals, so that 19.99 is a multiple of 0.01.
 */
import { isObject, type JsonObject } from './outline.ts'

export function isNested(value: unknown): value is JsonObject | unknown[] {
  return typeof value === 'object' && value !== null
}

/** The same text for equal values; null once it would be longer than `length_max`. */
export function canonicalText(value: unknown, length_max = Infinity): string | null {
  const writing = new Writing(length_max)
  writing.write(value)
  return writing.left < 0 ? null : writing.parts.join('')
}

/** Writes until there is no room left; what was cut off is never used. */
class Writing {
  readonly parts: string[] = []
  left: number

  constructor(length_max: number) {
    this.left = length_max
  }

  put(text: string): void {
    this.left -= text.length
    if (this.left >= 0) this.parts.push(text)
  }

  write(value: unknown): void {
    if (this.left < 0) return
    if (isObject(value)) this.writeObject(value)
    else if (Array.isArray(value)) this.writeArray(value)
    else this.put(JSON.stringify(value))
  }

  private writeArray(items: readonly unknown[]): void {
    this.put('[')
    for (const item of items) {
      if (this.left < 0) return
      this.write(item)
      this.put(',')
    }
    this.put(']')
  }

  private writeObject(value: JsonObject): void {
    const keys = Object.keys(value)
    // A member takes five characters at least, so more than fit need not be sorted.
    if (keys.length * 5 > this.left) this.left = -1
    if (this.left < 0) return
    this.put('{')
    for (const key of keys.toSorted()) {
      this.put(`${JSON.stringify(key)}:`)
      this.write(value[key])
      this.put(',')
    }
    this.put('}')
  }
}

export function isMultiple(value: number, of: number): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(of)) return value % of === 0
  if (!Number.isFinite(value)) return false
  const [digits, exponent] = decimal(value)
  const [of_digits, of_exponent] = decimal(of)
  const scale = Math.min(exponent, of_exponent)
  const whole = digits * 10n ** BigInt(exponent - scale)
  return whole % (of_digits * 10n ** BigInt(of_exponent - scale)) === 0n
}

/** A number as digits and a power of ten, from the shortest text that reads back as it. */
function decimal(value: number): [bigint, number] {
  const [mantissa = '0', power = '0'] = value.toExponential().split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  return [BigInt(whole + fraction), Number(power) - fraction.length]
}
