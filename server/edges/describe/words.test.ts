/** Tests of formatting of names, amounts and sentences. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { get, exampleOperations, list, order, put, sink, weather } from './test-operations.ts'
import {
  findArea,
  groupByArea,
  formatBytes,
  formatDuration,
  takeFirstSentence,
  formatNumber,
  toTitle,
} from './words.ts'

describe('text formatting', () => {
  test('turns a name into words that begin with a capital', () => {
    assert.equal(toTitle('call_plans'), 'Call plans')
  })

  test('writes a duration in the largest unit without a remainder', () => {
    const durations: [number, string][] = [
      [1, '1 second'],
      [10, '10 seconds'],
      [60, '1 minute'],
      [90, '90 seconds'],
      [300, '5 minutes'],
      [3_600, '1 hour'],
      [43_200, '12 hours'],
      [86_400, '24 hours'],
      [604_800, '7 days'],
    ]
    for (const [seconds, text] of durations) assert.equal(formatDuration(seconds), text)
  })

  test('writes a size in the largest unit without a remainder', () => {
    const sizes: [number, string][] = [
      [512, '512 bytes'],
      [65_536, '64 kB'],
      [1_048_576, '1 MB'],
      [10_485_760, '10 MB'],
      [1_073_741_824, '1 GB'],
      [1_100, '1,100 bytes'],
    ]
    for (const [bytes, text] of sizes) assert.equal(formatBytes(bytes), text)
  })

  test('writes a number with thousands separators', () => {
    assert.equal(formatNumber(10_000), '10,000')
    assert.equal(formatNumber(0.1), '0.1')
  })
})

describe('the first sentence', () => {
  test('ends before the next one, without its full stop', () => {
    assert.equal(takeFirstSentence('One. Two.'), 'One')
    assert.equal(takeFirstSentence('Only one.'), 'Only one')
    assert.equal(takeFirstSentence('No stop'), 'No stop')
  })

  test('continues after a full stop within a sentence', () => {
    assert.equal(takeFirstSentence('Costs 4.50 euro. Or not.'), 'Costs 4.50 euro')
    assert.equal(takeFirstSentence('GET /a.json is read. Then.'), 'GET /a.json is read')
  })
})

describe('operations by area', () => {
  test('are sorted by path, with GET first', () => {
    assert.equal(findArea(put), 'boats')
    assert.deepEqual(
      [...groupByArea(exampleOperations)],
      [
        ['boats', [list, order, get, put, sink]],
        ['weather', [weather]],
      ],
    )
  })

  test('have the same order for every order of the given list', () => {
    const [first] = groupByArea(
      exampleOperations.toReversed().filter((operation) => operation !== weather),
    )
    assert.deepEqual(first, ['boats', [list, order, get, put, sink]])
  })
})
