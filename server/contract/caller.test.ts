/**
 * Tests of mayBeReal for every combination of the key's mode, the project's shape and the rail's
 * mode. The expected table is written out, so that a change of the rule fails.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isTest, mayBeReal, type Caller, type Mode, type ProjectRow, type Rail } from './caller.ts'

const railNames: Rail[] = ['phone', 'outbound', 'sms', 'email', 'payments', 'domains']

/** [mode of the key, shape of the project, value of the rail, expected result] */
const table: [Mode, ProjectRow['shape'], Mode, boolean][] = [
  ['live', 'single', 'live', true],
  ['live', 'single', 'test', false],
  ['live', 'live', 'live', true],
  ['live', 'live', 'test', false],
  ['live', 'test', 'live', false],
  ['live', 'test', 'test', false],
  ['test', 'single', 'live', false],
  ['test', 'single', 'test', false],
  ['test', 'live', 'live', false],
  ['test', 'live', 'test', false],
  ['test', 'test', 'live', false],
  ['test', 'test', 'test', false],
]

const facts: Omit<ProjectRow, 'shape' | 'rails'> = {
  id: '0193a5d0-0000-7000-8000-000000000001',
  name: 'Bakery',
  edition: 'api',
  pair_id: null,
  plan: 'reachable',
  enabled: true,
  owner_email: null,
  account_type: 'business',
  company_status: 'approved',
  number_documents_status: 'approved',
  full_status: 'approved',
  company_reason: null,
  number_documents_reason: null,
  full_reason: null,
  verification_given: [],
  company_round: 0,
  verification_round: 0,
  company_reviewed: false,
  phone_verified: true,
  card: true,
  payment_authenticated: true,
  spending_limit_micro: null,
  numbers_count: 0,
  national_numbers_count: 0,
  national_orders_count: 0,
  created_at: new Date(0),
  deleted_at: null,
  offline_at: null,
  offline_reason: null,
  purge_started_at: null,
  plan_lowered_at: null,
  imported_at: null,
  deleted_by_operator: false,
}

/** A project in which only `rail` has the value, and all other rails the opposite. */
function callerWith(
  [mode, shape, value]: (typeof table)[number],
  rail: Rail,
): Pick<Caller, 'mode' | 'project'> {
  const other = value === 'live' ? 'test' : 'live'
  const of = (name: Rail): Mode => (name === rail ? value : other)
  const rails = {
    phone: of('phone'),
    outbound: of('outbound'),
    sms: of('sms'),
    email: of('email'),
    payments: of('payments'),
    domains: of('domains'),
  }
  return { mode, project: { ...facts, shape, rails } }
}

describe('mayBeReal', () => {
  for (const row of table) {
    const [mode, shape, value, real] = row
    test(`${real ? 'yes' : 'no'}: ${mode} key, ${shape} project, rail ${value}`, () => {
      for (const rail of railNames) assert.equal(mayBeReal(callerWith(row, rail), rail), real, rail)
    })
  }
  test('is false for test keys, whatever else is live', () => {
    assert(table.every(([mode, , , real]) => mode === 'live' || !real))
  })
  test('is tested with each combination once', () => {
    assert.equal(new Set(table.map((row) => row.slice(0, 3).join(' '))).size, 2 * 3 * 2)
  })
})

test('isTest is true for test keys', () => {
  assert.equal(isTest({ mode: 'test' }), true)
  assert.equal(isTest({ mode: 'live' }), false)
})
