/** The stored part of a response: limited in size, and harmless text. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { toSafeText } from './deliver.ts'

const textOf = (text: string) => toSafeText(Buffer.from(text))

test('safe text keeps plain text with its lines and tabs', () => {
  for (const text of ['', 'ok', '{"error":"no"}', 'Zürich\t€ 5\n日本 🙂']) {
    assert.equal(textOf(text), text)
  }
  assert.equal(textOf('one\r\ntwo'), 'one\ntwo')
})

test('safe text keeps the first 1,024 bytes without splitting a character', () => {
  assert.equal(textOf('x'.repeat(1024)), 'x'.repeat(1024))
  assert.equal(textOf('x'.repeat(70_000)), 'x'.repeat(1024))
  assert.equal(textOf(`${'x'.repeat(1022)}€uro`), 'x'.repeat(1022))
  assert.equal(textOf(`${'x'.repeat(1021)}€uro`), `${'x'.repeat(1021)}€`)
})

test('safe text replaces control characters with visible symbols', () => {
  assert.equal(textOf('\u0000\u0007\u001B[2J\u007F\r'), '␀␇␛[2J␡␍')
  assert.equal(textOf('\u009B31m'), '\uFFFD31m')
})

test('safe text replaces bidirectional and invisible characters with symbols', () => {
  for (const hidden of ['\u202E', '\u2066', '\u200B', '\u200F', '\u2028', '\u{E0041}', '\uE000']) {
    assert.equal(textOf(`a${hidden}b`), 'a\uFFFDb')
  }
})

test('safe text replaces invalid UTF-8 with symbols', () => {
  assert.equal(toSafeText(Uint8Array.from([0x61, 0xff, 0xc3, 0x62])), 'a\uFFFD\uFFFDb')
  assert.equal(toSafeText(Uint8Array.from([0x61, 0xe2, 0x82])), 'a\uFFFD')
})

test('safe text returns short text without control characters for any input', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 1200 }), (answer) => {
      const text = toSafeText(answer)
      assert.ok(text.length <= 1024)
      assert.ok(text.isWellFormed())
      assert.doesNotMatch(text, /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}]/u)
    }),
    { numRuns: 2000 },
  )
})
