/** Errors that a larger plan resolves name the page of the plan at every entry point. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { standingClock } from '../../../test/fixtures/bare-runtime.ts'
import { liveFixture } from '../../../test/fixtures/live-projects.ts'
import { callMessage, post } from '../../../test/fixtures/mcp/mcp.ts'
import { planFixture, slugOf } from '../../../test/fixtures/plans/plans.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { plans } from '../../contract/plans.ts'
import * as projects from '../projects/service.ts'

const fixture = await openTestRuntime({ work: false, clock: standingClock() })
const { runtime } = fixture
const { newOwner } = planFixture(fixture)
const owner = await newOwner()
const { project_id } = owner
const key = await fixture.newKey({ project_id })
for (let n = 0; n < plans.free.collections_max; n += 1)
  await fixture.call('POST /collections', { key, body: { name: `c${n}` } })
const plan_url = `${runtime.config.public_url}/portal/app/projects/${project_id}/billing/plan`
const body = { name: 'more' }

describe('an exhausted plan limit', () => {
  test('links to the plan page over REST', async () => {
    const answer = await fixture.call('POST /collections', { key, body })
    assert.equal(slugOf(answer), 'collection_limit_reached')
    assert.equal(answer.body.plan_url, plan_url)
    assert.match(
      answer.body.next_step,
      /larger plan in the portal under Billing, at Plan; plan_url/,
    )
  })

  test('links to the plan page over MCP', async () => {
    const asked = { operation: 'collections.create', arguments: body }
    const message = callMessage('run_write_operation', asked)
    const { result } = (await post(fixture, message, { key })).body
    const problem = JSON.parse(result.content[0].text)
    assert.equal(problem.plan_url, plan_url)
    assert.match(problem.next_step, /ask the owner to choose a larger plan in the portal/)
  })

  test('links to the plan page in the portal', async () => {
    const answer = await owner.call('POST /collections', body)
    assert.equal(answer.body.plan_url, plan_url)
    assert.equal(answer.body.larger_plan, 'Online')
    assert.match(
      answer.body.next_step,
      /^Delete a collection, or choose a larger plan under Billing/,
    )
  })
})

describe('409 plan_limit_reached', () => {
  test('links to the plan page when the team is full', async () => {
    const answer = await owner.call('POST /invitations', { email: 'a@b.example', role: 'viewer' })
    assert.deepEqual([answer.status, slugOf(answer)], [409, 'plan_limit_reached'], answer.text)
    assert.equal(answer.body.plan_url, plan_url)
    assert.match(answer.body.next_step, /choose a larger plan under Billing, at Plan/)
  })
})

describe('402 plan_limit_reached', () => {
  test('links to the existing plan page of the project when it orders a live number', async () => {
    const live = liveFixture(fixture)
    const ready = await live.readyProject()
    await projects.change(runtime.db, ready.project_id, { plan: 'free' })
    const answer = await live.order(ready.key)
    assert.deepEqual([answer.status, slugOf(answer)], [402, 'plan_limit_reached'])
    assert.ok(answer.body.plan_url.endsWith(`/projects/${ready.project_id}/billing/plan`))
    const page = await fetch(answer.body.plan_url.replace(runtime.config.public_url, fixture.url))
    assert.equal(page.status, 200)
  })
})

test('omits plan_url from errors that a larger plan does not resolve', async () => {
  const answer = await fixture.call('POST /collections', { key, body: { name: '' } })
  assert.equal('plan_url' in answer.body, false)
})
