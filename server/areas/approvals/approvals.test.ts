/** What a proposal becomes, who sees it, and when its time is over. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTestHouse } from '../../../test/ground/house.ts'
import { askFor, problemOf, runTool } from '../../../test/ground/approvals.ts'

const ground = await openTestHouse({ work: false })
const { project_id } = ground

async function newCollection(): Promise<string> {
  const name = `c-${crypto.randomUUID().slice(0, 12)}`
  const made = await ground.call('POST /collections', { body: { name } })
  assert.equal(made.status, 201, made.text)
  return name
}

describe('what a client that cannot ask wants to delete', () => {
  test('is not done, and waits with an address where a person decides', async () => {
    const name = await newCollection()
    const problem = problemOf(await runTool(ground, 'collections.delete', { name }))
    assert.deepEqual([problem.slug, problem.status], ['confirmation_required', 409])
    const { id, url, expires_at } = problem.approval
    assert.equal(
      url,
      `${ground.house.config.public_url}/portal/projects/${project_id}/approvals/${id}`,
    )
    const hours = (Date.parse(expires_at) - ground.clock.now_ms()) / 3_600_000
    assert.ok(hours > 71.9 && hours <= 72, String(hours))
    assert.match(problem.user_message, /needs your yes/)
    assert.ok(problem.user_message.includes(url))
    assert.match(problem.next_step, new RegExp(`get_approval and the id ${id}`))
    assert.equal((await ground.call(`GET /collections/${name}`)).status, 200)
  })
})
void askFor
