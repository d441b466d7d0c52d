/**
 * The text of keys and tokens: a prefix that says what it is, 26 random letters and digits, and 6
 * that are the CRC-32 of all before them. So one that is mistyped or made up is refused without a
 * lookup, and a scanner for leaked secrets can distinguish it from other text.
 */
import { crc32 } from 'node:zlib'
import { randomBase62, toBase62 } from '../values/ids.ts'

const RANDOM_CHARACTERS = 26
const CHECK_CHARACTERS = 6
const START_CHARACTERS = 12
const tailPattern = /^[0-9A-Za-z]{32}$/

export function newTokenText(prefix: string): string {
  const body = prefix + randomBase62(RANDOM_CHARACTERS)
  return body + check(body)
}

/** The same text for the same bytes, of which at least 26 are needed. */
export function derivedTokenText(prefix: string, bytes: Buffer): string {
  const characters = [...bytes.subarray(0, RANDOM_CHARACTERS)].map((byte) => toBase62(byte % 62, 1))
  const body = prefix + characters.join('')
  return body + check(body)
}

/** Whether a text can be a token with this prefix at all. */
export function isTokenText(prefix: string, text: string): boolean {
  return (
    text.startsWith(prefix) &&
    tailPattern.test(text.slice(prefix.length)) &&
    check(text.slice(0, -CHECK_CHARACTERS)) === text.slice(-CHECK_CHARACTERS)
  )
}

/** The first characters, by which people recognise a token later. */
export function startOf(text: string): string {
  return text.slice(0, START_CHARACTERS)
}

function check(body: string): string {
  return toBase62(crc32(body), CHECK_CHARACTERS)
}
