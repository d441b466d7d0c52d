/** Tests of simulated calls over HTTP with the real plan interpreter, relay and assistant. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { writeSummary } from './conversation/summarise.ts'

const runtime = await openTestRuntime()

const assistant = {
  name: 'Mill Bakery',
  greeting: 'Mill Bakery, good day.',
  instructions: 'We bake sourdough bread.',
  languages: ['en'],
  facts: [
    { question: 'What does a sourdough loaf cost?', answer: 'A sourdough loaf costs 4.50 euro.' },
    { question: 'Do you have parking?', answer: 'You can park behind the shop for free.' },
  ],
}

interface Shop {
  project_id: string
  key: string
  number_id: string
  e164: string
  plan(nodes: Record<string, object>, entry?: string): Promise<void>
  ring(turns: object[], more?: object): Promise<any>
}

let shops = 0

/** Creates a project with an assistant and one test number. */
async function openShop({ configured = true } = {}): Promise<Shop> {
  const { project_id } = await runtime.newProject()
  const key = await runtime.newKey({ project_id })
  if (configured) await runtime.call('PUT /assistant', { key, body: assistant })
  const number = await runtime.call('POST /numbers', {
    key,
    body: {},
    headers: { 'idempotency-key': `shop-${++shops}` },
  })
  const number_id = number.body.id
  return {
    project_id,
    key,
    number_id,
    e164: number.body.e164,
    async plan(nodes, entry = Object.keys(nodes)[0]!) {
      const named = Object.fromEntries(
        Object.entries(nodes).map(([id, node]) => [id, { id, ...node }]),
      )
      const put = await runtime.call(`PUT /numbers/${number_id}/call-plan`, {
        key,
        body: { entry, nodes: named },
      })
      assert.equal(put.status, 200, put.text)
    },
    async ring(turns, more = {}) {
      const made = await runtime.call('POST /test/calls', {
        key,
        body: { number_id, turns, ...more },
      })
      assert.equal(made.status, 201, made.text)
      const detail = await runtime.call(`GET /calls/${made.body.id}`, { key }) // GET /calls/{id}
      assert.equal(detail.status, 200)
      return detail.body
    },
  }
}

const agent = { agent: { type: 'ai_agent' } }
const forward = (ending: string, more = {}) => ({
  type: 'forward',
  strategy: 'sequential',
  ringSeconds: 20,
  targets: [{ kind: 'external', e164: `+31612345${ending}` }],
  ...more,
})
const says = (call: any, role: string) =>
  call.transcript.filter((line: any) => line.role === role).map((line: any) => line.text)
const outcome = ({ status, hangup_cause, hangup_by, has_summary }: any) => [
  status,
  hangup_cause,
  hangup_by,
  has_summary,
]

describe('a call that the assistant answers', () => {
  test('is answered from the configured facts, and ends', async () => {
    const shop = await openShop()
    await shop.plan(agent)
    const call = await shop.ring([
      { say: 'What does a sourdough loaf cost?' },
      { say: 'Thank you, goodbye.' },
    ])
    assert.deepEqual(outcome(call), ['ai_handled', 'normal_clearing', 'assistant', true])
    assert.match(says(call, 'assistant')[0], /^Mill Bakery, good day\./)
    assert.match(says(call, 'assistant')[1], /4\.50 euro/)
    assert.deepEqual(says(call, 'caller'), [
      'What does a sourdough loaf cost?',
      'Thank you, goodbye.',
    ])
  })
  const spoken = [
    ['nl', 'Hallo, ik wil graag weten wat een brood kost.'],
    ['de', 'Guten Tag, ich möchte wissen, was ein Brot kostet.'],
    ['fr', 'Bonjour, je voudrais savoir combien coûte un pain.'],
  ] as const
  for (const [language, say] of spoken)
    test(`has the language ${language} if the caller speaks it`, async () => {
      const shop = await openShop()
      await shop.plan(agent)
      assert.equal((await shop.ring([{ say }])).language, language)
      assert.equal((await shop.ring([{ say }], { language: 'en-GB' })).language, 'en-GB')
    })

  test('has no language if the caller says nothing', async () => {
    const shop = await openShop()
    await shop.plan(agent)
    assert.equal((await shop.ring([{ hangup: true }])).language, null)
  })

  test('has every field of the specification', async () => {
    const shop = await openShop()
    await shop.plan(agent)
    const call = await shop.ring([{ say: 'Hello' }], { from: '+447700900555', language: 'en' })
    for (const field of [
      'id',
      'direction',
      'from',
      'to',
      'status',
      'created_at',
      'started_at',
      'answered_at',
      'ended_at',
      'duration_sec',
      'hangup_cause',
      'has_summary',
      'summary_ready_at',
      'test',
    ])
      assert.ok(field in call, field)
    assert.deepEqual(
      [call.direction, call.from, call.to, call.test],
      ['inbound', '+447700900555', shop.e164, true],
    )
    assert.ok(
      call.started_at <= call.answered_at &&
        call.answered_at <= call.ended_at &&
        call.ended_at === call.created_at,
    )
    assert.ok(call.duration_sec > 0)
    assert.deepEqual(Object.keys(call.summary), [
      'text',
      'topics',
      'sentiment',
      'action_items',
      'next_step',
    ])
  })
  test('counts as handled if the caller hangs up in the middle', async () => {
    const shop = await openShop()
    await shop.plan(agent)
    const call = await shop.ring([
      { say: 'Do you have parking?' },
      { hangup: true },
      { say: 'never heard' },
    ])
    assert.deepEqual(outcome(call), ['ai_handled', 'normal_clearing', 'caller', true])
    assert.ok(!call.transcript.some((line: any) => line.text === 'never heard'))
  })
  test('gets no invented answer', async () => {
    const shop = await openShop()
    await shop.plan(agent)
    const call = await shop.ring([{ say: 'Who won the world cup in 1974?' }, { hangup: true }])
    assert.doesNotMatch(says(call, 'assistant').join(' '), /1974|Germany/)
    assert.ok(call.summary.action_items.length > 0, 'an open question is something to do')
  })
  test('ends by itself if the caller is silent', async () => {
    const shop = await openShop()
    await shop.plan(agent)
    const call = await shop.ring([{ silence_ms: 60_000 }])
    assert.equal(call.status, 'ai_handled')
    assert.equal(call.hangup_by, 'assistant')
  })
  test('needs no plan: for a number without one, the assistant answers if it is configured', async () => {
    const shop = await openShop()
    assert.equal((await shop.ring([{ say: 'Do you have parking?' }])).status, 'ai_handled')
  })
  test('asks the caller to try later if there is no assistant', async () => {
    const shop = await openShop({ configured: false })
    const call = await shop.ring([{ say: 'Hello?' }])
    assert.notEqual(call.status, 'ai_handled')
    assert.deepEqual([call.has_summary, call.summary], [false, null])
  })
})

describe('a caller who hangs up before an answer', () => {
  for (const [where, nodes] of [
    ['on the assistant', agent],
    ['while it rings', { ring: forward('678', { onNoAnswer: 'agent' }), ...agent }],
  ] as const) {
    test(`is missed ${where}, and gets no summary`, async () => {
      const shop = await openShop()
      await shop.plan(nodes)
      const call = await shop.ring([{ hangup: true }])
      assert.deepEqual(outcome(call), ['missed', 'originator_cancel', 'caller', false])
      assert.equal(call.answered_at, null)
    })
  }
  test('is missed after five seconds of ringing, with a duration of 0', async () => {
    const shop = await openShop()
    await shop.plan({ ring: forward('678', { onNoAnswer: 'agent' }), ...agent })
    const call = await shop.ring([{ silence_ms: 5000 }, { hangup: true }])
    assert.deepEqual([call.status, call.duration_sec], ['missed', 0])
    assert.equal(Date.parse(call.ended_at) - Date.parse(call.started_at), 5000)
  })
})

describe('a forward node', () => {
  test('rings, and continues at onNoAnswer', async () => {
    const shop = await openShop()
    await shop.plan({ ring: forward('678', { onNoAnswer: 'agent' }), ...agent })
    const call = await shop.ring([{ say: 'Do you have parking?' }])
    assert.deepEqual(call.path, ['ring', 'agent'])
    assert.equal(call.status, 'ai_handled')
    assert.ok(
      Date.parse(call.answered_at) - Date.parse(call.started_at) >= 20_000,
      'it rang for twenty seconds',
    )
  })
  test('connects to a number that ends in 000', async () => {
    const shop = await openShop()
    await shop.plan({ ring: forward('000', { onNoAnswer: 'agent' }), ...agent })
    assert.deepEqual(outcome(await shop.ring([{ say: 'Hello' }])), [
      'forwarded',
      'normal_clearing',
      'callee',
      false,
    ])
  })
  test('continues at once if the target is busy (002) or fails (003)', async () => {
    for (const ending of ['002', '003']) {
      const shop = await openShop()
      await shop.plan({ ring: forward(ending, { onNoAnswer: 'agent' }), ...agent })
      const call = await shop.ring([{ say: 'Hello' }])
      assert.equal(call.status, 'ai_handled')
      assert.ok(Date.parse(call.answered_at) - Date.parse(call.started_at) < 5000)
    }
  })
  test('ends the call as missed if it has no onNoAnswer', async () => {
    const shop = await openShop()
    await shop.plan({ ring: forward('678') })
    const call = await shop.ring([{ say: 'Hello' }])
    assert.deepEqual(
      [call.status, call.hangup_cause, call.has_summary],
      ['missed', 'no_answer', false],
    )
  })
  test('rings several targets in sequence', async () => {
    const shop = await openShop()
    const targets = ['678', '002', '000'].map((ending) => ({
      kind: 'external',
      e164: `+31612345${ending}`,
    }))
    await shop.plan({ ring: forward('', { targets }) })
    const call = await shop.ring([])
    assert.equal(call.status, 'forwarded')
    assert.equal(says(call, 'system').length, 3)
  })
})

describe('a transfer by the assistant', () => {
  const asks = [{ say: 'Can I speak to a human?' }, { say: 'Yes please.' }, { hangup: true }]

  async function transferTo(phone: string) {
    const shop = await openShop()
    await runtime.call('PUT /assistant', {
      key: shop.key,
      body: { ...assistant, transfer: { phone } },
    })
    await shop.plan(agent)
    return shop.ring(asks)
  }

  test('rings the number in its settings', async () => {
    const call = await transferTo('+31612345000')
    assert.ok(
      says(call, 'system').some((text: string) => text.startsWith('+31612345000 answered')),
      JSON.stringify(call.transcript),
    )
  })
  test('never rings a premium-rate number, whatever the settings say', async () => {
    const call = await transferTo('+31900123456')
    assert.ok(says(call, 'system').every((text: string) => /is not transferred there/.test(text)))
    assert.equal(call.status, 'ai_handled')
  })
})

describe('a menu', () => {
  test('follows the pressed key', async () => {
    const shop = await openShop()
    await shop.plan({
      menu: {
        type: 'menu',
        prompt: { text: 'Press one for bread.' },
        options: { 1: 'bread', 2: 'agent' },
      },
      bread: { type: 'hangup', text: 'Bread is baked at six.' },
      ...agent,
    })
    const call = await shop.ring([{ digits: '1' }])
    assert.deepEqual(call.path, ['menu', 'bread'])
    assert.deepEqual(says(call, 'caller'), ['Pressed 1.'])
    assert.match(says(call, 'system').join(' '), /baked at six/)
  })
})

describe('POST /test/calls', () => {
  test('refuses an unknown number, and one of another project, with 404 not_found', async () => {
    const [shop, other] = [await openShop(), await openShop()]
    for (const number_id of [other.number_id, '01890b2c-7d4e-7a1b-9c3d-5e6f7a8b9c0d']) {
      const answer = await runtime.call('POST /test/calls', {
        key: shop.key,
        body: { number_id, turns: [] },
      })
      assert.equal(answer.status, 404)
    }
  })
  test('refuses a released number with 404 not_found', async () => {
    const shop = await openShop()
    await runtime.call(`DELETE /numbers/${shop.number_id}`, { key: shop.key })
    const body = { number_id: shop.number_id, turns: [] }
    assert.equal((await runtime.call('POST /test/calls', { key: shop.key, body })).status, 404)
  })
  test('refuses invalid turns with 422 and the location of each', async () => {
    const shop = await openShop()
    const turns = [
      { say: '' },
      { sing: 'la' },
      { digits: 'x' },
      { silence_ms: 0 },
      { hangup: false },
      { say: 'a', digits: '1' },
    ]
    const answer = await runtime.call('POST /test/calls', {
      key: shop.key,
      body: { number_id: shop.number_id, turns },
    })
    assert.equal(answer.status, 422)
    const places = new Set(
      answer.body.errors.map(({ path }: { path: string }) => path.split('/')[2]),
    )
    assert.deepEqual([...places].toSorted(), ['0', '1', '2', '3', '4', '5'])
  })
})

describe('GET /calls', () => {
  test('pages through all calls, newest first, each once, while new ones are added', async () => {
    const shop = await openShop({ configured: false })
    const ids: string[] = []
    for (let count = 0; count < 7; count++) ids.push((await shop.ring([])).id)
    const seen: string[] = []
    for (let cursor = ''; ;) {
      const { body } = await runtime.call(
        `GET /calls?limit=3${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
        { key: shop.key },
      )
      seen.push(...body.data.map((call: { id: string }) => call.id))
      if (body.next_cursor === null) break
      cursor = body.next_cursor
      await shop.ring([])
    }
    assert.deepEqual(seen, ids.toReversed())
  })
  test('lists calls by created_at, newest first, whatever their duration', async () => {
    const shop = await openShop({ configured: false })
    await shop.ring([])
    await shop.ring([{ silence_ms: 60_000 }])
    const { body } = await runtime.call('GET /calls', { key: shop.key })
    const times = body.data.map((call: { created_at: string }) => call.created_at)
    assert.deepEqual(times, times.toSorted().toReversed())
  })
  test('omits transcripts', async () => {
    const shop = await openShop()
    await shop.ring([])
    const { body } = await runtime.call('GET /calls', { key: shop.key })
    assert.ok(!('transcript' in body.data[0]) && !('summary' in body.data[0]))
  })
  test('refuses a cursor of another project or list with 400 invalid_parameter', async () => {
    const [shop, other] = [
      await openShop({ configured: false }),
      await openShop({ configured: false }),
    ]
    for (const one of [shop, other]) for (let count = 0; count < 2; count++) await one.ring([])
    const { body } = await runtime.call('GET /calls?limit=1', { key: other.key })
    const answer = await runtime.call(`GET /calls?cursor=${body.next_cursor}`, { key: shop.key })
    assert.deepEqual(
      [answer.status, answer.body.type.split('/').at(-1)],
      [400, 'invalid_parameter'],
    )
  })
})

describe('the list of calls', () => {
  test('filters by numbers, outcome, direction and mode', async () => {
    const { key, ring, number_id, e164 } = await openShop()
    const spoken = await ring([{ say: 'Do you have parking?' }], { from: '+447700900010' })
    const gone = await ring([{ hangup: true }], { from: '+447700900011' })
    const idsOf = async (query: string) => {
      const { status, body } = await runtime.call(`GET /calls?${query}`, { key })
      assert.equal(status, 200, JSON.stringify(body))
      return body.data.map(({ id }: any) => id)
    }
    assert.deepEqual(await idsOf(`status=${gone.status}`), [gone.id])
    assert.deepEqual(await idsOf('from=%2B447700900010'), [spoken.id])
    assert.deepEqual(await idsOf(`to=${encodeURIComponent(e164)}&test=true`), [gone.id, spoken.id])
    assert.deepEqual(await idsOf(`number_id=${number_id}&direction=inbound`), [gone.id, spoken.id])
    assert.deepEqual(await idsOf('direction=outbound'), [])
    assert.deepEqual(await idsOf('test=false'), [])
  })

  test('filters by the time of the record', async () => {
    const { key, ring } = await openShop()
    const early = await ring([{ hangup: true }])
    runtime.passes('1 hour')
    const late = await ring([{ hangup: true }])
    const since = await runtime.call(`GET /calls?since=${late.created_at}`, { key })
    assert.deepEqual(
      since.body.data.map(({ id }: any) => id),
      [late.id],
    )
    const until = await runtime.call(`GET /calls?until=${late.created_at}`, { key })
    assert.deepEqual(
      until.body.data.map(({ id }: any) => id),
      [early.id],
    )
  })

  test('finds calls by words of their transcript or summary, also with % and _ in them', async () => {
    const { key, ring } = await openShop()
    const parking = await ring([{ say: 'Do you have PARKING for a 100% electric car?' }])
    await ring([{ say: 'What does a sourdough loaf cost?' }])
    for (const [q, count] of [
      ['parking electric', 1],
      ['100% car', 1],
      ['100_ car', 0],
      ['parking sourdough', 0],
      ['sourdough', 1],
    ] as const) {
      const { body } = await runtime.call(`GET /calls?q=${encodeURIComponent(q)}`, { key })
      assert.equal(body.data.length, count, q)
    }
    const { body } = await runtime.call('GET /calls?q=parking', { key })
    assert.equal(body.data[0].id, parking.id)
  })

  test('refuses a cursor of other filters, and a search of nine words', async () => {
    const { key, ring } = await openShop()
    for (let count = 0; count < 2; count += 1) await ring([{ hangup: true }])
    const first = await runtime.call('GET /calls?limit=1&test=true', { key })
    const cursor = encodeURIComponent(first.body.next_cursor)
    const next = await runtime.call(`GET /calls?limit=1&test=true&cursor=${cursor}`, { key })
    assert.deepEqual([next.status, next.body.data.length], [200, 1])
    for (const query of [`cursor=${cursor}`, 'q=a+b+c+d+e+f+g+h+i', 'status=lost']) {
      assert.equal((await runtime.call(`GET /calls?${query}`, { key })).status, 400, query)
    }
  })
})

describe('DELETE /calls/{id}', () => {
  test('deletes a call with its transcript and messages', async () => {
    const { key, ring } = await openShop()
    const { id } = await ring([{ say: 'Please take a message: keep two loaves for Anna.' }])
    assert.equal((await runtime.call(`DELETE /calls/${id}`, { key })).status, 204)
    assert.equal((await runtime.call(`GET /calls/${id}`, { key })).status, 404)
    assert.equal((await runtime.call(`DELETE /calls/${id}`, { key })).status, 404)
    const left = await runtime.runtime.db
      .selectFrom('call_messages')
      .select('id')
      .where('call_id', '=', id)
      .execute()
    assert.deepEqual(left, [])
  })
})

describe('DELETE /calls/{id}/summary', () => {
  test('deletes the summary alone, also when repeated', async () => {
    const { key, ring } = await openShop()
    const call = await ring([{ say: 'Do you have parking?' }])
    assert.equal(call.has_summary, true)
    for (let time = 0; time < 2; time++) {
      const { status } = await runtime.call(`DELETE /calls/${call.id}/summary`, { key })
      assert.equal(status, 204)
    }
    const { body } = await runtime.call(`GET /calls/${call.id}`, { key })
    const without = { has_summary: false, summary_ready_at: null, summary: null }
    assert.deepEqual(body, { ...call, ...without })
  })

  test('prevents a summary that is not ready yet', async () => {
    const { key, ring, project_id } = await openShop()
    const { id } = await ring([{ say: 'Do you have parking?' }])
    await runtime.call(`DELETE /calls/${id}/summary`, { key })
    await writeSummary(runtime.runtime, { project_id, call_id: id })
    assert.equal((await runtime.call(`GET /calls/${id}`, { key })).body.has_summary, false)
  })

  test('refuses an unknown call with 404', async () => {
    const { ring } = await openShop()
    const { id } = await ring([{ say: 'Do you have parking?' }])
    const { key } = await openShop()
    assert.equal((await runtime.call(`DELETE /calls/${id}/summary`, { key })).status, 404)
  })
})
