/**
 * Tests of proposed agents, dry runs over past events, agents that a signed request starts, actions
 * that a person approves in advance, and versions.
 */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, test } from 'node:test'
import { addTo, manual, openAgents } from '../../../../test/fixtures/agents/agents.ts'
import { eventually } from '../../../../test/fixtures/eventually.ts'
import { callPortalApi } from '../../../../test/fixtures/mcp/approvals.ts'
import { signIn } from '../../../../test/fixtures/portal/portal.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'

const fixture = await openTestRuntime()
const email = 'owner@bakery.example'
const agents = await openAgents(fixture, email)
const { key, made, project_id } = agents

describe('POST /agents/propose', () => {
  test('turns sentences in English and Dutch into a trigger and steps', async () => {
    await made('POST /collections', { name: 'bookings', webhook_on_insert: true })
    const timezone = 'Europe/Amsterdam'
    for (const [description, trigger, actions, period] of [
      [
        'Every evening mail me the orders of today',
        '0 20 * * *',
        ['orders.list', 'notify.owner'],
        '{{today_start}}',
      ],
      [
        'Mail me the orders every month',
        '0 8 1 * *',
        ['orders.list', 'notify.owner'],
        '{{month_ago}}T00:00:00Z',
      ],
      [
        'Mail mij elke maandag om 9:30 de nieuwe boekingen (bookings)',
        '30 9 * * 1',
        ['documents.list', 'notify.owner'],
        'created_at > @now - 7d',
      ],
      [
        'Stuur mij wekelijks de onbeantwoorde vragen',
        '0 8 * * 1',
        ['unanswered_questions.list', 'notify.owner'],
      ],
      [
        'On weekdays at 6 pm tell me about the calls',
        '0 18 * * 1-5',
        ['calls.list', 'notify.owner'],
        '{{today_start}}',
      ],
      [
        'Elke maandag om 9 uur een overzicht van de bestellingen van deze week mailen',
        '0 9 * * 1',
        ['orders.list', 'notify.owner'],
        '{{week_ago}}T00:00:00Z',
      ],
      [
        'Mail me the orders every single day at 8',
        '0 8 * * *',
        ['orders.list', 'notify.owner'],
        '{{today_start}}',
      ],
      ...(
        [
          ['afternoon', '0 16 * * *'],
          ['night', '0 23 * * *'],
          ['weekday', '0 8 * * 1-5'],
        ] as const
      ).map(
        ([when, cron]) =>
          [
            `Mail me the orders every single ${when}`,
            cron,
            ['orders.list', 'notify.owner'],
            '{{today_start}}',
          ] as const,
      ),
      ...(
        [
          ['elke nieuwe middag', '0 12 * * *', '{{today_start}}'],
          ['elke nieuwe nacht', '0 23 * * *', '{{today_start}}'],
          ['elke nieuwe werkdag', '0 8 * * 1-5', '{{today_start}}'],
          ['elk nieuw weekend', '0 8 * * 6', '{{week_ago}}T00:00:00Z'],
        ] as const
      ).map(
        ([when, cron, since]) =>
          [
            `Mail mij ${when} de bestellingen`,
            cron,
            ['orders.list', 'notify.owner'],
            since,
          ] as const,
      ),
      ['When I miss a call, send the caller a text', 'call.completed', ['messages.send']],
      ['Let me know when an order is paid', 'order.paid', ['notify.owner']],
      ['Mail me every new booking as soon as it comes in', 'document.created', ['notify.owner']],
      ['Stuur mij een mail bij elke nieuwe bestelling', 'order.paid', ['notify.owner']],
      ['Tell me about bookings of more than 6 guests', 'document.created', ['notify.owner']],
    ] as const) {
      const { agent, mode } = await made('POST /agents/propose', { description, timezone })
      assert.deepEqual(
        [mode, agent.trigger.cron ?? agent.trigger.event],
        ['steps', trigger],
        description,
      )
      assert.deepEqual(
        agent.steps.map(({ action }: any) => action),
        actions,
        description,
      )
      const { filter, since } = agent.steps[0].input
      assert.equal(filter ?? since, period, description)
      const saved = await made('POST /agents', agent)
      assert.deepEqual([saved.status, saved.instructions], ['disabled', description])
      // A project has at most 20 agents.
      await fixture.call(`DELETE /agents/${saved.id}`, { key })
      if (trigger === 'document.created')
        assert.match(agent.trigger.filter, /"bookings"(?: and document\.data\.guests > 6)?$/)
    }
  })

  test('takes orders in a collection of that name for documents, unless they are paid', async () => {
    await made('POST /collections', { name: 'orders', webhook_on_insert: true })
    for (const [description, event] of [
      ['When an order comes in, mail me the order', 'document.created'],
      ['Let me know when an order is paid', 'order.paid'],
    ] as const) {
      const { agent } = await made('POST /agents/propose', { description })
      assert.equal(agent.trigger.event, event, description)
    }
  })

  test('takes orders in a collection with that title for documents', async () => {
    await made('POST /collections', {
      name: 'taarten',
      title: 'Bestellingen',
      webhook_on_insert: true,
    })
    const description = 'Stuur mij een mail bij elke nieuwe bestelling'
    const { agent } = await made('POST /agents/propose', { description })
    assert.equal(agent.trigger.filter, 'collection.name = "taarten"')
  })

  test('says that a sentence fits no steps if no language model is configured', async () => {
    for (const description of [
      'Be nice to everybody',
      'Every monday an overview of the orders to anna@bakery.example',
      'Elke maandag een overzicht van de bestellingen naar Anna',
    ]) {
      const refused = await fixture.call('POST /agents/propose', { key, body: { description } })
      assert.equal(refused.status, 422, description)
      assert.match(refused.body.user_message, /fits no fixed steps/)
    }
  })
})

describe('POST /agents/{id}/try', () => {
  test('shows what the agent would have done with each past event', async () => {
    const [watched, target] = [await agents.newCollection(), await agents.newCollection()]
    const filter = `collection.name = "${watched}" and document.data.guests > 6`
    const agent = await agents.newAgent({
      trigger: { type: 'event', event: 'document.created', filter },
      steps: [addTo(target, { guests: '{{event.data.document.data.guests}}' })],
      status: 'disabled',
    })
    assert.equal(
      (await fixture.call(`POST /agents/${agent.id}/try`, { key, body: {} })).status,
      404,
    )
    for (const guests of [7, 2, 9]) await made(`POST /collections/${watched}/documents`, { guests })
    const { data } = await made(`POST /agents/${agent.id}/try`, {})
    const runs = await Promise.all(data.map(({ id }: any) => agents.ended(agent.id, id)))
    const shown = runs.map(({ steps: [{ status, input }] }) => [status, input.body.guests])
    assert.deepEqual(shown, [
      ['would_run', 9],
      ['would_run', 7],
    ])
    assert.deepEqual(await agents.documents(target), [])
  })
})

describe('a signed request', () => {
  // One time for all, because a repeated request has the same signature.
  const t = Math.floor(fixture.runtime.clock.now_ms() / 1000)
  const send = (url: string, secret: string, text: string) => sendWith('', { url, secret, text })
  const sendWith = (
    before: string,
    { url, secret, text }: Record<'url' | 'secret' | 'text', string>,
  ) => {
    const mac = createHmac('sha256', secret).update(`${t}.${text}`).digest('hex')
    const signature = `${before}t=${t},v1=${mac}`
    const headers = { 'service-signature': signature, 'content-type': 'application/json' }
    return fetch(`${fixture.url}${new URL(url).pathname}`, { method: 'POST', headers, body: text })
  }

  test('starts the agent once also if its header is varied, with its body as input, and is refused with another secret', async () => {
    const name = await agents.newCollection()
    const steps = [addTo(name, { ticket: '{{input.ticket}}' })]
    const agent = await agents.newAgent({ trigger: { type: 'webhook' }, steps })
    const { url, secret } = await made(`POST /agents/${agent.id}/url`, {})
    const text = JSON.stringify({ ticket: 7 })
    const first = await send(url, secret, text)
    const { run_id } = (await first.json()) as any
    assert.equal(first.status, 202)
    assert.equal(((await (await send(url, secret, text)).json()) as any).run_id, run_id)
    const varied = await sendWith('v1=00,', { url, secret, text })
    assert.equal(((await varied.json()) as any).run_id, run_id)
    const run = await agents.ended(agent.id, run_id)
    assert.deepEqual([run.status, run.trigger.type], ['completed', 'webhook'])
    assert.deepEqual(await agents.documents(name), [{ ticket: 7 }])
    const rotated = await made(`POST /agents/${agent.id}/url`, { rotate: true })
    assert.notEqual(rotated.secret, secret)
    assert.equal((await send(url, secret, text)).status, 403)
    assert.equal((await send(url, rotated.secret, 'no JSON')).status, 400)
    await made(`POST /agents/${agent.id}/disable`)
    assert.equal((await send(url, rotated.secret, '{}')).status, 409)
    assert.equal((await send(url.slice(0, -1), secret, text)).status, 403)
  })
})

describe('an action that a person approved in advance', () => {
  const sms = { action: 'messages.send', input: { to: '+447700900000', text: 'Hello.' } }
  const setPolicy = async (id: string, approval_policy: object[], version = 1) => {
    const path = `PUT /projects/${project_id}/agents/${id}/approval-policy`
    return callPortalApi(fixture, await signIn(fixture, email), path, { version, approval_policy })
  }

  test('runs at once up to its cap, then waits, and waits again after a change of the agent', async () => {
    await made('POST /numbers', {})
    const agent = await agents.newAgent({ trigger: manual, steps: [sms] })
    const policy = [{ action: 'messages.send', max_per_day: 1 }]
    const { body, status } = await setPolicy(agent.id, policy)
    assert.deepEqual([status, body.approval_policy], [200, policy], JSON.stringify(body))
    const first = await agents.ended(agent.id, (await agents.start(agent.id)).id)
    assert.deepEqual(
      [first.status, first.steps[0].approval_id],
      ['completed', null],
      JSON.stringify(first),
    )
    const waits = async (run_id: string) =>
      eventually(async () => (await agents.runOf(agent.id, run_id)).status === 'waiting_approval')
    const second = await agents.start(agent.id)
    await waits(second.id)
    await made(`POST /agents/${agent.id}/runs/${second.id}/cancel`)
    fixture.passes('25 hours')
    const fresh = await fixture.newKey({ project_id })
    const changed = await fixture.call(`PATCH /agents/${agent.id}`, {
      key: fresh,
      body: { steps: [{ ...sms, input: { to: '+447700900001', text: 'Hello.' } }] },
    })
    assert.deepEqual([changed.body.version, changed.body.approval_policy], [2, []])
    // The person saw the version before.
    assert.equal((await setPolicy(agent.id, policy)).status, 409)
    const third = await fixture.call(`POST /agents/${agent.id}/run`, { key: fresh, body: {} })
    await waits(third.body.id)
  })

  test('is never a refund or a deletion, and no key can approve it', async () => {
    const steps = [
      { action: 'orders.refund', input: { id: crypto.randomUUID() } },
      { action: 'collections.delete', input: { name: 'x' } },
      { action: 'emails.create_batch', input: { body: { emails: [] } } },
    ]
    const fresh = await fixture.newKey({ project_id })
    const body = { name: 'Helper', trigger: manual, steps }
    const { id } = (await fixture.call('POST /agents', { key: fresh, body })).body
    for (const action of [
      'orders.refund',
      'collections.delete',
      'emails.create_batch',
      'messages.send',
    ])
      assert.equal((await setPolicy(id, [{ action, max_per_day: 1 }])).status, 422, action)
    const path = `PUT /projects/${project_id}/agents/${id}/approval-policy`
    const by_key = await fixture.call(path, {
      key: fresh,
      body: { version: 1, approval_policy: [] },
    })
    assert.equal(by_key.status, 404)
  })
})

test('GET /agents/{id}/versions lists every version, newest first', async () => {
  const fresh = await fixture.newKey({ project_id })
  const body = { name: 'One', trigger: manual, steps: [addTo('log')] }
  const { id } = (await fixture.call('POST /agents', { key: fresh, body })).body
  await fixture.call(`PATCH /agents/${id}`, { key: fresh, body: { name: 'Two' } })
  const list = (query: string) => fixture.call(`GET /agents/${id}/versions${query}`, { key: fresh })
  const first = (await list('?limit=1')).body
  const second = (await list(`?limit=1&cursor=${first.next_cursor}`)).body
  const shown = [...first.data, ...second.data].map(({ version, name }) => [version, name])
  assert.deepEqual(shown, [
    [2, 'Two'],
    [1, 'One'],
  ])
  assert.equal(second.next_cursor, null)
})
