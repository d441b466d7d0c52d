/** Compares scopes and event types with the specification's tables. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  eventTypeNames,
  eventTypes,
  isCallEvent,
  isEmailEvent,
  isEventType,
} from '../../server/contract/event-types.ts'
import { isScope, scopeNames, scopes } from '../../server/contract/scopes.ts'
import { rowsOf } from './specification.ts'

describe('the scopes', () => {
  const rows = rowsOf('scopes')

  it('begin with the 16 scopes of the specification in their order, with their descriptions', () => {
    const actual = Object.entries(scopes).map(([name, { about, read_only }]) => [
      name,
      about,
      read_only ? 'yes' : 'no',
    ])
    assert.equal(rows.length, 16)
    assert.deepEqual(actual.slice(0, rows.length), rows)
    assert.deepEqual(scopeNames, Object.keys(scopes))
  })

  it('are recognized by isScope', () => {
    assert.ok(scopeNames.every(isScope))
    for (const word of ['', 'project', 'assistant:read', 'toString', '__proto__', 'DATA:READ']) {
      assert.equal(isScope(word), false, word)
    }
  })
})

describe('the event types', () => {
  const rows = rowsOf('events')

  it('begin with the 16 types of the specification in their order, with their descriptions', () => {
    assert.equal(rows.length, 16)
    assert.deepEqual(Object.entries(eventTypes).slice(0, rows.length), rows)
    assert.deepEqual(eventTypeNames, Object.keys(eventTypes))
  })

  it('contain two call events and five email events', () => {
    assert.deepEqual(eventTypeNames.filter(isCallEvent), ['call.completed', 'call.summary.ready'])
    assert.deepEqual(
      eventTypeNames.filter(isEmailEvent),
      ['sent', 'delivered', 'delayed', 'bounced', 'complained'].map((end) => `email.${end}`),
    )
  })

  it('are recognized by isEventType', () => {
    assert.ok(isEventType('webhook.test'))
    for (const word of ['', 'call', 'email.', 'email.opened', 'constructor']) {
      assert.equal(isEventType(word), false, word)
    }
  })
})
