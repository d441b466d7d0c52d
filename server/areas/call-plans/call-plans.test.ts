/** Tests of call plans over HTTP: GET and PUT /numbers/{id}/call-plan. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openTestRuntime, type Answer } from '../../../test/fixtures/runtime.ts'
import type { Caller } from '../../contract/caller.ts'
import type { ErrorSlug } from '../../contract/error-catalogue.ts'
import { Problem } from '../../contract/errors.ts'
import { newId } from '../../kernel/values/ids.ts'
import * as keys from '../keys/service.ts'
import * as projects from '../projects/service.ts'
import * as callPlans from './service.ts'

const runtime = await openTestRuntime({ work: false })

const goodbye = { entry: 'bye', nodes: { bye: { id: 'bye', type: 'hangup', text: 'Goodbye.' } } }
const answering = { entry: 'ai', nodes: { ai: { id: 'ai', type: 'ai_agent' } } }
const forwardTo = (...targets: unknown[]) => ({
  entry: 'team',
  nodes: { team: { id: 'team', type: 'forward', strategy: 'sequential', targets } },
})
const external = (e164: string) => ({ kind: 'external', e164 })

interface Fixture {
  key: string
  project_id: string
  id: string
  e164: string
  show(): Promise<Answer>
  put(body: unknown, if_match?: string): Promise<Answer>
  send(raw: string): Promise<Answer>
}

let orders = 0

async function orderNumber(key: string): Promise<{ id: string; e164: string }> {
  const headers = { 'idempotency-key': `order-${++orders}` }
  const { status, body } = await runtime.call('POST /numbers', { key, body: {}, headers })
  assert.equal(status, 201)
  return body
}

/** A new project with one test number. */
async function aNumber(): Promise<Fixture> {
  const { project_id } = await runtime.newProject()
  const key = await runtime.newKey({ project_id })
  const { id, e164 } = await orderNumber(key)
  const path = `/numbers/${id}/call-plan`
  return {
    key,
    project_id,
    id,
    e164,
    show: () => runtime.call(`GET ${path}`, { key }),
    put: (body, if_match) =>
      runtime.call(`PUT ${path}`, { key, body, headers: if_match ? { 'if-match': if_match } : {} }),
    send: (raw) => runtime.call(`PUT ${path}`, { key, raw }),
  }
}

async function setUpAssistant(key: string): Promise<void> {
  const body = { name: 'Anna', greeting: 'Good day.', instructions: 'Help callers.' }
  const { status, text } = await runtime.call('PUT /assistant', { key, body })
  assert.equal(status, 200, text)
}

function refuses(answer: Answer, status: number, slug: ErrorSlug): void {
  assert.equal(answer.status, status, answer.text)
  assert.equal(answer.body.type.split('/').at(-1), slug)
}

describe('a number without a plan', () => {
  it('follows a plan of version 0 that asks the caller to try later', async () => {
    const { show, id } = await aNumber()
    const { status, body, headers } = await show()
    assert.equal(status, 200)
    assert.equal(headers.get('etag'), '"0"')
    const { plan, ...others } = body
    assert.deepEqual(others, { number_id: id, version: 0, source: 'project' })
    assert.equal(plan.nodes[plan.entry].type, 'hangup')
    assert.match(plan.nodes[plan.entry].text, /try again later/)
  })

  it('is answered by the assistant once that is configured', async () => {
    const { show, key } = await aNumber()
    await setUpAssistant(key)
    const { body } = await show()
    assert.deepEqual([body.version, body.source], [0, 'project'])
    assert.equal(body.plan.nodes[body.plan.entry].type, 'ai_agent')
  })

  it("follows the project's own plan if there is one", async () => {
    const { show, project_id, put } = await aNumber()
    const text = '{"nodes": {"x": {"type": "hangup", "id": "x"}}, "entry": "x"}'
    const now = runtime.clock.now()
    const row = {
      project_id,
      number_id: null,
      version: 7,
      plan: text,
      created_at: now,
      updated_at: now,
    }
    await runtime.runtime.db.transact((tx) => tx.insertInto('call_plans').values(row).execute())
    const { body, text: reply } = await show()
    assert.deepEqual([body.version, body.source], [0, 'project'])
    assert.ok(reply.includes(text))
    assert.deepEqual((await put(goodbye)).body.source, 'number')
  })
})

describe('PUT /numbers/{id}/call-plan', () => {
  it('replies like the following GET', async () => {
    const { put, show, id } = await aNumber()
    const written = await put(goodbye)
    assert.equal(written.status, 200, written.text)
    assert.deepEqual(written.body, { number_id: id, version: 1, source: 'number', plan: goodbye })
    assert.equal(written.headers.get('etag'), '"1"')
    const read = await show()
    assert.equal(read.text, written.text)
    assert.equal(read.headers.get('etag'), '"1"')
  })

  it('keeps the plan exactly as sent: unknown keys, key order, spaces and numbers', async () => {
    const { send, show } = await aNumber()
    const text =
      ' {"zoom":1.50, "nodes" : {"10":{"type":"hangup","id":"10","colour":"\\u00e9"},\n' +
      '"2":{"position":[1e3,-0.0],"id":"2","type":"readText","text":"é","next":"10"}},"entry":"2"}'
    assert.ok((await send(text)).text.includes(`"plan":${text}`))
    assert.ok((await show()).text.includes(`"plan":${text}`))
  })

  it('increments the version, and needs no If-Match', async () => {
    const { put } = await aNumber()
    for (const version of [1, 2, 3]) assert.equal((await put(goodbye)).body.version, version)
  })

  it('accepts the version from the ETag, quoted, weak or bare', async () => {
    const { put } = await aNumber()
    for (const [index, if_match] of ['"0"', '"1"', 'W/"2"', '3', '*'].entries()) {
      assert.equal((await put(goodbye, if_match)).body.version, index + 1, if_match)
    }
  })

  it('refuses an outdated version with the current one: 412 version_conflict', async () => {
    const { put, show } = await aNumber()
    await put(goodbye)
    await put(goodbye)
    for (const if_match of ['"0"', '"1"', '"3"', '"999999999"']) {
      const answer = await put(forwardTo(external('+31201234567')), if_match)
      refuses(answer, 412, 'version_conflict')
      assert.equal(answer.body.current_version, 2)
    }
    assert.deepEqual((await show()).body.plan, goodbye)
  })

  it('refuses a nonzero version for a number without a plan, which has version 0', async () => {
    const { put } = await aNumber()
    const answer = await put(goodbye, '"1"')
    refuses(answer, 412, 'version_conflict')
    assert.equal(answer.body.current_version, 0)
  })

  it('refuses an invalid If-Match: 400 invalid_parameter', async () => {
    const { put } = await aNumber()
    for (const if_match of ['"abc"', '"-1"', '"1", "abc"', '"1.5"']) {
      refuses(await put(goodbye, if_match), 400, 'invalid_parameter')
    }
  })

  it('accepts one of two concurrent requests with the same If-Match', async () => {
    const { put, show } = await aNumber()
    for (const version of [0, 1, 2]) {
      const plans = [goodbye, forwardTo(external('+31201234567'))]
      const answers = await Promise.all(plans.map((plan) => put(plan, `"${version}"`)))
      const statuses = answers.map(({ status }) => status)
      assert.deepEqual(statuses.toSorted(), [200, 412])
      assert.deepEqual((await show()).body.plan, plans[statuses.indexOf(200)])
    }
  })

  it('does not conflict with another number of the same project', async () => {
    const { put, show, key } = await aNumber()
    const other = await orderNumber(key)
    await put(goodbye)
    const path = `/numbers/${other.id}/call-plan`
    assert.equal((await runtime.call(`GET ${path}`, { key })).body.version, 0)
    const plan = forwardTo(external('+31201234567'))
    assert.equal((await runtime.call(`PUT ${path}`, { key, body: plan })).body.version, 1)
    assert.deepEqual((await show()).body.plan, goodbye)
  })
})

describe('an invalid plan', () => {
  it('is refused with every fault at once: 422 validation_failed', async () => {
    const { put, show } = await aNumber()
    const nodes = { a: { id: 'b', type: 'menu' }, c: { id: 'c', type: 'queue' } }
    const answer = await put({ entry: 'x', nodes })
    refuses(answer, 422, 'validation_failed')
    assert.deepEqual(
      answer.body.errors.map(({ path }: { path: string }) => path),
      ['/entry', '/nodes/a/prompt', '/nodes/a/options', '/nodes/a/id', '/nodes/c/type'],
    )
    assert.match(answer.body.detail, /5 faults/)
    assert.equal((await show()).body.version, 0)
  })

  it('is refused with both faults if it has no entry and no nodes', async () => {
    const { put } = await aNumber()
    const answer = await put({})
    refuses(answer, 422, 'validation_failed')
    assert.equal(answer.body.errors.length, 2)
  })

  it('is refused if it is not an object', async () => {
    const { put } = await aNumber()
    for (const body of [[], 'plan', 7, null]) refuses(await put(body), 422, 'validation_failed')
  })

  it('is refused if it is longer than 64 kB, spaces included', async () => {
    const { send } = await aNumber()
    const text = JSON.stringify(goodbye)
    refuses(await send(text.padEnd(65_537)), 422, 'validation_failed')
    assert.equal((await send(text.padEnd(65_536))).status, 200)
  })

  it('is refused if it hands over to an assistant that is not configured', async () => {
    const { put, key } = await aNumber()
    refuses(await put(answering), 422, 'assistant_not_configured')
    await setUpAssistant(key)
    assert.equal((await put(answering)).status, 200)
  })

  it('is refused with a team member as target: 422 team_targets_not_allowed', async () => {
    const { put } = await aNumber()
    const team = { kind: 'user', user_id: 'u1' }
    refuses(await put(forwardTo(external('112'), team)), 422, 'team_targets_not_allowed')
  })

  it('is refused with a forbidden target: 422 forward_target_not_allowed', async () => {
    const { put, e164, key } = await aNumber()
    const other = await orderNumber(key)
    for (const target of [
      '112',
      '+44999',
      '+31900123456',
      '+881612345678',
      '+442',
      e164,
      other.e164,
    ]) {
      const answer = await put(forwardTo(external('+31201234567'), external(target)))
      refuses(answer, 422, 'forward_target_not_allowed')
      assert.equal(answer.body.errors[0].path, '/nodes/team/targets/1/e164')
      assert.ok(answer.body.detail.includes(target))
    }
  })

  it('may forward a test number to the fictional range, where ringing is simulated', async () => {
    const { put } = await aNumber()
    assert.equal((await put(forwardTo(external('+447700900001')))).status, 200)
  })
})

describe('the plan of a missing number', () => {
  it('is not found for an unknown number or one of another project', async () => {
    const mine = await aNumber()
    const theirs = await aNumber()
    await theirs.put(goodbye)
    for (const id of [theirs.id, newId(runtime.clock), 'no-id']) {
      const path = `/numbers/${id}/call-plan`
      refuses(await runtime.call(`GET ${path}`, { key: mine.key }), 404, 'not_found')
      refuses(await runtime.call(`PUT ${path}`, { key: mine.key, body: goodbye }), 404, 'not_found')
    }
    assert.equal((await theirs.show()).body.version, 1)
  })

  it('is deleted when the number is released', async () => {
    const { put, show, key, id, project_id } = await aNumber()
    await put(goodbye)
    assert.equal((await runtime.call(`DELETE /numbers/${id}`, { key })).status, 200)
    refuses(await show(), 404, 'not_found')
    refuses(await put(goodbye), 404, 'not_found')
    const rows = await runtime.runtime.db
      .selectFrom('call_plans')
      .selectAll()
      .where('project_id', '=', project_id)
      .execute()
    assert.deepEqual(rows, [])
  })
})

describe('service functions for other areas', () => {
  const facts = (number: Fixture) => {
    return { id: number.id, e164: number.e164, type: 'national', test: true } as const
  }

  /** The caller as HTTP requests with a key produce it. */
  async function callerOf({ project_id }: Fixture): Promise<Caller> {
    const project = await projects.find(runtime.runtime.db, project_id)
    assert.ok(project)
    return {
      runtime: runtime.runtime,
      db: runtime.runtime.db,
      project,
      mode: 'test',
      key_id: newId(runtime.clock),
      scopes: new Set(keys.allScopes),
      access: null,
      idempotency_key: null,
      request_id: 'req_test',
      remember: async () => {},
    }
  }

  it("return the plan that a call follows: the number's own, or its default", async () => {
    const number = await aNumber()
    const plan = () => callPlans.findPlanFor(runtime.runtime.db, number.project_id, number.id)
    assert.equal(Object.values((await plan()).nodes)[0]?.type, 'hangup')
    await number.put(forwardTo(external('+31201234567')))
    assert.equal((await plan()).nodes['team']?.type, 'forward')
    await runtime.runtime.db.transact((tx) =>
      callPlans.removePlanOf(tx, number.project_id, number.id),
    )
    await setUpAssistant(number.key)
    assert.equal(Object.values((await plan()).nodes)[0]?.type, 'ai_agent')
  })

  it('accept that voice AI is unavailable: 402, checked after the assistant', async () => {
    const number = await aNumber()
    const caller = await callerOf(number)
    const text = JSON.stringify(answering)
    const input = {
      number: facts(number),
      own_numbers: [],
      findPlayable: async () => new Set<string>(),
      plan: answering,
      text,
      if_match: null,
    }
    const slugOf = (voice_ai: boolean) =>
      callPlans.putPlan(caller, { ...input, voice_ai }).catch((error: unknown) => {
        assert.ok(error instanceof Problem)
        return `${error.status} ${error.slug}`
      })
    assert.equal(await slugOf(false), '422 assistant_not_configured')
    await setUpAssistant(number.key)
    assert.equal(await slugOf(false), '402 voice_ai_not_enabled')
    assert.notEqual(typeof (await slugOf(true)), 'string')
  })

  it('lock the number if asked, so that a number released meanwhile gets no plan', async () => {
    const number = await aNumber()
    const caller = await callerOf(number)
    const text = JSON.stringify(goodbye)
    const hold = () => Promise.reject(new Problem('not_found', 'It was released.'))
    const input = {
      number: facts(number),
      own_numbers: [],
      findPlayable: async () => new Set<string>(),
      plan: goodbye,
      text,
      if_match: null,
    }
    await assert.rejects(callPlans.putPlan(caller, { ...input, hold }), /It was released/)
    assert.equal((await number.show()).body.version, 0)
  })
})
