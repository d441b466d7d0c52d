/** Patterns match as in JavaScript, in time linear in the length of the text. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { StepMeter } from '../keywords.ts'
import { compilePattern, patternSize } from './patterns.ts'

const meter = new StepMeter(Infinity)
meter.start()

function fits(source: string, text: string): boolean {
  return compilePattern(source, meter).test(text)
}

function faultOf(source: string): string {
  const size = patternSize(source)
  return typeof size === 'number' ? '' : size.fault
}

const texts = ['', 'a', 'ab', 'aab\n', '\u00a0', '\u2028', 'é', '😀', '_', '7', 'A-b', '\b', '[]{}']

describe('matches the same texts as JavaScript:', () => {
  const sources = [
    ['^a$', 'a|b', '^(?:a|b)+$', '(a)(b)', '(?<name>a)b', 'a{2}', 'a{1,}', '^a{0,2}?b', '.', '^.$'],
    ['\\s', '\\S', '[\\s]', '[^\\s]', '[\\S]', '\\d', '\\D', '\\w', '\\W', '\\bA', 'a\\B', '[\\b]'],
    ['\\u00e9', '\\u{1f600}', '\\ud83d\\ude00', '\\xe9', '\\cJ', '\\n', '\\0', '[^]', '[]', '[^a]'],
    ['[a-c]', '[a\\-c]', '[-a]', '[a-]', '\\p{L}', '\\P{L}', '[\\p{Ll}_]', '\\p{Script=Latin}'],
    [
      '\\p{gc=Decimal_Number}',
      '\\[\\]\\{\\}',
      '[\\]\\[]',
      '\\.',
      '\\/',
      '[.]',
      '^$',
      'a*?b',
      '\\$',
    ],
  ].flat()
  for (const source of sources) {
    test(source, () => {
      const theirs = new RegExp(source, 'u')
      for (const text of texts)
        assert.equal(fits(source, text), theirs.test(text), JSON.stringify(text))
    })
  }

  test('10,000 random expressions match the same texts as in JavaScript', () => {
    const piece = fc.constantFrom(
      ...[
        [
          'a',
          'b',
          '.',
          '\\s',
          '\\S',
          '\\d',
          '\\w',
          '[ab]',
          '[^a]',
          '\\b',
          '^',
          '$',
          '(?:a|b)',
          '(ab)',
        ],
        ['a*', 'b+?', '[a-z]?', 'a{2}', '(?:a*b)*', '\\p{L}', '|', '\\.', '\\u00e9', '[\\S\\n]'],
      ].flat(),
    )
    const source = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''))
    const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', 'é', '.', '1', '\u00a0') })
    fc.assert(
      fc.property(source, text, (one, other) => {
        assert.equal(fits(one, other), new RegExp(one, 'u').test(other))
      }),
      { numRuns: 10_000 },
    )
  })
})

describe('refuses with the reason:', () => {
  const refusals: [source: string, reason: RegExp][] = [
    ['a(?=b)', /lookahead/],
    ['(?<!a)b', /lookahead or lookbehind/],
    ['(a)\\1', /backreference/],
    ['(?<n>a)\\k<n>', /backreference/],
    ['(?i:a)', /unsupported kind/],
    ['[', /ends too early/],
    ['(', /brackets or repetitions/],
    ['a)', /brackets or repetitions/],
    ['*', /brackets or repetitions/],
    ['\\', /ends too early/],
    ['[b-a]', /end is before its start/],
    ['\\u{110000}', /character code that does not exist/],
    ['\\xg0', /hexadecimal/],
    ['\\a', /unknown escape/],
    ['\\Z', /unknown escape/],
    ['\\p{Nothing}', /Unicode property/],
    ['\\p{Script=Nothing}', /Unicode property/],
    ['\\pL', /without a property/],
    ['a{1001}', /maximum is 1000/],
    ['(?:a{100}){100}', /maximum is 1000/],
  ]
  for (const [source, reason] of refusals) test(source, () => assert.match(faultOf(source), reason))
})

test('a pattern ends for expressions that backtrack exponentially in JavaScript', () => {
  for (const source of ['^(a+)+$', '^(a|a)*$', '^(a|aa)+$', '(x+x+)+y', '^([a-z]+)*[0-9]$'])
    assert.equal(fits(source, `${'a'.repeat(50_000)}!`), false)
})

test('a pattern never throws for random expressions', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (source) => void patternSize(source)),
    { numRuns: 2_000 },
  )
})
