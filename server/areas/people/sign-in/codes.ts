/**
 * Typed sign-in codes: digits in groups. They are stored as a MAC with a service key, because a
 * plain hash of so few digits could be brute-forced.
 */
import { randomInt } from 'node:crypto'
import type { Runtime } from '../../../kernel/runtime.ts'

const DIGITS = 8

export function createCode(): string {
  return String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0')
}

export function formatCode(code: string): string {
  return code.replaceAll(/(?<=^.{4})/g, ' ')
}

/**
 * Returns the MAC of a code, bound to the purpose. Spaces and hyphens in typed codes are ignored.
 */
export function macOfCode({ seal }: Runtime, purpose_id: string, code: string): Buffer {
  const typed = code.normalize('NFKC').replaceAll(/[\s-]/g, '').toLowerCase()
  return seal.mac(`${purpose_id} ${typed}`, 'people.code')
}
