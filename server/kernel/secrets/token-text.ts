/**
 * The format of keys and tokens: a prefix for the type, 26 random letters and digits, and 6
 * characters of CRC-32 over all before. Mistyped tokens are refused without a lookup, and secret
 * scanners recognize the format.
 */
import { crc32 } from 'node:zlib'
import { randomBase62, toBase62 } from '../values/ids.ts'

const RANDOM_CHARACTERS = 26
const CHECK_CHARACTERS = 6
const START_CHARACTERS = 12
const tailPattern = /^[0-9A-Za-z]{32}$/

export function createTokenText(prefix: string): string {
  const body = prefix + randomBase62(RANDOM_CHARACTERS)
  return body + check(body)
}

/** Deterministic: the same bytes give the same text. Needs at least 26 bytes. */
export function deriveTokenText(prefix: string, bytes: Buffer): string {
  const characters = [...bytes.subarray(0, RANDOM_CHARACTERS)].map((byte) => toBase62(byte % 62, 1))
  const body = prefix + characters.join('')
  return body + check(body)
}

/** Whether a text has the format and checksum of a token with this prefix. */
export function isTokenText(prefix: string, text: string): boolean {
  return (
    text.startsWith(prefix) &&
    tailPattern.test(text.slice(prefix.length)) &&
    check(text.slice(0, -CHECK_CHARACTERS)) === text.slice(-CHECK_CHARACTERS)
  )
}

/** The first characters, by which users recognize a token. */
export function tokenStart(text: string): string {
  return text.slice(0, START_CHARACTERS)
}

function check(body: string): string {
  return toBase62(crc32(body), CHECK_CHARACTERS)
}
