/** Edge cases of groups: numbers out of range, times out of range, unknown names. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { newFixture, slugOf } from '../../../../../test/fixtures/data/data.ts'

const { newCollection } = await newFixture()

async function filledWith(documents: object[]) {
  const { call } = await newCollection()
  for (const data of documents) assert.equal((await call('POST /documents', data)).status, 201)
  return (body: object) => call('POST /documents/query', body)
}

suite('a sum that exceeds the range of a double', () => {
  const aggregates = [
    { name: 'n', function: 'count' },
    { name: 'sum', function: 'sum', field: 'v' },
  ]
  const documents = [1e308, 1e308, 1e308].map((v) => ({ v, kind: 'large' }))
  const asking = filledWith([...documents, { v: 2, kind: 'small' }])

  test('is 422 validation_failed with the path of its aggregate, and never null', async () => {
    const answer = await (await asking)({ aggregates })
    assert.deepEqual([answer.status, slugOf(answer)], [422, 'validation_failed'], answer.text)
    assert.equal(answer.body.errors[0].path, '/aggregates/1')
    const negative = await filledWith([-1, -1].map((sign) => ({ v: sign * 1.7e308 })))
    assert.equal((await negative({ aggregates })).status, 422)
  })

  test('is allowed in groups that having excludes', async () => {
    const asked = { aggregates, group_by: [{ field: 'kind' }], having: 'sum < 1e308' }
    const { body } = await (await asking)(asked)
    assert.deepEqual(body.data, [{ kind: 'small', n: 1, sum: 2 }])
  })
})

suite('a time outside the years 1 to 9999', () => {
  for (const by of ['hour', 'day', 'week', 'month', 'year']) {
    test(`is grouped as null by ${by}`, async () => {
      const ask = await filledWith([
        { t: '0001-01-01T00:00:00+14:00' },
        { t: '9999-12-31T23:59:59-14:00' },
        { t: 'never' },
        { t: '0001-01-01' },
      ])
      const { body } = await ask({ group_by: [{ field: 't', by }] })
      const first = by === 'hour' ? '0001-01-01T00:00:00.000Z' : '0001-01-01'
      // The week of the second time begins in the year 9999.
      const last = by === 'week' ? [{ t: '9999-12-27', count: 1 }] : []
      assert.deepEqual(body.data, [
        { t: null, count: 3 - last.length },
        { t: first, count: 1 },
        ...last,
      ])
    })
  }
})

suite('a name that the rows do not have', () => {
  const n = {
    group_by: [{ field: 'address.city' }],
    aggregates: [{ name: 'n', function: 'count' }],
  }
  const wrong: [body: object, parameter: string, column: number][] = [
    [{ having: 'nope > 1' }, 'having', 1],
    [{ ...n, having: 'n > 0 and count > 1' }, 'having', 11],
    [{ ...n, having: 'created_at exists' }, 'having', 1],
    [{ ...n, having: 'address.street = "x"' }, 'having', 1],
    [{ sort: 'nope' }, 'sort', 1],
    [{ ...n, sort: '-n,id' }, 'sort', 4],
  ]
  for (const [body, parameter, column] of wrong) {
    test(`is refused with its column: ${JSON.stringify(body)}`, async () => {
      const ask = await filledWith([])
      const answer = await ask(body)
      assert.deepEqual([answer.status, slugOf(answer)], [400, 'invalid_parameter'], answer.text)
      assert.deepEqual([answer.body.parameter, answer.body.column], [parameter, column])
      assert.match(answer.body.expected, /^a name that the rows have: /)
    })
  }

  test('is not a path into a row; a path with dots is accepted as group_by writes it', async () => {
    const ask = await filledWith([{ address: { city: 'Gouda', at: { x: 1 } } }, { address: {} }])
    const asked = { ...n, having: 'address.city exists', sort: '-address.city' }
    assert.deepEqual((await ask(asked)).body.data, [{ 'address.city': 'Gouda', n: 1 }])
    const whole = { group_by: [{ field: 'address' }], having: 'address.at.x = 1', sort: 'address' }
    assert.equal((await ask(whole)).body.data.length, 1)
  })
})
