/**
 * The fictional numbers of test mode. They never reach a carrier, so every project has the whole
 * range for itself. The first hundred are left to stand for outside people, because their endings
 * have meanings in simulations.
 */
import { limits } from '../../contract/limits.ts'

const FIRST_HANDED_OUT = 100
const first = BigInt(limits.test_number_first)
const last = BigInt(limits.test_number_last)

/** The numbers of the range that a project can take, in order, without those it has. */
export function freeTestNumbers(taken: readonly string[], count: number): string[] {
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

/** Whether it is one of the numbers that are handed out. `e164` has the shape of one. */
export function isTestNumber(e164: string): boolean {
  const number = BigInt(e164)
  return number >= first + BigInt(FIRST_HANDED_OUT) && number <= last
}
