/** Tests that the portal normalizes typed origins as the server does. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalizeAllowedOrigin } from '../../server/areas/public-tokens/origin.ts'
import { readOrigins } from '../../portal/src/areas/chat-tokens/origins.ts'

const accepted = [
  ['https://www.example.nl', 'https://www.example.nl'],
  ['HTTPS://www.Example.nl:443/', 'https://www.example.nl'],
  ['www.example.nl', 'https://www.example.nl'],
  ['https://example.nl:8443', 'https://example.nl:8443'],
  ['http://localhost:3000', 'http://localhost:3000'],
  ['*.Example.nl', '*.example.nl'],
] as const

test('normalizes each address as the server does', () => {
  for (const [text, origin] of accepted) {
    assert.deepEqual(readOrigins(text), [{ text, origin, fault: null }])
    assert.equal(normalizeAllowedOrigin(origin), origin, text)
  }
})

test('says what is wrong with an address that the server refuses', () => {
  for (const [text, fault] of [
    ['https://example.nl/shop', 'fault_path'],
    ['example.nl?a=1', 'fault_path'],
    ['http://example.nl', 'fault_http'],
    ['ftp://example.nl', 'fault_http'],
    ['*.nl', 'fault_wildcard'],
    ['*.example.nl/shop', 'fault_wildcard'],
    ['shop', 'fault_origin'],
    ['https://*.example.nl', 'fault_origin'],
  ] as const) {
    assert.deepEqual(readOrigins(text), [{ text, origin: null, fault }])
    assert.equal(normalizeAllowedOrigin(text), null, text)
  }
})

test('separates addresses at line breaks, spaces and commas', () => {
  const read = readOrigins(' a.example,\n\n*.b.example c.example ')
  assert.deepEqual(
    read.map(({ origin }) => origin),
    ['https://a.example', '*.b.example', 'https://c.example'],
  )
})
