/** Tests of the table of verification levels, for every combination of the facts behind it. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ProjectRow } from '../../contract/caller.ts'
import { listVerificationLevels } from './verification.ts'

const project: ProjectRow = {
  id: '019aafe2-7c3a-7d41-9f52-3b8e6a1c4d20',
  name: 'Test',
  edition: 'api',
  shape: 'single',
  pair_id: null,
  plan: 'free',
  enabled: true,
  owner_email: null,
  rails: {
    phone: 'test',
    outbound: 'test',
    sms: 'test',
    email: 'test',
    payments: 'test',
    domains: 'test',
  },
  account_type: 'business',
  company_status: 'not_started',
  number_documents_status: 'not_started',
  full_status: 'not_started',
  company_reason: null,
  number_documents_reason: null,
  full_reason: null,
  verification_given: [],
  company_round: 0,
  verification_round: 0,
  company_reviewed: false,
  phone_verified: false,
  card: false,
  payment_authenticated: false,
  spending_limit_micro: null,
  numbers_count: 0,
  national_numbers_count: 0,
  national_orders_count: 0,
  created_at: new Date('2026-11-23T09:30:00.000Z'),
  deleted_at: null,
  offline_at: null,
  offline_reason: null,
  purge_started_at: null,
  plan_lowered_at: null,
  imported_at: null,
  deleted_by_operator: false,
}

const levelOf = (facts: Partial<ProjectRow>, level: string) => {
  const found = listVerificationLevels({ ...project, ...facts }).find((one) => one.level === level)
  assert.ok(found)
  return found
}
const words = (names: string) => names.split(' ').filter(Boolean)

describe('the missing requirements of the level company', () => {
  const table: [mandate: boolean, authentication: boolean, phone: boolean, missing: string][] = [
    [false, false, false, 'payment_mandate payment_authentication phone_verification'],
    [false, false, true, 'payment_mandate payment_authentication'],
    [false, true, false, 'payment_mandate phone_verification'],
    [false, true, true, 'payment_mandate'],
    [true, false, false, 'payment_authentication phone_verification'],
    [true, false, true, 'payment_authentication'],
    [true, true, false, 'phone_verification'],
    [true, true, true, ''],
  ]
  for (const [card, payment_authenticated, phone_verified, missing] of table) {
    const facts = { card, payment_authenticated, phone_verified }
    test(`are ${missing || 'empty'} with ${JSON.stringify(facts)}`, () => {
      assert.deepEqual(levelOf(facts, 'company').missing, words(missing))
      assert.equal(levelOf(facts, 'company').status, 'not_started')
      const approved = levelOf({ ...facts, company_status: 'approved' }, 'company')
      assert.deepEqual([approved.status, approved.missing], ['approved', []])
    })
  }
})

describe('the missing requirements of the level number_documents', () => {
  const documents = 'document.proof_of_address document.identity'
  const table: ['business' | 'personal', 'approved' | 'not_started', missing: string][] = [
    ['business', 'not_started', `level.company ${documents} document.company_registration`],
    ['business', 'approved', `${documents} document.company_registration`],
    ['personal', 'not_started', `level.company ${documents}`],
    ['personal', 'approved', documents],
  ]
  for (const [account_type, company_status, missing] of table) {
    test(`are ${missing} for ${account_type} with company ${company_status}`, () => {
      const facts = { account_type, company_status }
      assert.deepEqual(levelOf(facts, 'number_documents').missing, words(missing))
      const approved = { ...facts, number_documents_status: 'approved' as const }
      assert.deepEqual(levelOf(approved, 'number_documents').missing, [])
    })
  }
})

describe('the missing requirements of the level full', () => {
  const table: ['approved' | 'not_started', missing: string][] = [
    ['not_started', 'level.company director_identity ubo_confirmation review'],
    ['approved', 'director_identity ubo_confirmation review'],
  ]
  for (const [company_status, missing] of table) {
    test(`are ${missing} with company ${company_status}`, () => {
      assert.deepEqual(levelOf({ company_status }, 'full').missing, words(missing))
      assert.deepEqual(levelOf({ company_status, full_status: 'approved' }, 'full').missing, [])
    })
  }
})

describe('evidence that was given', () => {
  test('is no longer missing, and a full review still is', () => {
    const verification_given = ['document.identity', 'director_identity', 'ubo_confirmation']
    const facts = { company_status: 'approved' as const, verification_given }
    assert.deepEqual(
      levelOf(facts, 'number_documents').missing,
      words('document.proof_of_address document.company_registration'),
    )
    const pending = levelOf({ ...facts, full_status: 'pending' }, 'full')
    assert.deepEqual([pending.status, pending.missing], ['pending', ['review']])
  })
})

test('a rejected level has its reason, and other levels have none', () => {
  const facts = { full_reason: 'The signature is missing.' }
  assert.equal(levelOf({ ...facts, full_status: 'rejected' }, 'full').reason, facts.full_reason)
  assert.equal(levelOf({ ...facts, full_status: 'pending' }, 'full').reason, null)
})

/** Yields every combination of the facts that determine the levels. */
function* combinations() {
  for (let number = 0; number < 2 ** 7; number += 1) {
    const is = (place: number) => Math.floor(number / 2 ** place) % 2 === 1
    const status = (place: number) => (is(place) ? 'approved' : 'not_started')
    yield {
      card: is(0),
      payment_authenticated: is(1),
      phone_verified: is(2),
      account_type: is(3) ? ('business' as const) : ('personal' as const),
      company_status: status(4),
      number_documents_status: status(5),
      full_status: status(6),
    } satisfies Partial<ProjectRow>
  }
}

test('are in four levels, in order, with status and unlocks, for every combination', () => {
  for (const facts of combinations()) {
    const levels = listVerificationLevels({ ...project, ...facts })
    const { company_status, number_documents_status, full_status } = facts
    assert.deepEqual(
      levels.map(({ level, status, unlocks }) => [level, status, unlocks.join(' ')]),
      [
        ['test', 'approved', 'test_keys test_numbers simulated_calls'],
        ['company', company_status, 'live_keys national_numbers inbound_calls'],
        ['number_documents', number_documents_status, 'geographic_numbers'],
        ['full', full_status, 'outbound_calls spending_cap_above_500_eur more_concurrent_calls'],
      ],
    )
    const approved = levels.filter(({ status }) => status === 'approved')
    assert.ok(approved.every(({ missing }) => missing.length === 0))
    assert.ok(levels.every(({ reason }) => reason === null))
  }
  assert.equal([...combinations()].length, 128)
})
