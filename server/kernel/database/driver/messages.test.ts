/** Tests of protocol messages: all values of parameters arrive unchanged. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { openBareFixture } from '../../../../test/fixtures/bare-runtime.ts'
import { writeExecution } from './messages.ts'
import { runStatement } from './statement.ts'

const fixture = await openBareFixture()
const { db } = fixture.openRuntime()

const text = fc.string({ unit: 'grapheme', maxLength: 60 }).map((one) => one.replaceAll('\0', ''))
const bytes = fc.uint8Array({ maxLength: 60 }).map((one) => Buffer.from(one))
const value = fc.oneof(
  fc.record({ type: fc.constant('text'), value: fc.option(text) }),
  fc.record({ type: fc.constant('bytea'), value: fc.option(bytes) }),
)

test('texts, bytes and nulls arrive unchanged, in any order and number', () =>
  fc.assert(
    fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 12 }), async (values) => {
      const columns = values.map(({ type }, index) => `$${index + 1}::${type} as c${index}`)
      const parameters = values.map((one) => one.value)
      const { rows } = await runStatement<object>(db, `select ${columns.join(', ')}`, parameters)
      assert.deepEqual(Object.values(rows[0]!), parameters)
    }),
  ))

test('a message contains its length', () => {
  for (const is_last of [true, false]) {
    const message = writeExecution({ name: 's1', values: ['é', null, Buffer.from('ab')], is_last })
    const kinds: string[] = []
    for (let at = 0; at < message.length; at += 1 + message.readInt32BE(at + 1))
      kinds.push(String.fromCharCode(message[at]!))
    assert.deepEqual(kinds, is_last ? ['B', 'E', 'S'] : ['B', 'E'])
  }
})
