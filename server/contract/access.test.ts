/** What two limits allow together. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bothAllow } from './access.ts'
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

test('without any limit it is the whole project', () => {
  assert.equal(bothAllow(null, null), null)
})

test('one limit alone counts as it is', () => {
  assert.deepEqual(bothAllow(key, null), key)
  assert.deepEqual(bothAllow(null, member), member)
})

test('two limits leave what is in both, and the first is named', () => {
  const left = { sites: ['b'], apps: [], collections: ['guests'] }
  assert.deepEqual(bothAllow(key, member), { ...left, limited_by: 'api_key' })
  assert.deepEqual(bothAllow(member, key), { ...left, limited_by: 'member' })
})

test('limits that have nothing in common leave nothing, and not everything', () => {
  const nothing = { sites: [], apps: [], collections: [], limited_by: 'api_key' }
  assert.deepEqual(bothAllow(key, { ...nothing, limited_by: 'member' }), nothing)
})
