/**
 * The text of an API key: `hm_live_` or `hm_test_`, 26 random letters and digits, and 6 that are
 * the CRC-32 of all before them. So a mistyped or made-up key is refused without a lookup, and a
 * scanner for leaked secrets can tell a key from other text.
 */
import { crc32 } from 'node:zlib'
import type { Mode } from '../../contract/caller.ts'
import { randomBase62, toBase62 } from '../../kernel/ids.ts'

const RANDOM_CHARACTERS = 26
const CHECK_CHARACTERS = 6
const START_CHARACTERS = 12
const keyPattern = /^hm_(live|test)_[0-9A-Za-z]{32}$/

export function newKeyText(mode: Mode): string {
  const body = `hm_${mode}_${randomBase62(RANDOM_CHARACTERS)}`
  return body + check(body)
}

/** Whether a text can be a key at all. */
export function isKeyText(text: string): boolean {
  return (
    keyPattern.test(text) &&
    check(text.slice(0, -CHECK_CHARACTERS)) === text.slice(-CHECK_CHARACTERS)
  )
}

/** The first characters, by which people recognise a key later. */
export function startOf(key: string): string {
  return key.slice(0, START_CHARACTERS)
}

function check(body: string): string {
  return toBase62(crc32(body), CHECK_CHARACTERS)
}
