/**
 * Codes that people type: digits, in groups that are easy to read. What is kept is a MAC under a key
 * of the service, because so few digits could be found from a plain hash.
 */
import { randomInt } from 'node:crypto'
import type { Runtime } from '../../../kernel/runtime.ts'

const DIGITS = 8

export function newCode(): string {
  return String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0')
}

export function spaced(code: string): string {
  return code.replaceAll(/(?<=^.{4})/g, ' ')
}

/** Bound to what it is for. Spaces and hyphens that were typed along do not count. */
export function codeMac({ seal }: Runtime, purpose_id: string, code: string): Buffer {
  const typed = code.normalize('NFKC').replaceAll(/[\s-]/g, '').toLowerCase()
  return seal.mac(`${purpose_id} ${typed}`, 'people.code')
}
