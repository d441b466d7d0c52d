/** The requests that count the statements of conversations and chat widgets. */
import assert from 'node:assert/strict'
import { newAddress, openSite, ORIGIN } from '../fixtures/sites/site.ts'
import { solveChallenge } from '../fixtures/sites/chat-page.ts'
import { times, type Asked, type Place, type Scenario } from './scenario.ts'

const question = 'Can I park at your shop?'
const facts = [{ question, answer: 'Yes, behind the shop.' }]
const MANY = [1, 20] as const

async function configure({ made }: Place): Promise<void> {
  await made('PUT /assistant', { name: 'Anna', facts })
}

async function newChat(place: Place, message = question): Promise<string> {
  return (await place.made('POST /conversations', { message })).conversation.id
}

function onChat(asked: (id: string, turn: number) => Asked): Scenario {
  return {
    async ready(place) {
      await configure(place)
      const id = await newChat(place)
      return (turn) => asked(id, turn)
    },
  }
}

/** Needs a new conversation in each turn. */
function onNewChat(asked: (id: string) => Asked): Scenario {
  return {
    async ready(place) {
      await configure(place)
      return async () => asked(await newChat(place))
    },
  }
}

const text = { kind: 'text', title: 'Gift cards', text: 'Gift cards are sold in the shop.' }

async function newSource({ made }: Place): Promise<string> {
  return (await made('POST /assistant/sources', text)).id
}

/** Needs a new source in each turn. */
function onSource(
  asked: (id: string) => Asked,
  prepare: (place: Place) => Promise<unknown> = async () => {},
): Scenario {
  return {
    ready: (place) => async () => {
      const id = await newSource(place)
      await prepare(place)
      return asked(id)
    },
  }
}

/** No jobs run here, so that the sources would stay busy. */
function endIndexing({ runtime, project_id }: Place): Promise<unknown> {
  return runtime.runtime.db.transact((tx) =>
    tx
      .updateTable('assistant_sources')
      .set({ status: 'indexed', due_at: null })
      .where('project_id', '=', project_id)
      .execute(),
  )
}

interface Page {
  id: string
  headers: Record<string, string>
}

async function openPage({ runtime, project_id }: Place) {
  const { token } = await openSite(runtime, { project_id })
  const newHeaders = () => ({ origin: ORIGIN, 'x-forwarded-for': newAddress() })
  const solve = async (headers: Record<string, string>) =>
    solveChallenge(runtime, { token, headers })
  return {
    token,
    newHeaders,
    solve,
    async start(): Promise<Page> {
      const headers = newHeaders()
      const challenge = await solve(headers)
      const sent = { key: token, headers, body: { challenge } }
      const { body } = await runtime.call('POST /public/conversations', sent)
      const own = { 'x-conversation-token': body.conversation_token }
      return { id: body.conversation.id, headers: { ...newHeaders(), ...own } }
    },
    async say(route: string, headers: Record<string, string>): Promise<void> {
      const sent = { key: token, headers, body: { text: question } }
      const { status } = await runtime.call(`POST ${route}`, sent)
      assert.equal(status, 201)
    },
  }
}

/** A request of a visitor's page in a new conversation. */
function onPage(asked: (id: string) => Asked): Scenario {
  return {
    async ready(place) {
      await configure(place)
      const page = await openPage(place)
      return async () => {
        const { id, headers } = await page.start()
        return { key: page.token, headers, ...asked(id) }
      }
    },
  }
}

export const chats: Record<string, Scenario> = {
  'conversations.list': {
    rows: MANY,
    async ready(place, rows) {
      await configure(place)
      await times(rows, () => newChat(place))
      return () => ({ route: 'GET /conversations' })
    },
  },
  'conversations.create': {
    async ready(place) {
      await configure(place)
      return () => ({ route: 'POST /conversations', body: { message: question } })
    },
  },
  'conversations.get': onChat((id) => ({ route: `GET /conversations/${id}` })),
  'conversations.transcript': onChat((id) => ({ route: `GET /conversations/${id}/transcript` })),
  'conversations.send': onChat((id) => ({
    route: `POST /conversations/${id}/messages`,
    body: { text: question },
  })),
  'conversations.reply': onChat((id) => ({
    route: `POST /conversations/${id}/replies`,
    body: { text: 'Hello.' },
  })),
  'conversations.handoff': onNewChat((id) => ({
    route: `POST /conversations/${id}/handoff`,
    body: { active: true },
  })),
  'conversations.close': onNewChat((id) => ({
    route: `POST /conversations/${id}/close`,
    body: { resolved: true },
  })),
  'conversations.delete': onNewChat((id) => ({ route: `DELETE /conversations/${id}` })),
  'conversations.delete_summary': onChat((id) => ({
    route: `DELETE /conversations/${id}/summary`,
  })),
  'model_usage.list': {
    rows: MANY,
    async ready(place, rows) {
      await configure(place)
      await times(rows, () => newChat(place))
      return () => ({ route: 'GET /usage' })
    },
  },
  'assistant_tools.get': {
    async ready(place) {
      await configure(place)
      return () => ({ route: 'GET /assistant/tools' })
    },
  },
  'assistant_tools.put': {
    async ready(place) {
      await configure(place)
      await place.made('POST /collections', { name: 'products' })
      const look_ups = [{ collection: 'products', fields: ['name'] }]
      return () => ({ route: 'PUT /assistant/tools', body: { look_ups } })
    },
  },
  'knowledge_sources.list': {
    rows: MANY,
    async ready(place, rows) {
      await times(rows, () => newSource(place))
      return () => ({ route: 'GET /assistant/sources' })
    },
  },
  'knowledge_sources.create': {
    ready: () => (turn) => ({
      route: 'POST /assistant/sources',
      body: { ...text, title: `A text ${turn}` },
    }),
  },
  'knowledge_sources.get': onSource((id) => ({ route: `GET /assistant/sources/${id}` })),
  'knowledge_sources.delete': onSource((id) => ({ route: `DELETE /assistant/sources/${id}` })),
  'knowledge_sources.refresh': onSource(
    (id) => ({ route: `POST /assistant/sources/${id}/refresh` }),
    endIndexing,
  ),
  'unanswered_questions.list': {
    rows: MANY,
    async ready(place, rows) {
      await configure(place)
      await times(rows, (n) => newChat(place, `Do you sell submarines of type ${n}?`))
      return () => ({ route: 'GET /assistant/unanswered' })
    },
  },
  'assistant_facts.create': {
    async ready(place) {
      await configure(place)
      return async (turn) => {
        await newChat(place, `Do you sell submarines of type ${turn}?`)
        const { data } = await place.made('GET /assistant/unanswered')
        const body = { question: `Submarines of type ${turn}?`, answer: 'No.' }
        const unanswered_question_id = data[0].id
        return { route: 'POST /assistant/facts', body: { ...body, unanswered_question_id } }
      }
    },
  },
  'unanswered_questions.delete': {
    async ready(place) {
      await configure(place)
      return async (turn) => {
        await newChat(place, `Do you sell submarines of type ${turn}?`)
        const { data } = await place.made('GET /assistant/unanswered')
        return { route: `DELETE /assistant/unanswered/${data[0].id}` }
      }
    },
  },
  'public_chat.config': onPage(() => ({ route: 'GET /public/chat/config' })),
  'public_chat.challenge': onPage(() => ({ route: 'GET /public/chat/challenge' })),
  'public_conversations.create': {
    async ready(place) {
      await configure(place)
      const page = await openPage(place)
      return async () => {
        const headers = page.newHeaders()
        const body = { challenge: await page.solve(headers) }
        return { route: 'POST /public/conversations', key: page.token, headers, body }
      }
    },
  },
  'public_conversations.messages': {
    rows: [1, 10],
    async ready(place, rows) {
      await configure(place)
      const page = await openPage(place)
      const { id, headers } = await page.start()
      const route = `/public/conversations/${id}/messages`
      await times(rows, () => page.say(route, headers))
      return () => ({ route: `GET ${route}`, key: page.token, headers })
    },
  },
  'public_conversations.send': onPage((id) => ({
    route: `POST /public/conversations/${id}/messages`,
    body: { text: question },
  })),
  'public_conversations.handoff': onPage((id) => ({
    route: `POST /public/conversations/${id}/handoff`,
    body: { email: 'anna@example.com', message: 'Please call me.' },
  })),
  'public_conversations.close': onPage((id) => ({
    route: `POST /public/conversations/${id}/close`,
    body: {},
  })),
}
