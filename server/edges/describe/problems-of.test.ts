/** Tests of the errors of an operation, derived from its declaration. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { errorCatalogue } from '../../contract/error-catalogue.ts'
import { statusesOf } from '../../contract/errors.ts'
import {
  groupProblemsByStatus,
  listProblems,
  problemsOfAll,
  problemsOfKeys,
  errorSlugs,
  listStatuses,
} from './problems-of.ts'
import { get, exampleOperations, list, order, put, sink, weather } from './test-operations.ts'

const has = (operation: Parameters<typeof listProblems>[0], ...wanted: string[]) =>
  wanted.every((slug) => listProblems(operation).some((given) => given === slug))

describe('the errors of an operation', () => {
  test('include all key errors if it needs a key', () => {
    for (const operation of [list, get, put, order, sink]) {
      assert.ok(has(operation, ...problemsOfKeys, ...problemsOfAll), operation.name)
    }
  })

  test('include no key error if it needs none', () => {
    assert.deepEqual(listProblems(weather), [...problemsOfAll])
  })

  test('include test_key_required only if it exists in test mode only', () => {
    assert.ok(has(sink, 'test_key_required'))
    assert.ok([list, get, put, order].every((operation) => !has(operation, 'test_key_required')))
  })

  test('include body errors if it has a body', () => {
    assert.ok(has(put, 'bad_request', 'invalid_json', 'validation_failed'))
    assert.ok(!has(list, 'invalid_json') && !has(list, 'validation_failed'))
  })

  test('include bad_request without a body too, except for GET', () => {
    assert.ok(has(sink, 'bad_request') && !has(sink, 'invalid_json'))
    assert.ok(!has(get, 'bad_request'))
  })

  test('include not_found if the path has an id', () => {
    assert.ok(has(put, 'not_found') && !has(list, 'not_found'))
  })

  test('include all four errors of an Idempotency-Key', () => {
    const four = [
      'idempotency_key_missing',
      'idempotency_key_invalid',
      'idempotency_key_reused',
      'idempotency_request_in_progress',
    ]
    assert.ok(has(order, ...four))
    assert.ok(four.every((slug) => !has(put, slug)))
  })

  test('include version_conflict if it compares versions, not if it only reads', () => {
    assert.ok(has(put, 'version_conflict'))
    assert.ok(!has(get, 'version_conflict'))
  })

  test('are unique and in the order of the catalogue', () => {
    for (const operation of exampleOperations) {
      const given = listProblems(operation)
      assert.deepEqual(
        given,
        errorSlugs.filter((slug) => given.includes(slug)),
        operation.name,
      )
    }
  })

  test('never include an error without an HTTP status, even if declared', () => {
    assert.equal(errorCatalogue.test_free_calls_used.http, false)
    assert.ok(!has(order, 'test_free_calls_used'))
  })
})

describe('the statuses of an error', () => {
  test('are only 412 if the version in If-Match is outdated', () => {
    assert.deepEqual(listStatuses(put, 'version_conflict'), [412])
  })

  test('are otherwise those of the error catalogue', () => {
    assert.deepEqual(listStatuses(sink, 'version_conflict'), [409, 412])
    assert.deepEqual(listStatuses(order, 'plan_limit_reached'), [402, 409])
  })

  test('are grouped in ascending order without omissions', () => {
    for (const operation of exampleOperations) {
      const groups = groupProblemsByStatus(operation)
      const statuses = [...groups.keys()]
      assert.deepEqual(
        statuses,
        statuses.toSorted((left, right) => left - right),
      )
      const grouped = new Set([...groups.values()].flat())
      assert.deepEqual(grouped, new Set(listProblems(operation)), operation.name)
      for (const [status, members] of groups) {
        for (const slug of members) assert.ok(statusesOf(slug).includes(status), slug)
      }
    }
  })

  test('list an error with two statuses under both', () => {
    const groups = groupProblemsByStatus(order)
    assert.ok(groups.get(402)?.includes('plan_limit_reached'))
    assert.ok(groups.get(409)?.includes('plan_limit_reached'))
  })
})
