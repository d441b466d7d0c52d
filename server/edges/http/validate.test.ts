/**
 * Tests of the wording of validation errors: the relevant branch of a union, and a limited number.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { createBodyValidator } from './validate.ts'

const nullable = createBodyValidator(
  Type.Object({
    name: Type.Union([Type.String({ maxLength: 3 }), Type.Null()]),
    place: Type.Union([Type.Object({ city: Type.String() }), Type.Null()]),
    target: Type.Union([
      Type.Object({ kind: Type.Literal('a'), number: Type.Integer() }),
      Type.Object({ kind: Type.Literal('b'), number: Type.String() }),
    ]),
  }),
)
const target = { kind: 'a', number: 1 }

test('the validator reports the constraint for a value of the right type in a nullable field', () => {
  assert.deepEqual(nullable({ name: 'Anna', place: null, target }), [
    { path: '/name', message: 'must NOT have more than 3 characters' },
  ])
})

test('the validator reports the accepted types for a value of another type', () => {
  assert.deepEqual(nullable({ name: 4, place: null, target }), [
    { path: '/name', message: 'must be string or null' },
  ])
})

test('the validator reports an error inside a nullable object at its path', () => {
  assert.deepEqual(nullable({ name: null, place: { city: 1 }, target }), [
    { path: '/place/city', message: 'must be string' },
  ])
})

test('the validator reports errors of the union branch that the discriminator selects', () => {
  const faults = (target: object) => nullable({ name: null, place: null, target })
  assert.deepEqual(faults({ kind: 'b', number: 7 }), [
    { path: '/target/number', message: 'must be string' },
  ])
  assert.deepEqual(faults({ kind: 'a' }), [{ path: '/target/number', message: 'is required' }])
})

test("the validator lists the discriminator's values if none matches", () => {
  const faults = (target: object) => nullable({ name: null, place: null, target })
  const names = '"a","b"'
  assert.deepEqual(faults({ kind: 'c', number: 7 }), [
    { path: '/target/kind', message: `must be one of ${names}` },
  ])
  assert.deepEqual(faults({ number: 7 }), [
    { path: '/target/kind', message: `is required, one of ${names}` },
  ])
})

test('the validator accepts a value that matches one branch of a union', () => {
  assert.deepEqual(nullable({ name: 'Ann', place: { city: 'Delft' }, target }), [])
})

test('the validator reports a hundred of fifty thousand errors', () => {
  const closed = createBodyValidator(Type.Object({}, { additionalProperties: false }))
  const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`key${at}`, 1]))
  const faults = closed(many)
  assert.equal(faults.length, 100)
  assert.deepEqual(faults[0], { path: '/key0', message: 'is not a field of this request' })
})
