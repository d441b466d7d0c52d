/**
 * The conversation with the server: sends, resumes after a reload, reads what people write, asks for a
 * person, and ends. Shows everything through `view`.
 */
import { createRetries } from './retries.js'
import { createSending } from './sending.js'
import { createTimeline, isEnded } from './timeline.js'

/** Messages of one reply. */
const PAGE = 100

export const createConversation = (parts) => {
  const { api, store, view } = parts
  const retries = createRetries(parts)
  const timeline = createTimeline(parts)
  const sending = createSending({ ...parts, retries, timeline })

  const readNew = async (options) => {
    for (;;) {
      const { data, conversation } = await api.list(timeline.latestRead())
      timeline.addList(data, options)
      if (data.length < PAGE) return timeline.follow(conversation)
    }
  }

  return {
    status: timeline.status,
    forget: timeline.forget,
    send: sending.send,
    retry: sending.retry,
    /** Shows the stored conversation, and sends what was not sent. */
    async resume() {
      try {
        if (store.read().id) await retries.insist(() => readNew({ is_old: true }))
        if (timeline.status() !== 'closed') await sending.resume()
      } catch (fault) {
        if (isEnded(fault)) timeline.finish(fault.slug)
        else view.unavailable()
      }
    },
    /** Reads new messages. Does nothing during an answer. */
    async poll() {
      if (sending.isRunning() || !store.read().id || timeline.status() === 'closed') return
      try {
        await readNew()
        view.notice(null)
      } catch (fault) {
        if (isEnded(fault)) timeline.finish(fault.slug)
        else if (fault.slug === 'network') view.notice('offline')
      }
    },
    /** Asks for a person. Throws a Fault. */
    async handOff(details) {
      await sending.start()
      const { conversation, message } = await api.handOff(details)
      if (message) timeline.add({ ...message, client_message_id: null })
      timeline.follow(conversation)
    },
    /** Ends the conversation. Throws a Fault. */
    async close(resolved) {
      if (store.read().id) await api.close({ resolved })
      timeline.finish('visitor')
    },
  }
}
