/** Tests of sizes as people read them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatSize } from './size.ts'

test('sizes are in bytes, kB or MB with at most one decimal place', () => {
  const sizes = [0, 1, 512, 1024, 65_536, 1_572_864, 20_971_520]
  assert.deepEqual(sizes.map(formatSize), [
    '0 bytes',
    '1 byte',
    '512 bytes',
    '1 kB',
    '64 kB',
    '1.5 MB',
    '20 MB',
  ])
})
