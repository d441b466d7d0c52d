/** Sends the messages of the visitor in order, and each exactly once, and shows the replies. */
import { Fault } from './api.js'
import { readEvents } from './events.js'
import { isEnded } from './timeline.js'

const ADDRESS_MAX = 2000

/** Starts the conversation unless it is started. */
const createStart = ({ api, store, wanted, verification, timeline }) => {
  let starting = null
  const start = async () => {
    const challenge = await verification.verify()
    const { origin, pathname } = location
    const page_url = (origin + pathname).slice(0, ADDRESS_MAX)
    const started = await api.start({ challenge, language: wanted, page_url })
    const { conversation, messages, conversation_token, expires_at } = started
    // The difference, because the clock of the visitor may be wrong.
    const lasts_ms = Date.parse(expires_at) - Date.parse(conversation.created_at)
    store.set({ id: conversation.id, token: conversation_token, expires: Date.now() + lasts_ms })
    // The greeting is shown already.
    messages.forEach(timeline.note)
    timeline.follow(conversation)
  }
  return async () => {
    if (store.read().id) return
    await (starting ??= start().finally(() => (starting = null)))
  }
}

const readReply = async (response, item, { view, timeline }) => {
  for await (const { event, data } of readEvents(response)) {
    if (event === 'problem') throw new Fault(data.slug)
    view.sent(item.id)
    if (event === 'message.delta') view.stream(data.text)
    if (event === 'message.completed') {
      timeline.add(data.message)
      return timeline.follow(data.conversation)
    }
    if (event === 'message.aborted') {
      if (data.reason === 'failed') throw new Fault('failed')
      view.endStream()
      timeline.add({ ...data.message, client_message_id: item.id })
      return timeline.follow(data.conversation)
    }
  }
  throw new Fault('network')
}

export const createSending = (parts) => {
  const { api, store, view, timeline, retries } = parts
  const start = createStart(parts)
  let running = null

  const waiting = () => store.read().outbox ?? []

  const deliver = (item) =>
    retries.insist(async () => {
      await start()
      if (timeline.status() !== 'handed_off') view.stream('')
      const { id, text } = item
      await readReply(await api.send({ text, client_message_id: id }), item, parts)
    })

  const stop = (fault, item) => {
    view.endStream()
    view.notice(null)
    if (fault.slug.endsWith('failed')) return view.fail(item)
    store.set({ outbox: [] })
    view.giveBack(item)
    if (fault.slug === 'conversation_awaits_person') return view.awaitPerson()
    return isEnded(fault) ? timeline.finish(fault.slug) : view.unavailable()
  }

  const run = async () => {
    for (let [item] = waiting(); item; [item] = waiting()) {
      try {
        await deliver(item)
        store.set({ outbox: waiting().filter(({ id }) => id !== item.id) })
      } catch (fault) {
        if (!(fault instanceof Fault)) console.error(fault)
        return stop(fault instanceof Fault ? fault : new Fault('failed'), item)
      }
    }
  }
  const work = () => (running ??= run().finally(() => (running = null)))

  return {
    start,
    isRunning: () => running !== null,
    send(text) {
      const item = { id: crypto.randomUUID(), text }
      store.set({ outbox: [...waiting(), item] })
      view.addPending(item)
      return work()
    },
    /** Sends what an earlier visit did not send. */
    resume() {
      for (const item of waiting()) view.addPending(item)
      return work()
    },
    retry: () => (running ? retries.wake() : work()),
  }
}
