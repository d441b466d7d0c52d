/** Requests with a field or a value type that the collection does not have. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { newFixture, slugOf, type TestCollection } from '../../../../../test/fixtures/data/data.ts'

const { newCollection } = await newFixture()

const properties = {
  name: { type: 'string' },
  spent: { type: 'number' },
  paid: { type: ['boolean', 'null'] },
  tags: { type: 'array', items: { type: 'string' } },
  address: { type: 'object', properties: { city: { type: 'string' } } },
  due: { $ref: '#/$defs/day' },
  size: { anyOf: [{ type: 'integer' }, { type: 'string' }] },
}
const $defs = { day: { type: 'string', format: 'date' } }
const customers = { type: 'object', $defs, properties }

async function filled(schema: object, documents: object[] = [{ name: 'Anna', spent: 500 }]) {
  const made = await newCollection({ schema })
  for (const data of documents) assert.equal((await made.call('POST /documents', data)).status, 201)
  return made
}

function list({ call }: TestCollection, parameters: Record<string, string>) {
  return call(`GET /documents?${new URLSearchParams(parameters)}`)
}

const shared = filled(customers)

suite('a field that neither the schema nor any document has', () => {
  const wrong: [parameters: Record<string, string>, column: number, suggestion?: string][] = [
    [{ filter: 'spnt > 400' }, 1, 'spent'],
    [{ filter: 'name = "Anna" and spnet exists' }, 19, 'spent'],
    [{ filter: 'address.ctiy = "Gouda"' }, 1, 'address.city'],
    [{ filter: 'Spent > 400' }, 1, 'spent'],
    [{ filter: 'created > @now - 1d' }, 1, 'created_at'],
    [{ filter: 'price > 4' }, 1],
    [{ filter: 'version2 = 1' }, 1, 'version'],
    [{ filter: 'tags.first = "vip"' }, 1],
    [{ sort: 'name,-spnt' }, 6, 'spent'],
    [{ fields: 'name,adress.city' }, 6, 'address.city'],
  ]
  for (const [parameters, column, suggestion] of wrong) {
    test(`is refused with the nearest known one: ${JSON.stringify(parameters)}`, async () => {
      const answer = await list(await shared, parameters)
      assert.deepEqual([answer.status, slugOf(answer)], [400, 'invalid_parameter'], answer.text)
      assert.equal(answer.body.parameter, Object.keys(parameters)[0])
      assert.equal(answer.body.column, column)
      assert.equal(answer.body.suggestion, suggestion)
      if (suggestion) assert.match(answer.body.user_message, /Did you mean /)
    })
  }

  test('is refused with the known fields in next_step', async () => {
    const { body } = await list(await shared, { filter: 'price > 400' })
    assert.match(body.next_step, /name, spent, paid, tags, address, due, size, id, created_at/)
  })

  test('is refused by an export too', async () => {
    const { call } = await shared
    const { status, body } = await call('GET /documents/export?format=csv&filter=spnt%20%3E%20400')
    assert.deepEqual([status, body.suggestion], [400, 'spent'])
  })

  test('is refused even if other documents fill the page, and on later requests', async () => {
    const documents = Array.from({ length: 120 }, (_, spent) => ({ spent }))
    const made = await filled(customers, documents)
    assert.equal((await list(made, { limit: '2' })).status, 200)
    assert.equal((await list(made, { filter: 'spnt != 1', limit: '2' })).status, 400)
    assert.equal((await list(made, { filter: 'spent != 1', limit: '2' })).body.data.length, 2)
  })

  test('is allowed if the schema is open or missing', async () => {
    for (const schema of [
      { type: 'object' },
      { ...customers, additionalProperties: true },
      { ...customers, additionalProperties: { type: 'number' } },
      { ...customers, patternProperties: { '^x_': {} } },
      { ...customers, unevaluatedProperties: { type: 'number' } },
      { allOf: [{ $ref: '#/$defs/open' }], $defs: { open: { additionalProperties: true } } },
    ]) {
      const { status, text } = await list(await filled(schema), { filter: 'spnt > 400' })
      assert.equal(status, 200, `${JSON.stringify(schema)} ${text}`)
    }
  })

  test('is named in warnings if the schema is open or missing and no document has it', async () => {
    const documents = [{ spent: 500, address: { city: 'Gouda' } }, { name: 'Anna' }]
    for (const schema of [
      undefined,
      { type: 'object' },
      { ...customers, additionalProperties: true },
    ]) {
      const made = await newCollection(schema && { schema })
      assert.equal((await list(made, { filter: 'spnt > 1' })).body.warnings, undefined)
      for (const data of documents) await made.call('POST /documents', data)
      const spnt = 'which no document of this collection has. Did you mean spent?'
      for (const [parameters, warnings] of [
        [{ filter: 'spnt > 400' }, [`filter names spnt, ${spnt}`]],
        [{ filter: 'spnt = null' }, [`filter names spnt, ${spnt}`]],
        [{ sort: '-spnt' }, [`sort names spnt, ${spnt}`]],
        [{ fields: 'spnt' }, [`fields names spnt, ${spnt}`]],
        [{ filter: 'spent > 400 and name = null' }, undefined],
        [{ filter: 'spent = 1' }, undefined],
        [{ filter: 'name = "Anna" or spent > 1', fields: 'name' }, undefined],
        [{}, undefined],
      ] as const) {
        const { status, body } = await list(made, parameters)
        assert.deepEqual([status, body.warnings], [200, warnings], JSON.stringify(parameters))
      }
      const grouped = await made.call('POST /documents/query', { group_by: [{ field: 'nmae' }] })
      assert.match(grouped.body.warnings[0], /nmae, which no document .* Did you mean name\?/)
    }
    const closed = await newCollection()
    await closed.call('POST /documents', { a: { b: 1 } })
    const { body } = await list(closed, { filter: 'a.c = 1' })
    assert.match(body.warnings[0], /^filter names a\.c, which no document/)
  })

  test('is allowed while a document has it, and refused when the schema is closed and none has it', async () => {
    const made = await filled(customers, [{ note: 'late' }])
    assert.equal((await list(made, { filter: 'note exists' })).body.data.length, 1)
    const schema = { ...customers, additionalProperties: false }
    assert.equal((await made.call('PATCH ', { schema })).body.misfits.count, 1)
    const { body } = await list(made, { filter: 'note exists' })
    assert.equal(body.data.length, 1)
    await made.call(`DELETE /documents/${body.data[0].id}`)
    assert.equal((await list(made, { filter: 'note exists' })).status, 400)
  })
})

suite('a value of a type that the field never has', () => {
  const wrong: [filter: string, column: number, expected: RegExp][] = [
    ['spent > "400"', 9, /^a number$/],
    ['spent = "400"', 9, /^a number$/],
    ['spent != true', 10, /^a number$/],
    ['spent in (400, "500")', 16, /^a number$/],
    ['spent > @today', 9, /^a number$/],
    ['spent contains "4"', 16, /^a number$/],
    ['name = 4', 8, /^a text in double quotes$/],
    ['due < 20261101', 7, /^a text in double quotes$/],
    ['paid = "yes"', 8, /^true or false$/],
    ['size = true', 8, /^a number, or a text in double quotes$/],
    ['tags = "vip"', 8, /^"has" and a value/],
    ['tags has 4', 10, /^a text in double quotes after "has"$/],
    ['name has "Anna"', 10, /^a text in double quotes$/],
    ['address = "Gouda"', 11, /^a field below it/],
  ]
  for (const [filter, column, expected] of wrong) {
    test(`is refused with the expected type: ${filter}`, async () => {
      const answer = await list(await shared, { filter })
      assert.deepEqual([answer.status, slugOf(answer)], [400, 'invalid_parameter'], answer.text)
      assert.equal(answer.body.column, column, answer.text)
      assert.match(answer.body.expected, expected)
    })
  }

  for (const filter of [
    'spent = null',
    'spent in (null, 400)',
    'due < @2026-11-01',
    'size = 4 or size = "large"',
    'tags has "vip"',
    'address exists',
    'data.created_at = 1 or id exists',
  ]) {
    test(`does not occur in ${filter}`, async () => {
      const made = await filled({ properties: { ...properties, created_at: {} }, $defs })
      const { status, text } = await list(made, { filter })
      assert.equal(status, 200, text)
    })
  }

  test('is allowed while documents that violate the schema have it', async () => {
    const made = await filled({ type: 'object' }, [{ spent: '400' }])
    await made.call('PATCH ', { schema: customers })
    assert.equal((await list(made, { filter: 'spent >= ""' })).body.data.length, 1)
    assert.equal((await list(made, { filter: 'spent = true' })).status, 400)
  })

  test('is refused in sort', async () => {
    const { status, body } = await list(await shared, { sort: '-tags' })
    assert.deepEqual(
      [status, body.expected],
      [400, 'a field with true and false or numbers or texts'],
    )
  })
})

suite('POST /collections/{name}/documents/query', () => {
  const sum = { name: 'sum', function: 'sum', field: 'spent' }
  const wrong: [body: object, parameter: string, says: RegExp][] = [
    [{ filter: 'spnt > 4' }, 'filter', /Did you mean spent/],
    [{ group_by: [{ field: 'nmae' }] }, '/group_by/0/field', /Did you mean name/],
    [{ aggregates: [{ ...sum, field: 'spnt' }] }, '/aggregates/0/field', /Did you mean spent/],
    [{ aggregates: [{ ...sum, field: 'name' }] }, '/aggregates/0/field', /a field with numbers/],
    [{ group_by: [{ field: 'spent', by: 'day' }] }, '/group_by/0/field', /a field with texts/],
    [{ aggregates: [sum], having: 'summ > 4' }, 'having', /Did you mean sum/],
    [{ aggregates: [sum], having: 'sum > "4"' }, 'having', /expected a number/],
    [{ group_by: [{ field: 'name' }], having: 'name > 4' }, 'having', /needs a text/],
    [{ aggregates: [sum], sort: '-summ' }, 'sort', /Did you mean sum/],
  ]
  for (const [body, parameter, says] of wrong) {
    test(`refuses ${JSON.stringify(body)}`, async () => {
      const { call } = await shared
      const answer = await call('POST /documents/query', body)
      assert.deepEqual([answer.status, slugOf(answer)], [400, 'invalid_parameter'], answer.text)
      assert.equal(answer.body.parameter, parameter)
      assert.match(answer.body.detail, says)
    })
  }

  test('compares groups, sums and system times with values of their types', async () => {
    const { call } = await shared
    const { status, body, text } = await call('POST /documents/query', {
      group_by: [{ field: 'name' }, { field: 'created_at', by: 'month', name: 'month' }],
      aggregates: [sum, { name: 'last', function: 'max', field: 'created_at' }],
      having: 'sum > 4 and name = "Anna" and month > "2000" and last > @2000-01-01',
    })
    assert.deepEqual([status, body.data?.length], [200, 1], text)
  })
})
