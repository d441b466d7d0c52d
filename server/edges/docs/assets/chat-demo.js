// The demo of the chat widget. With ?token=hm_pub_… the widget talks to the server. Without one, this
// script answers its requests to the public routes, and nothing leaves the browser.
// A block, because the scripts of a page share their top level.
{
  const API = `${location.origin}/api/v1/public`
  const STORED = 'homeport-chat-demo'
  const DEMO_TOKEN = 'hm_pub_demonstration'
  const LIFETIME_MS = 6 * 3_600_000

  const greeting = 'Hello! I am the digital assistant of the Mill Bakery, and this is a demo.'
  const answers = [
    {
      words: /\b(open|hours|when)\b/i,
      question: 'When are you open?',
      text: 'We are open from Tuesday to Saturday, from 8:00 to 17:30.',
      sources: [{ title: 'Opening hours', url: `${location.origin}/docs/guides/chat-widget` }],
    },
    {
      words: /\b(park|parking|car)\b/i,
      question: 'Can I park at your shop?',
      text: 'Yes, behind the shop, for free. The entrance is in the Molenstraat.',
    },
    {
      words: /\b(cakes?|order|bread)\b/i,
      question: 'How do I order a cake?',
      text: 'Order at least two days before, at https://example.com/cakes or by email to cakes@example.com.',
    },
    { words: /\b(hello|hi|hey)\b/i, text: 'Hello! What would you like to know about the bakery?' },
    { words: /\b(thanks?|bye)\b/i, text: 'You are welcome. Have a nice day!' },
  ]
  const handed_off =
    'I have asked a colleague to take over. In this demo there is none, so nobody replies.'
  const unknown = 'The demo has no answer to that. Would you like to ask a person?'

  const readStored = () => {
    try {
      return JSON.parse(sessionStorage.getItem(STORED)) ?? { status: 'active', messages: [] }
    } catch {
      return { status: 'active', messages: [] }
    }
  }
  const chat = readStored()
  const keep = () => {
    try {
      sessionStorage.setItem(STORED, JSON.stringify(chat))
    } catch {
      // The chat lasts until the page is left.
    }
  }

  const newId = () => `${Date.now().toString(16).padStart(12, '0')}-${crypto.randomUUID()}`
  const describe = () => ({
    id: 'demo',
    status: chat.status,
    created_at: new Date().toISOString(),
    closed_reason: chat.status === 'closed' ? 'visitor' : null,
  })
  const add = (message) => {
    const created_at = new Date().toISOString()
    const added = { id: newId(), sources: [], suggestions: [], created_at, ...message }
    chat.messages.push(added)
    keep()
    return added
  }
  const setStatus = (status) => {
    chat.status = status
    keep()
    return describe()
  }

  const answerTo = (text) => {
    if (/person|human|colleague/i.test(text)) {
      setStatus('handed_off')
      return { text: handed_off, answer_kind: 'handoff' }
    }
    const found = answers.find(({ words }) => words.test(text))
    return found
      ? { text: found.text, sources: found.sources ?? [], answer_kind: 'extracted' }
      : { text: unknown, answer_kind: 'fallback' }
  }

  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

  /** Streams the reply word by word, as a language model does. */
  const streamReply = ({ text, client_message_id }) => {
    const encoder = new TextEncoder()
    const stream = new ReadableStream({
      async start(controller) {
        const send = (event, data) =>
          controller.enqueue(encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
        const message = add({ role: 'visitor', text, client_message_id })
        if (chat.status === 'handed_off') {
          send('message.aborted', { reason: 'handed_off', message, conversation: describe() })
          return controller.close()
        }
        send('message.started', { in_reply_to: message.id })
        const reply = answerTo(text)
        await wait(700)
        const words = reply.text.split(' ')
        for (let count = 1; count <= words.length; count += 1) {
          send('message.delta', { seq: count, text: words.slice(0, count).join(' ') })
          await wait(45)
        }
        send('message.completed', {
          message: add({ role: 'assistant', ...reply }),
          conversation: describe(),
        })
        controller.close()
      },
    })
    return new Response(stream, { headers: { 'Content-Type': 'text/event-stream' } })
  }

  const newChallenge = async () => {
    const salt = 'demo'
    const bytes = new TextEncoder().encode(`${salt}${Math.floor(Math.random() * 2000)}`)
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
    const challenge = [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('')
    return { algorithm: 'SHA-256', challenge, maxnumber: 2000, salt, signature: '' }
  }

  const routes = {
    'GET /chat/config': () => ({
      available: true,
      name: 'Mill Bakery',
      greeting,
      language: 'en',
      languages: ['en'],
      theme: { color: '#0b6e4f', position: 'right', greeting: null, language: null },
      challenge: { kind: 'altcha', site_key: null },
      phone: null,
      sms: null,
      suggestions: answers.flatMap(({ question }) => question ?? []),
      max_turns: 30,
    }),
    'GET /chat/challenge': newChallenge,
    'POST /conversations': () => {
      Object.assign(chat, { status: 'active', messages: [] })
      const messages = [add({ role: 'assistant', text: greeting })]
      const expires_at = new Date(Date.now() + LIFETIME_MS).toISOString()
      return { conversation: describe(), messages, conversation_token: 'demo', expires_at }
    },
    'GET /conversations/demo/messages': ({ after }) => ({
      data: chat.messages.filter(({ id }) => !after || id > after),
      conversation: describe(),
    }),
    'POST /conversations/demo/messages': streamReply,
    'POST /conversations/demo/handoff': ({ message, client_message_id }) => ({
      message: message ? add({ role: 'visitor', text: message, client_message_id }) : null,
      conversation: setStatus('handed_off'),
    }),
    'POST /conversations/demo/close': () => setStatus('closed'),
  }

  const playServer = () => {
    const { fetch: send } = window
    window.fetch = async (address, options = {}) => {
      const { href, pathname, searchParams } = new URL(address, location.href)
      const path = pathname.slice(new URL(API).pathname.length)
      const route = href.startsWith(API) && routes[`${options.method ?? 'GET'} ${path}`]
      if (!route) return send.call(window, address, options)
      if (!navigator.onLine) throw new TypeError('Failed to fetch')
      const asked = options.body ? JSON.parse(options.body) : Object.fromEntries(searchParams)
      const reply = await route(asked)
      return reply instanceof Response ? reply : Response.json(reply)
    }
  }

  const asked = new URLSearchParams(location.search).get('token')?.trim()
  const script = document.createElement('script')
  script.src = '/widget.js'
  script.dataset.chatToken = asked || DEMO_TOKEN
  if (!asked) playServer()
  document.head.append(script)

  const state = document.querySelector('#chat-demo-state')
  state.textContent = asked
    ? 'The chat in the corner of this page uses your token. If it does not appear, the console of the browser says why.'
    : 'Open the chat in the corner of this page.'

  const field = Object.assign(document.createElement('input'), {
    name: 'token',
    placeholder: 'hm_pub_…',
    ariaLabel: 'Public token',
    maxLength: 100,
    autocomplete: 'off',
    value: asked ?? '',
  })
  const button = Object.assign(document.createElement('button'), { textContent: 'Use this token' })
  const form = Object.assign(document.createElement('form'), { className: 'token' })
  form.append(field, button)
  document.querySelector('#chat-demo-token').append(form)
}
