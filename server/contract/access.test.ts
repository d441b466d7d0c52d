/** Tests of the intersection of two limits. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { intersectAccess } from './access.ts'
import type { Access } from './caller.ts'

const key: Access = {
  sites: ['a', 'b'],
  apps: ['x'],
  collections: ['orders', 'guests'],
  limited_by: 'api_key',
}
const member: Access = {
  sites: ['b', 'c'],
  apps: [],
  collections: ['guests'],
  limited_by: 'member',
}

test('the combined access is unlimited without limits', () => {
  assert.equal(intersectAccess(null, null), null)
})

test('the combined access is the only limit if there is one', () => {
  assert.deepEqual(intersectAccess(key, null), key)
  assert.deepEqual(intersectAccess(null, member), member)
})

test('the combined access is the common part of two limits, and names the first', () => {
  const left = { sites: ['b'], apps: [], collections: ['guests'] }
  assert.deepEqual(intersectAccess(key, member), { ...left, limited_by: 'api_key' })
  assert.deepEqual(intersectAccess(member, key), { ...left, limited_by: 'member' })
})

test('the combined access is empty, not unlimited, for disjoint limits', () => {
  const nothing = { sites: [], apps: [], collections: [], limited_by: 'api_key' }
  assert.deepEqual(intersectAccess(key, { ...nothing, limited_by: 'member' }), nothing)
})
