/** Requests to the public routes. */

/** A refused or failed request. `slug` is that of the Problem, or `network` without a reply. */
export class Fault extends Error {
  constructor(slug, { retry_after_s = null, errors = [] } = {}) {
    super(slug)
    Object.assign(this, { slug, retry_after_s, errors })
  }
}

/** An answer takes a minute at most. */
const PATIENCE_MS = 75_000

const readFault = async (response) => {
  const problem = await response.json().catch(() => ({}))
  const { type = '', retry_after_s, errors } = problem
  const known = String(type).split('/').at(-1)
  const after = Number(response.headers.get('retry-after')) || retry_after_s
  // Replies of a proxy have no type; they and failures of the server are worth a repetition.
  const slug = known && (response.status < 500 || known === 'chat_unavailable') ? known : 'network'
  return new Fault(slug, { retry_after_s: after || null, errors })
}

export const createApi = ({ api, token, store }) => {
  const request = async (path, { body, accept = 'application/json' } = {}) => {
    const { token: own } = store.read()
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const response = await fetch(api + path, {
      method: body ? 'POST' : 'GET',
      headers: {
        Authorization: `Bearer ${token}`,
        Accept: accept,
        ...(own && { 'X-Conversation-Token': own }),
        ...(body && { 'Content-Type': 'application/json' }),
      },
      body: body && JSON.stringify(body),
      credentials: 'omit',
      cache: 'no-store',
      signal,
    }).catch(() => {
      throw new Fault('network')
    })
    if (!response.ok) throw await readFault(response)
    return response
  }
  const json = async (...asked) => (await request(...asked)).json()
  const inConversation = (end) => `/conversations/${store.read().id}/${end}`
  return {
    challenge: () => json('/chat/challenge'),
    start: (body) => json('/conversations', { body }),
    list: (after) => json(inConversation(after ? `messages?after=${after}` : 'messages')),
    send: (body) => request(inConversation('messages'), { body, accept: 'text/event-stream' }),
    handOff: (body) => json(inConversation('handoff'), { body }),
    close: (body) => json(inConversation('close'), { body }),
  }
}
