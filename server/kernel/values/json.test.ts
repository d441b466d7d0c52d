/** Tests of strict JSON parsing: accepted and refused texts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isExactNumber } from './exact-number.ts'
import { parseJson } from './json.ts'

const DEPTH_MAX = 64

function value(text: string): unknown {
  const result = parseJson(text, DEPTH_MAX)
  assert.ok('value' in result, JSON.stringify(result))
  return result.value
}

function fault(text: string, depth_max = DEPTH_MAX) {
  const result = parseJson(text, depth_max)
  assert.ok('fault' in result, `${text.slice(0, 80)} was accepted`)
  return result.fault
}

test('the JSON reader counts values, and refuses too many before parsing them', () => {
  const text = JSON.stringify({ a: Array.from({ length: 8 }, () => ({})), b: 1 })
  assert.ok('value' in parseJson(text, DEPTH_MAX, { values_max: 18 }))
  const result = parseJson(text, DEPTH_MAX, { values_max: 17 })
  const message = 'must not have more than 17 values in it; send less at once'
  assert.deepEqual(result, { fault: { kind: 'value', path: '', message } })
})

test('the JSON reader refuses an object with too many members at any position', () => {
  const wide = (count: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, n])))
  for (const around of ['%', '[1,2,3,4,%]', '{"a":[],"b":{"c":1},"d":[[{}],%]}']) {
    const read = (count: number) =>
      parseJson(around.replace('%', wide(count)), DEPTH_MAX, { members_max: 4 })
    assert.ok('value' in read(4), around)
    const message = 'must not have more than 4 members in one object'
    assert.deepEqual(read(5), { fault: { kind: 'value', path: '', message } })
  }
})

test('the JSON reader counts no values within strings', () => {
  const said = JSON.stringify({ a: '[1,2,{"x":[,,,]}] \\" [,,,,,,'.repeat(9) })
  assert.ok('value' in parseJson(said, DEPTH_MAX, { values_max: 1 }))
  const open = parseJson('{"a": "[[[[[[[[[[[,,,,,,,,,,,', DEPTH_MAX, { values_max: 3 })
  assert.ok('fault' in open && open.fault.kind === 'syntax')
})

test('the JSON reader parses all output of JSON.stringify', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 8, stringUnit: 'grapheme' }), (given) => {
      const text = JSON.stringify(given, (_, one: unknown) =>
        typeof one === 'number' && !isExactNumber(String(one)) ? 0 : one,
      )
      if (text.includes('\\u0000') || text.includes(String.raw`\ud`)) return
      assert.deepEqual(value(text), JSON.parse(text))
    }),
  )
})

test('a duplicate key in one object is refused at any position', () => {
  for (const text of [
    '{"a":1,"a":1}',
    '[{"b":{"c":1,"d":2,"c":3}}]',
    String.raw`{"a":1,"\u0061":2}`,
  ]) {
    assert.match(fault(text).message, /same key twice/)
  }
})

test('the same key in two objects is accepted', () => {
  assert.deepEqual(value('{"a":{"x":1},"b":{"x":2},"c":[{"x":3},{"x":4}]}'), {
    a: { x: 1 },
    b: { x: 2 },
    c: [{ x: 3 }, { x: 4 }],
  })
})

test('strings that look like keys are not counted as keys', () => {
  assert.deepEqual(value(String.raw`{"a":"\"b\": 1","c":["d",":"]}`), {
    a: '"b": 1',
    c: ['d', ':'],
  })
})

test('any object with one key repeated is refused', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.integer(), { minKeys: 1 }),
      fc.nat(),
      (object, pick) => {
        const entries = Object.entries(object)
        const [key] = entries[pick % entries.length]!
        const text = `{${[...entries, [key, 0]].map(([name, number]) => `${JSON.stringify(name)}:${number}`).join()}}`
        assert.ok('fault' in parseJson(text, DEPTH_MAX))
      },
    ),
  )
})

test('text after the value is refused', () => {
  for (const text of ['{} {}', '1 2', '[] x', '{}}']) assert.equal(fault(text).kind, 'syntax')
})

test('invalid JSON is refused with a position', () => {
  assert.match(fault('{"a":}').message, /a } where none can be/)
  assert.match(fault('\u0000').message, /a U\+0000 where none can be/)
  assert.match(fault('{"a":1').message, /position 6|too early/)
  for (const text of ['', ' ', 'undefined', "{'a':1}", '{"a":1,}', '01', 'NaN', '"\t"']) {
    assert.equal(fault(text).kind, 'syntax')
  }
})

test('a fault at an invisible character names its code point', () => {
  const texts = { '\ufeff{}': 'FEFF', '{\u00a0"a":1}': '00A0', '{"a":\u200b1}': '200B' }
  const more = { '{"a":1,\u3000"b":2}': '3000', '{"a":"\n"}': '000A', '[1\u2028]': '2028' }
  for (const [text, code] of Object.entries({ ...texts, ...more }))
    assert.match(fault(text).message, new RegExp(`U\\+${code} (?:where|cannot)`), text)
})

test('levels are counted exactly', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
  assert.ok('value' in parseJson(nested(3), 3))
  assert.match(fault(nested(4), 3).message, /more than 3 levels/)
  assert.equal(fault(nested(4), 3).path, '/0/0/0')
})

test('half a million levels are refused without a crash', () => {
  assert.equal(fault('['.repeat(500_000) + ']'.repeat(500_000)).kind, 'value')
})

test('NUL is refused with its position, in values and in keys', () => {
  assert.deepEqual(fault(String.raw`{"a":[{"b":"x\u0000"}]}`).path, '/a/0/b')
  assert.match(fault(String.raw`{"a\u0000":1}`).message, /NUL/)
})

test('a lone surrogate is refused', () => {
  assert.match(fault(String.raw`{"a":"\ud83d"}`).message, /Unicode/)
  assert.equal(value(String.raw`"\ud83d\ude00"`), '😀')
})

const inexact = [
  '1e400',
  '-1e999',
  '9'.repeat(400),
  '1e-400',
  '2033735037361704962',
  '-9007199254740993',
  '9007199254740992',
  '9007199254740993.0',
  '1e16',
  '0.1234567890123456789',
]

test('a number that a double would round is refused with its position', () => {
  const message = 'is a number that would be rounded; send it as a string'
  for (const number of inexact) {
    assert.equal(fault(number).path, '')
    for (const [before, path] of [
      ['', '/a/1/b'],
      [String.raw`"1e999", "\"", `, '/a/3/b'],
    ]) {
      const text = `{"a":[1, ${before}{"b": ${number} ,"c":"2033735037361704962"}]}`
      assert.deepEqual(fault(text), { kind: 'value', path, message })
    }
  }
})

test('a number that comes back as it was written is accepted', () => {
  const exact = ['1e308', '-1E+308', '9007199254740991', '1.50', '1e5', '0.1', '6.02214076e23']
  const programs = ['0.28999999999999998', '5e-324', '-0', '0.000', '1e21', '2.50e-7']
  const text = [...exact, ...programs, '"2033735037361704962"', '"1e999"'].join()
  assert.deepEqual(value(`[${text}]`), JSON.parse(`[${text}]`))
})

test('an accepted number that would be rounded is written as it was', () => {
  const text = '{"a":[2033735037361704962,{"b":1e400}],"c":1}'
  const result = parseJson(text, DEPTH_MAX, { accepts: (_, path) => path.startsWith('/a') })
  assert.ok('value' in result)
  assert.equal(JSON.stringify(result.value), text)
})

test('pointers escape tilde and slash', () => {
  assert.equal(fault(String.raw`{"a/b":{"c~d":"\u0000"}}`).path, '/a~1b/c~0d')
})

test('__proto__ is a key like any other', () => {
  const read = value('{"__proto__":{"admin":true}}')
  assert.deepEqual(Object.keys(Object(read)), ['__proto__'])
  assert.equal(Object(read).admin, undefined)
})

test('a text of many megabytes is parsed', () => {
  for (const piece of ['x', '\\', '"', ' ', '\\"', '":']) {
    const value = { text: piece.repeat(4_000_000), more: [{ text: '' }] }
    assert.deepEqual(parseJson(JSON.stringify(value), 64), { value }, piece)
  }
  assert.deepEqual(parseJson(`{"a"${' '.repeat(4_000_000)}: 1}`, 64), { value: { a: 1 } })
})

test('a duplicate key is found behind escaped quotes', () => {
  for (const text of ['{"a\\"":1,"b":"\\\\","b":2}', '{"a":"\\":","a":2}', '{"\\\\":1,"\\\\":2}'])
    assert.ok('fault' in parseJson(text, 64), text)
})
