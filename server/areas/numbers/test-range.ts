/**
 * The fictional numbers of test mode. They never reach a carrier, so every project can use the
 * whole range. The first hundred are reserved for simulated outside people, because their endings
 * have meanings.
 */
import { limits } from '../../contract/limits.ts'

const FIRST_HANDED_OUT = 100
const first = BigInt(limits.test_number_first)
const last = BigInt(limits.test_number_last)

/** Returns the numbers of the range that a project can still take, in order. */
export function listFreeTestNumbers(taken: readonly string[], count: number): string[] {
  const has = new Set(taken)
  const free: string[] = []
  for (
    let number = first + BigInt(FIRST_HANDED_OUT);
    number <= last && free.length < count;
    number++
  ) {
    if (!has.has(`+${number}`)) free.push(`+${number}`)
  }
  return free
}

/** Whether a number is in the assignable part of the range. `e164` is well-formed. */
export function isAssignableTestNumber(e164: string): boolean {
  const number = BigInt(e164)
  return number >= first + BigInt(FIRST_HANDED_OUT) && number <= last
}
