/** Which problems an operation can give, by what its declaration says. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { errorCatalogue, statusesOf } from '../../../contract/errors.ts'
import {
  problemsByStatus,
  problemsOf,
  problemsOfAll,
  problemsOfKeys,
  slugs,
  statusesGiven,
} from './problems-of.ts'
import { get, harbour, list, order, put, sink, weather } from './test-operations.ts'

const has = (operation: Parameters<typeof problemsOf>[0], ...wanted: string[]) =>
  wanted.every((slug) => problemsOf(operation).some((given) => given === slug))

describe('the problems of an operation', () => {
  test('with a key hold the whole family of keys', () => {
    for (const operation of [list, get, put, order, sink]) {
      assert.ok(has(operation, ...problemsOfKeys, ...problemsOfAll), operation.name)
    }
  })

  test('without a key hold none of it', () => {
    assert.deepEqual(problemsOf(weather), [...problemsOfAll])
  })

  test('that exists only in test mode hold test_key_required, and of no other', () => {
    assert.ok(has(sink, 'test_key_required'))
    assert.ok([list, get, put, order].every((operation) => !has(operation, 'test_key_required')))
  })

  test('with a body hold what can be wrong with a body', () => {
    assert.ok(has(put, 'bad_request', 'invalid_json', 'validation_failed'))
    assert.ok(!has(list, 'invalid_json') && !has(list, 'validation_failed'))
  })

  test('that takes no body can still be sent one that is too large, unless it is a GET', () => {
    assert.ok(has(sink, 'bad_request') && !has(sink, 'invalid_json'))
    assert.ok(!has(get, 'bad_request'))
  })

  test('with an id in its path hold not_found', () => {
    assert.ok(has(put, 'not_found') && !has(list, 'not_found'))
  })

  test('with an Idempotency-Key hold all four that come with it', () => {
    const four = [
      'idempotency_key_missing',
      'idempotency_key_invalid',
      'idempotency_key_reused',
      'idempotency_request_in_progress',
    ]
    assert.ok(has(order, ...four))
    assert.ok(four.every((slug) => !has(put, slug)))
  })

  test('hold version_conflict where a version is compared, and not where one is only read', () => {
    assert.ok(has(put, 'version_conflict'))
    assert.ok(!has(get, 'version_conflict'))
  })

  test('come once each, in the order of the catalogue', () => {
    for (const operation of harbour) {
      const given = problemsOf(operation)
      assert.deepEqual(
        given,
        slugs.filter((slug) => given.includes(slug)),
        operation.name,
      )
    }
  })

  test('never hold what is no reply, even where it is declared', () => {
    assert.equal(errorCatalogue.test_free_calls_used.http, false)
    assert.ok(!has(order, 'test_free_calls_used'))
  })
})

describe('the statuses of a problem', () => {
  test('are 412 alone for a version that came in If-Match', () => {
    assert.deepEqual(statusesGiven(put, 'version_conflict'), [412])
  })

  test('are both of the catalogue elsewhere', () => {
    assert.deepEqual(statusesGiven(sink, 'version_conflict'), [409, 412])
    assert.deepEqual(statusesGiven(order, 'plan_limit_reached'), [402, 409])
  })

  test('group the problems, the lowest status first, and lose none', () => {
    for (const operation of harbour) {
      const groups = problemsByStatus(operation)
      const statuses = [...groups.keys()]
      assert.deepEqual(
        statuses,
        statuses.toSorted((left, right) => left - right),
      )
      const grouped = new Set([...groups.values()].flat())
      assert.deepEqual(grouped, new Set(problemsOf(operation)), operation.name)
      for (const [status, members] of groups) {
        for (const slug of members) assert.ok(statusesOf(slug).includes(status), slug)
      }
    }
  })

  test('put a problem of two statuses under both', () => {
    const groups = problemsByStatus(order)
    assert.ok(groups.get(402)?.includes('plan_limit_reached'))
    assert.ok(groups.get(409)?.includes('plan_limit_reached'))
  })
})
