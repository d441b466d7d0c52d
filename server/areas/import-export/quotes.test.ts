/** Quotes in CSV cells and the original text in import errors, over HTTP. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newFixture, slugOf } from '../../../test/fixtures/data/data.ts'

const { newCollection } = await newFixture()
const csv = (raw: string) => ({ raw, headers: { 'content-type': 'text/csv' } })

describe('a CSV file', () => {
  test('keeps quotes inside an unquoted cell as text', async () => {
    const { call } = await newCollection()
    const file = 'name;note\nCafé "De Zwaan";5" pipe\n"a;""b""";x\ufdd0q"\ufdd0\n;"c\nd"\n'
    const { status, body } = await call('POST /documents/import', undefined, csv(file))
    assert.deepEqual([status, body.inserted, body.refused], [200, 3, 0], JSON.stringify(body))
    const { body: page } = await call('GET /documents?sort=created_at,id')
    const data = page.data.map((one: { data: object }) => one.data)
    for (const document of [
      { name: 'Café "De Zwaan"', note: '5" pipe' },
      { name: 'a;"b"', note: 'x\ufdd0q"\ufdd0' },
      { note: 'c\nd' },
    ])
      assert.ok(
        data.some((one: object) => JSON.stringify(one) === JSON.stringify(document)),
        JSON.stringify(data),
      )
  })

  test('is refused at an unbalanced quote, with advice', async () => {
    const { call } = await newCollection()
    const files = { 'a,b\nx, "y, z"\n': /Remove the spaces/, 'a,b\n"x"y,z\n': /must be doubled/ }
    for (const [file, message] of Object.entries(files)) {
      const answer = await call('POST /documents/import', undefined, csv(file))
      assert.deepEqual([answer.status, slugOf(answer)], [422, 'validation_failed'])
      assert.match(answer.body.detail, message)
      assert.match(answer.body.user_message, /The file cannot be read: line 2/)
    }
  })

  test('is imported without a schema with a warning that suggests one', async () => {
    const { call } = await newCollection()
    const path = 'POST /documents/import?dry_run=true'
    const file = 'total;paid;day;name\n12,50;WAAR;01-02-2024;Anna\n'
    const { body } = await call(path, undefined, csv(file))
    const [warning = ''] = body.warnings
    assert.match(warning, /no schema.*PATCH \/collections\/\{name\}/)
    const { properties } = JSON.parse(warning.slice(warning.indexOf('{"type"')))
    assert.deepEqual(properties, {
      total: { type: 'number' },
      paid: { type: 'boolean' },
      day: { type: 'string', format: 'date' },
      name: { type: 'string' },
    })
  })

  test('gets a schema suggested by which no value is changed', async () => {
    const { call } = await newCollection()
    const file =
      'zip;phone;code;order;price;mixed;plain\n' +
      '1234;0612345678;0042;2033735037361704962;0,50;12;1\n' +
      '01234;+31612345678;7;1E5;1.234,56;WAAR;2\n'
    const { body } = await call('POST /documents/import?dry_run=true', undefined, csv(file))
    const warning = body.warnings.at(-1)
    const { properties } = JSON.parse(warning.slice(warning.indexOf('{"type"')))
    const text = { type: 'string' }
    const texts = { zip: text, phone: text, code: text, order: text, mixed: text }
    assert.deepEqual(properties, { ...texts, price: { type: 'number' } })
  })

  test('keeps numbers that would be rounded as text in a column without a type, and warns', async () => {
    const { call } = await newCollection()
    const file = 'order,weight\n2033735037361704962,1.5\n2033735037361704963,1e400\n'
    const { body } = await call('POST /documents/import', undefined, csv(file))
    assert.deepEqual(
      [body.inserted, body.warnings.slice(0, 2)],
      [
        2,
        [
          'Column "order": numbers such as 2033735037361704962 would be rounded, so they stay text.',
          'Column "weight": numbers such as 1e400 would be rounded, so they stay text.',
        ],
      ],
    )
    const { body: page } = await call('GET /documents?sort=order')
    assert.deepEqual(
      page.data.map(({ data }: { data: object }) => data),
      [
        { order: '2033735037361704962', weight: 1.5 },
        { order: '2033735037361704963', weight: '1e400' },
      ],
    )
  })

  test('is refused at a number that would be rounded, in a column of numbers', async () => {
    const schema = { type: 'object', properties: { order: { type: 'integer' } } }
    const { call } = await newCollection({ schema, unique: ['order'] })
    const file = 'order;n\n7;1\n2033735037361704962;2\n9.007.199.254.740.993;3\n1e400;4\n'
    const path = 'POST /documents/import?mode=upsert&by=order'
    const { body } = await call(path, undefined, csv(file))
    assert.equal(body.inserted, 1)
    assert.deepEqual(
      body.errors.map(({ line, errors }: any) => [line, errors[0].path, errors[0].message]),
      [3, 4, 5].map((line) => [
        line,
        '/order',
        'is a number that would be rounded; send it as a string',
      ]),
    )
  })

  test('is refused with the original text of the cell', async () => {
    const { call } = await newCollection({
      schema: {
        type: 'object',
        properties: {
          day: { type: 'string', format: 'date' },
          total: { type: 'number', maximum: 10 },
        },
      },
    })
    const file = 'day;total\n31-02-2024;5\n01-03-2024;12,50\n'
    const path = 'POST /documents/import?locale=nl-NL'
    const { body } = await call(path, undefined, csv(file))
    assert.deepEqual(
      body.errors.map(({ errors }: any) => errors[0].value),
      ['31-02-2024', '12,50'],
      JSON.stringify(body),
    )
  })
})
