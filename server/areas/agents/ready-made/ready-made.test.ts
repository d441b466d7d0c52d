/** Tests each ready-made agent: installs it, triggers it, and checks its effects. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openAgents } from '../../../../test/fixtures/agents/agents.ts'
import { prepareEmail } from '../../../../test/fixtures/email/prepare-email.ts'
import { eventually } from '../../../../test/fixtures/eventually.ts'
import { callPortalApi, decide } from '../../../../test/fixtures/mcp/approvals.ts'
import { loaf } from '../../../../test/fixtures/payments/shop.ts'
import { signIn } from '../../../../test/fixtures/portal/portal.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'

const fixture = await openTestRuntime()
const email = 'owner@bakery.example'
const agents = await openAgents(fixture, email)
const { project_id, made, key } = agents
await prepareEmail({
  runtime: fixture,
  project_id,
  made: (route, body) => made(route, Object(body)),
})
const number = await made('POST /numbers', {})
const from = 'orders@bakery.example'
const valid = {
  from,
  collection: 'contact',
  supplier: 'anna@example.com',
  site: crypto.randomUUID(),
} as const

async function listed(language = 'en'): Promise<any[]> {
  return (await fixture.call(`GET /agents/templates?language=${language}`, { key })).body.data
}

async function install(template: string, settings: object = {}): Promise<string> {
  const body = { template, settings, timezone: 'Europe/Amsterdam' }
  const agent = await made('POST /agents/install', body)
  assert.deepEqual([agent.status, agent.next_run_at], ['disabled', null])
  return agent.id
}

async function installed(template: string, settings: object = {}): Promise<string> {
  const id = await install(template, settings)
  const { status } = await made(`POST /agents/${id}/enable`)
  assert.equal(status, 'active')
  return id
}

async function tried(id: string, body: object = {}) {
  const run = await made(`POST /agents/${id}/run`, { ...body, dry_run: true })
  const { status, steps } = await agents.ended(id, run.id)
  return [status, ...steps.map((step: { status: string }) => step.status)]
}

/** Starts the agent and returns its completed run. */
async function runNow(id: string) {
  const run = await agents.ended(id, (await agents.start(id)).id)
  assert.equal(run.status, 'completed', JSON.stringify(run))
  return run
}

/** Waits until the newest run waits at step `seq`, and approves the step. Returns its arguments. */
async function approve(id: string, seq: number): Promise<any> {
  const step = await eventually(async () => {
    const [run] = await agents.runsOf(id)
    return run && (await agents.runOf(id, run.id)).steps[seq - 1]
  })
  const { approval_id, input } = step
  assert.ok(approval_id, JSON.stringify(step))
  const path = `GET /approvals/${approval_id}`
  const statusNow = async () => (await fixture.look(path, project_id)).body.status
  await eventually(async () => (await statusNow()) === 'pending')
  const person = await signIn(fixture, email)
  await decide(fixture, person, { project_id, id: approval_id, verb: 'approve' })
  await eventually(async () => (await statusNow()) === 'executed')
  fixture.passes('1 minute')
  return input
}

async function completes(id: string) {
  await eventually(async () => (await agents.runsOf(id))[0]?.status === 'completed')
}

describe('the ready-made agent', () => {
  test('order_confirmation mails and texts the customer of a paid order, each once approved', async () => {
    const id = await installed('order_confirmation', { from })
    const customer = { email: 'anna@example.com', phone: '+447700900000' }
    const { order } = await made('POST /orders', { items: [loaf], customer })
    await made(`POST /test/orders/${order.id}`, { outcome: 'paid' })
    const mail = await approve(id, 1)
    assert.deepEqual([mail.to, mail.subject], [['anna@example.com'], 'Thank you for order 1'])
    assert.equal((await approve(id, 2)).to, '+447700900000')
    await completes(id)
    assert.deepEqual(await tried(id, { event_id: 'latest' }), [
      'completed',
      'would_wait',
      'would_wait',
    ])
  })

  test('missed_call sends a missed caller a text message once approved', async () => {
    const id = await installed('missed_call')
    const from = '+447700900001'
    await made('POST /test/calls', { number_id: number.id, turns: [{ hangup: true }], from })
    assert.equal((await approve(id, 1)).to, from)
    await completes(id)
  })

  test('form_summary mails the owner daily at 8 what was sent since yesterday', async () => {
    const id = await install('form_summary', { collection: 'contact' })
    assert.equal((await tried(id))[0], 'failed')
    await made('POST /collections', { name: 'contact' })
    await made('POST /collections/contact/documents', { name: 'Old', message: 'Hi' })
    fixture.passes('2 days')
    assert.deepEqual(await tried(id), ['completed', 'done', 'skipped', 'skipped'])
    await made('POST /collections/contact/documents', { name: 'Anna', message: 'Hello' })
    const { next_run_at } = await made(`POST /agents/${id}/enable`)
    assert.match(next_run_at, /T0[67]:00:00/)
    const { steps } = await runNow(id)
    assert.match(steps[1].input.text, /^Since yesterday.*\n\n- name: Anna, message: Hello$/)
    assert.equal(steps[2].status, 'skipped')
  })

  test('form_summary mails the owner if too much was sent for one mail', async () => {
    const id = await installed('form_summary', { collection: 'stories' })
    await made('POST /collections', { name: 'stories' })
    for (const letter of ['x', 'y'])
      await made('POST /collections/stories/documents', { text: letter.repeat(40_000) })
    const { steps } = await runNow(id)
    assert.match(steps[2].input.text, /does not fit in a mail/)
  })

  test('low_stock mails the supplier what is low, once approved', async () => {
    const settings = { collection: 'stock', minimum: 6, supplier: 'anna@example.com', from }
    const id = await installed('low_stock', settings)
    await made('POST /collections', { name: 'stock' })
    for (const [name, stock] of [
      ['Flour', 5],
      ['Salt', 9],
    ] as const)
      await made('POST /collections/stock/documents', { name, stock })
    await agents.start(id)
    assert.equal((await approve(id, 2)).text, 'Please send us 10 pieces of each:\n\n- Flour')
    await completes(id)
  })

  test('open_questions mails the questions without an answer, and proposes facts that the owner edits', async () => {
    const id = await installed('open_questions')
    await made('PUT /assistant', { name: 'Robin', instructions: 'We sell bread.' })
    await made('POST /conversations', { message: 'Do you sell submarines?' })
    const run = await agents.start(id)
    const { approval_id } = await eventually(async () => (await agents.runOf(id, run.id)).steps[2])
    const path = `/projects/${project_id}/approvals/${approval_id}`
    const person = await signIn(fixture, email)
    const read = () => callPortalApi(fixture, person, `GET ${path}`)
    const { body } = await eventually(async () => {
      const answer = await read()
      return answer.status === 200 && answer
    })
    assert.equal(body.effect, 'writes')
    const edited = { ...body.arguments, answer: 'No, only bread.' }
    const said = { input_hash: body.input_hash, arguments: edited }
    assert.equal((await callPortalApi(fixture, person, `PUT ${path}/arguments`, said)).status, 200)
    await decide(fixture, person, { project_id, id: approval_id, verb: 'approve' })
    fixture.passes('1 minute')
    const ended = await agents.ended(id, run.id)
    assert.match(ended.steps[1].input.text, /\n\n- Do you sell submarines\?$/)
    const { facts } = (await fixture.look('GET /assistant', project_id)).body
    assert.deepEqual(facts.at(-1), {
      question: 'Do you sell submarines?',
      answer: 'No, only bread.',
    })
  })

  test('weekly_report mails the owner the page views of each day as a chart', async () => {
    const site = await made('POST /sites', {
      slug: 'bakery',
      visibility: 'unlisted',
      files: [{ path: 'index.html', content: 'Bread' }],
    })
    const id = await installed('weekly_report', { site: site.id })
    const { steps } = await runNow(id)
    const { labels, values } = steps[1].input.chart
    assert.deepEqual([labels.length, values], [7, [0, 0, 0, 0, 0, 0, 0]])
  })
})

describe('GET /agents/templates', () => {
  test('lists ready-made agents, each of which can be installed in both languages', async () => {
    const dutch = await listed('nl')
    for (const { template, name, settings } of await listed()) {
      const names = settings.map((one: { name: string }) => one.name)
      const given = Object.entries(valid).filter(([setting]) => names.includes(setting))
      for (const language of ['en', 'nl']) {
        const body = { template, language, settings: Object.fromEntries(given) }
        const agent = await made('POST /agents/install', body)
        const shown = dutch.find((one) => one.template === template)
        assert.equal(agent.name, language === 'en' ? name : shown.name)
        assert.equal((await fixture.call(`DELETE /agents/${agent.id}`, { key })).status, 204)
      }
    }
  })
})

describe('POST /agents/install', () => {
  test('refuses missing, invalid and unknown settings, and an unknown template', async () => {
    for (const [settings, paths] of [
      [{}, ['/settings/from']],
      [{ from: 'nobody' }, ['/settings/from']],
      [{ from: '{{event.data.x}}@a.example' }, ['/settings/from']],
      [{ from, colour: 'red' }, ['/settings/colour']],
    ] as const) {
      const body = { template: 'order_confirmation', settings }
      const refused = await fixture.call('POST /agents/install', { key, body })
      assert.equal(refused.status, 422, refused.text)
      const found = refused.body.errors.map(({ path }: { path: string }) => path)
      assert.deepEqual(found, paths)
    }
    const stock = { collection: 'stock', supplier: 'anna@example.com', from }
    for (const body of [
      { template: 'cake' },
      { template: 'low_stock', settings: { ...stock, order_amount: 0 } },
      { template: 'low_stock', settings: { ...stock, order_amount: 1.5 } },
    ])
      assert.equal((await fixture.call('POST /agents/install', { key, body })).status, 422)
  })
})
