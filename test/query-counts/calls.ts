/** The requests that count the statements of numbers, calls and webhooks. */
import { insertRunningCall } from '../fixtures/running-call.ts'
import { eventually } from '../fixtures/eventually.ts'
import { openReceiver } from '../fixtures/webhooks/webhook-receiver.ts'
import { limits } from '../../server/contract/limits.ts'
import { times, type Asked, type Place, type Scenario } from './scenario.ts'

let orders = 0

function order({ made }: Place): Promise<any> {
  orders += 1
  return made('POST /numbers', {}, { 'idempotency-key': `count-${orders}` })
}

const turns = [{ say: 'What are your opening hours?' }, { say: 'Thank you, goodbye.' }]
const target = { kind: 'external', e164: '+31201234567' }
const node = { id: 'a', type: 'forward', strategy: 'sequential', targets: [target] }
const planOf = (turn: number) => ({
  entry: 'a',
  nodes: {
    a: { ...node, ringSeconds: 20 + turn, onNoAnswer: 'b' },
    b: { id: 'b', type: 'hangup' },
  },
})

function onNumber(asked: (id: string, turn: number) => Asked): Scenario {
  return {
    async ready(place) {
      const { id } = await order(place)
      return (turn) => asked(id, turn)
    },
  }
}

function onCalls(asked: (id: string) => Asked): Scenario {
  return {
    rows: [1, 12],
    async ready(place, rows) {
      const number = await order(place)
      let id = ''
      await times(rows, async () => {
        const call = await place.made('POST /test/calls', { number_id: number.id, turns })
        id = call.id
      })
      return () => asked(id)
    },
  }
}

let consents = 0
const consent = ({ made }: Place) => {
  const phone = `+316${String(10_000_000 + (consents += 1))}`
  return made('POST /call-consents', { phone, source: 'Said so' })
}

function onRunningCall(asked: (id: string) => Asked): Scenario {
  return {
    async ready(place) {
      const { runtime, project_id } = place
      const { id: number_id } = await order(place)
      return async () => asked(await insertRunningCall(runtime, { project_id, number_id }))
    },
  }
}

/** So that the limit of calls at once is not reached. */
async function endRunningCalls({ runtime, project_id }: Place): Promise<void> {
  await runtime.runtime.db.transact((tx) =>
    tx.deleteFrom('live_calls').where('project_id', '=', project_id).execute(),
  )
}

function onMessages(asked: (id: string) => Asked): Scenario {
  return {
    rows: [1, 12],
    async ready(place, rows) {
      const { e164 } = await order(place)
      let id = ''
      await times(rows, async () => {
        const message = await place.made('POST /test/messages', { to: e164, text: 'Hello' })
        id = message.id
      })
      return () => asked(id)
    },
  }
}

interface Endpoint {
  id: string
  made: Place['made']
}

const url = (await openReceiver()).url
const newEndpoint = ({ made }: Place) =>
  made('POST /webhooks', { url, events: ['call.completed', 'document.created'] })

/** A scenario on an endpoint with this many deliveries. */
function onEndpoint(asked: (endpoint: Endpoint, turn: number) => Asked | Promise<Asked>): Scenario {
  return {
    rows: [1, 12],
    async ready(place, rows) {
      const { id } = await newEndpoint(place)
      await times(rows, () => place.made(`POST /webhooks/${id}/test`))
      return (turn) => asked({ id, made: place.made }, turn)
    },
  }
}

/** A scenario that replays events of an endpoint with this many of them. */
function replay(asked: (id: string) => Asked): Scenario {
  return {
    rows: [1, 12],
    async ready(place, rows) {
      const { id } = await newEndpoint(place)
      const schema = { type: 'object' }
      await place.made('POST /collections', { name: 'orders', schema, webhook_on_insert: true })
      await times(rows, () => place.made('POST /collections/orders/documents', { n: 1 }))
      return () => asked(id)
    },
  }
}

export const calls: Record<string, Scenario> = {
  'numbers.available': { ready: () => () => ({ route: 'GET /numbers/available?area=020' }) },
  'numbers.list': {
    rows: [1, limits.test_numbers_max],
    async ready(place, rows) {
      await times(rows, () => order(place))
      return () => ({ route: 'GET /numbers' })
    },
  },
  'numbers.order': {
    ready: () => (turn) => ({
      route: 'POST /numbers',
      body: {},
      headers: { 'idempotency-key': `turn-${turn}` },
    }),
  },
  'numbers.put_call_plan': onNumber((id, turn) => ({
    route: `PUT /numbers/${id}/call-plan`,
    body: planOf(turn),
  })),
  'numbers.get_call_plan': onNumber((id) => ({ route: `GET /numbers/${id}/call-plan` })),
  'numbers.release': {
    ready: (place) => async () => ({ route: `DELETE /numbers/${(await order(place)).id}` }),
  },
  'calls.list': onCalls(() => ({ route: 'GET /calls' })),
  'calls.delete': {
    rows: [1, 12],
    async ready(place, rows) {
      const number = await order(place)
      const ring = () => place.made('POST /test/calls', { number_id: number.id, turns })
      await times(rows, ring)
      return async () => ({ route: `DELETE /calls/${(await ring()).id}` })
    },
  },
  'calls.delete_summary': onCalls((id) => ({ route: `DELETE /calls/${id}/summary` })),
  'calls.get': onCalls((id) => ({ route: `GET /calls/${id}` })),
  'calls.simulate': {
    async ready(place) {
      const { id: number_id } = await order(place)
      return () => ({ route: 'POST /test/calls', body: { number_id, turns } })
    },
  },
  'calls.place': {
    async ready(place) {
      await order(place)
      await place.made('PUT /assistant', { name: 'Robin' })
      const body = { to: '+31612345001', purpose: 'transactional', instructions: 'Say hello.' }
      return async (turn) => {
        await endRunningCalls(place)
        return { route: 'POST /calls', body, headers: { 'idempotency-key': `call-${turn}` } }
      }
    },
  },
  'calls.hang_up': onRunningCall((id) => ({ route: `POST /calls/${id}/hangup` })),
  'calls.transfer': onRunningCall((id) => ({
    route: `POST /calls/${id}/transfer`,
    body: { to: '+31612345678' },
  })),
  'calls.list_consents': {
    rows: [1, 12],
    async ready(place, rows) {
      await times(rows, () => consent(place))
      return () => ({ route: 'GET /call-consents' })
    },
  },
  'calls.record_consent': {
    ready: () => (turn) => ({
      route: 'POST /call-consents',
      body: { phone: `+3161234567${turn % 10}`, source: 'Said so' },
    }),
  },
  'calls.withdraw_consent': {
    ready: (place) => async () => ({
      route: `DELETE /call-consents/${(await consent(place)).id}`,
    }),
  },
  'messages.send': {
    async ready(place) {
      await order(place)
      const body = { to: '+447700900000', text: 'Your order is ready.' }
      return () => ({ route: 'POST /messages', body })
    },
  },
  'messages.simulate': {
    async ready(place) {
      const { e164 } = await order(place)
      const body = { to: e164, text: 'Are you open?' }
      return () => ({ route: 'POST /test/messages', body })
    },
  },
  'messages.list': onMessages(() => ({ route: 'GET /messages' })),
  'messages.get': onMessages((id) => ({ route: `GET /messages/${id}` })),
  'webhooks.list': {
    rows: [1, limits.webhook_endpoints_max],
    async ready(place, rows) {
      await times(rows, () => newEndpoint(place))
      return () => ({ route: 'GET /webhooks' })
    },
  },
  'webhooks.create': {
    ready: () => () => ({ route: 'POST /webhooks', body: { url, events: ['call.completed'] } }),
  },
  'webhooks.get': onEndpoint(({ id }) => ({ route: `GET /webhooks/${id}` })),
  'webhooks.update': onEndpoint(({ id }, turn) => ({
    route: `PATCH /webhooks/${id}`,
    body: { events: turn % 2 === 0 ? ['call.completed'] : ['call.summary.ready'] },
  })),
  'webhooks.enable': onEndpoint(({ id }) => ({ route: `POST /webhooks/${id}/enable` })),
  'webhooks.delete': {
    ready: (place) => async () => ({ route: `DELETE /webhooks/${(await newEndpoint(place)).id}` }),
  },
  'webhooks.rotate_secret': onEndpoint(({ id }) => ({
    route: `POST /webhooks/${id}/rotate-secret`,
  })),
  'webhooks.test': onEndpoint(({ id }) => ({ route: `POST /webhooks/${id}/test` })),
  'webhooks.list_deliveries': onEndpoint(({ id }) => ({ route: `GET /webhooks/${id}/deliveries` })),
  'webhooks.get_delivery': onEndpoint(async ({ id, made }) => {
    const { delivery_id } = await made(`POST /webhooks/${id}/test`)
    return { route: `GET /webhooks/${id}/deliveries/${delivery_id}` }
  }),
  'deliveries.redeliver': onEndpoint(async ({ id, made }) => {
    const { delivery_id } = await made(`POST /webhooks/${id}/test`)
    // The reply may come before its attempt has ended, and a running delivery is not sent again.
    const path = `/webhooks/${id}/deliveries/${delivery_id}`
    await eventually(async () => (await made(`GET ${path}`)).attempts.length > 0)
    return { route: `POST /deliveries/${delivery_id}/redeliver` }
  }),
  'webhooks.replay': replay((id) => {
    const now_ms = Date.now()
    const at = (offset_ms: number) => new Date(now_ms + offset_ms).toISOString()
    const body = { from: at(-3_600_000), to: at(60_000) }
    return { route: `POST /webhooks/${id}/replay`, body }
  }),
}
