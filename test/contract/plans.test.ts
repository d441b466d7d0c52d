/** Compares the plans with the numbers of the specification. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { isPlan, planNames, plans } from '../../server/contract/plans.ts'

/** Splits a text at white space. */
function words(text: string): string[] {
  return text.trim().split(/\s+/)
}

function plansWith(member: 'live_numbers' | 'live_payments' | 'dedicated_sending_ip') {
  return planNames.filter((plan) => plans[plan][member])
}

describe('the plans', () => {
  it('are five, with the collections and the Free limits of the specification', () => {
    assert.deepEqual(planNames, ['free', 'online', 'reachable', 'business', 'enterprise'])
    assert.deepEqual(Object.keys(plans), planNames)
    const collections = planNames.map((plan) => plans[plan].collections_max)
    assert.deepEqual(collections.slice(0, 4), [20, 50, 100, 200])
    const { app_bytes_max: _ours, ...given } = plans.free
    assert.deepEqual(given, {
      title: 'Free',
      sites_max: 3,
      collections_max: 20,
      data_bytes_max: 10_485_760,
      files_bytes_max: 104_857_600,
      team_members_max: 1,
      live_numbers: false,
      live_payments: false,
      dedicated_sending_ip: false,
    })
  })

  it('exclude live numbers and payments from Free, and a dedicated sending IP from all but the largest two', () => {
    assert.deepEqual(plansWith('live_numbers'), planNames.slice(1))
    assert.deepEqual(plansWith('live_payments'), planNames.slice(1))
    assert.deepEqual(plansWith('dedicated_sending_ip'), ['business', 'enterprise'])
  })

  it('never include less than the smaller plan, and three sites each', () => {
    const amounts = words('collections_max data_bytes_max files_bytes_max team_members_max')
    for (const [index, plan] of planNames.entries()) {
      assert.equal(plans[plan].sites_max, 3)
      const before = planNames[index - 1]
      if (before === undefined) continue
      const smaller = new Map<string, unknown>(Object.entries(plans[before]))
      for (const [member, amount] of Object.entries(plans[plan])) {
        if (amounts.includes(member)) assert.ok(Number(amount) > Number(smaller.get(member)), plan)
      }
      assert.ok(plans[plan].app_bytes_max > plans[before].app_bytes_max)
    }
  })

  it('are recognized by isPlan', () => {
    assert.ok(planNames.every(isPlan))
    for (const word of ['', 'Free', 'pro', 'valueOf']) assert.equal(isPlan(word), false, word)
  })
})
