/** The requests that count the statements of collections, documents and forms. */
import { openSite, newAddress, ORIGIN } from '../fixtures/sites/site.ts'
import { times, type Asked, type Place, type Scenario } from './scenario.ts'

const schema = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string' }, guests: { type: 'integer', minimum: 1 } },
}
const settings = { schema, indexes: ['guests'], unique: ['name'] }
const MANY = [1, 30] as const
const documents = '/collections/bookings/documents'

const booking = (name: string, guests = 4) => ({ name, guests })

async function collection(place: Place, rows: number, more: object = {}): Promise<string[]> {
  await place.made('POST /collections', { name: 'bookings', ...settings, ...more })
  const ids: string[] = []
  await times(rows, async (n) => {
    const { id } = await place.made(`POST ${documents}`, booking(`Guest ${n}`))
    ids.push(id)
  })
  return ids
}

/** A scenario on one of this many documents. */
function onDocument(asked: (id: string, turn: number) => Asked): Scenario {
  return {
    rows: MANY,
    async ready(place, rows) {
      const [id = ''] = await collection(place, rows)
      return (turn) => asked(id, turn)
    },
  }
}

function onCollection(asked: (turn: number, rows: number) => Asked, more?: object): Scenario {
  return {
    rows: MANY,
    async ready(place, rows) {
      await collection(place, rows, more)
      return (turn) => asked(turn, rows)
    },
  }
}

const tokenInput = { allowed_origins: [ORIGIN] }

function onToken(asked: (id: string, turn: number) => Asked): Scenario {
  return {
    rows: MANY,
    async ready(place, rows) {
      await times(rows - 1, () => place.made('POST /chat-tokens', tokenInput))
      const { id } = await place.made('POST /chat-tokens', tokenInput)
      return (turn) => asked(id, turn)
    },
  }
}

/** A scenario on the page of a visitor. */
function onPage(asked: (turn: number, rows: number) => Asked): Scenario {
  const open = { public_read: true, public_write: true, readable_fields: ['name', 'guests'] }
  return {
    rows: MANY,
    async ready(place, rows) {
      await collection(place, rows, { ...open, form: { challenge: false } })
      const { token } = await openSite(place.runtime, { project_id: place.project_id })
      return (turn) => ({
        ...asked(turn, rows),
        key: token,
        headers: { origin: ORIGIN, 'x-forwarded-for': newAddress() },
      })
    },
  }
}

const query = {
  group_by: [{ field: 'guests', name: 'guests' }],
  aggregates: [{ name: 'all', function: 'count' }],
}
const lines = (turn: number, count: number) =>
  Array.from({ length: count }, (_, n) => booking(`Line ${turn} ${n}`))

export const data: Record<string, Scenario> = {
  'chat_tokens.list': onToken(() => ({ route: 'GET /chat-tokens' })),
  'chat_tokens.create': {
    ready: () => () => ({ route: 'POST /chat-tokens', body: tokenInput }),
  },
  'chat_tokens.get': onToken((id) => ({ route: `GET /chat-tokens/${id}` })),
  'chat_tokens.update': onToken((id, turn) => ({
    route: `PATCH /chat-tokens/${id}`,
    body: { name: `Token ${turn}` },
  })),
  'chat_tokens.delete': onToken((id) => ({ route: `DELETE /chat-tokens/${id}` })),
  'collections.list': {
    rows: MANY,
    async ready({ made }, rows) {
      await times(rows, (n) => made('POST /collections', { name: `bookings-${n}`, ...settings }))
      return () => ({ route: 'GET /collections' })
    },
  },
  'collections.create': {
    ready: () => (turn) => ({
      route: 'POST /collections',
      body: { name: `bookings-${turn}`, ...settings },
    }),
  },
  'collections.get': onCollection(() => ({ route: 'GET /collections/bookings' })),
  'collections.update': onCollection((turn) => ({
    route: 'PATCH /collections/bookings',
    body: { title: `Bookings ${turn}` },
  })),
  'collections.delete': {
    ready:
      ({ made }) =>
      async (turn) => {
        const name = `bookings-${turn}`
        await made('POST /collections', { name, ...settings })
        return { route: `DELETE /collections/${name}?confirm=${name}` }
      },
  },
  'documents.get': onDocument((id) => ({ route: `GET ${documents}/${id}` })),
  'documents.versions': {
    rows: [1, 12],
    async ready(place, rows) {
      const [id = ''] = await collection(place, 1)
      await times(rows, (n) => place.made(`PATCH ${documents}/${id}`, { guests: n + 1 }))
      return () => ({ route: `GET ${documents}/${id}/versions` })
    },
  },
  'documents.restore': onDocument((id) => ({
    route: `POST ${documents}/${id}/restore`,
    body: { version: 1 },
  })),
  'documents.update': onDocument((id, turn) => ({
    route: `PATCH ${documents}/${id}`,
    body: { guests: turn + 1 },
  })),
  'documents.replace': onDocument((id, turn) => ({
    route: `PUT ${documents}/${id}`,
    body: booking(`Anna ${turn}`),
  })),
  'documents.delete': {
    rows: MANY,
    async ready(place, rows) {
      await collection(place, rows)
      return async (turn) => {
        const { id } = await place.made(`POST ${documents}`, booking(`Anna ${turn}`))
        return { route: `DELETE ${documents}/${id}` }
      }
    },
  },
  'documents.create': onCollection((turn) => ({
    route: `POST ${documents}`,
    body: booking(`Anna ${turn}`),
  })),
  'documents.upsert': onCollection((turn) => ({
    route: `PUT ${documents}?by=name`,
    body: booking('Anna', turn + 1),
  })),
  'documents.batch': onCollection((turn, rows) => ({
    route: `POST ${documents}/batch`,
    body: { operations: lines(turn, rows).map((data) => ({ op: 'create', data })) },
  })),
  'documents.list': onCollection(() => ({
    route: `GET ${documents}?filter=${encodeURIComponent('guests >= 2')}&sort=-guests`,
  })),
  'documents.query': onCollection(() => ({ route: `POST ${documents}/query`, body: query })),
  'documents.export': onCollection(() => ({ route: `GET ${documents}/export` })),
  'documents.import': onCollection((turn, rows) => ({
    route: `POST ${documents}/import`,
    raw: lines(turn, rows)
      .map((one) => JSON.stringify(one))
      .join('\n'),
    headers: { 'content-type': 'application/x-ndjson' },
  })),
  'public_documents.list': onPage(() => ({ route: `GET /public${documents}` })),
  'public_documents.create': onPage((turn) => ({
    route: `POST /public${documents}`,
    body: booking(`Guest of a page ${turn}`),
  })),
  'public_forms.get': onPage(() => ({ route: 'GET /public/collections/bookings/form' })),
  'public_forms.challenge': onPage(() => ({ route: 'GET /public/collections/bookings/challenge' })),
}
