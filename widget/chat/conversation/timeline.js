/** The messages that were shown, and the state of the conversation. */

/** The problems that mean: this conversation takes no more messages. */
const ended = [
  'invalid_conversation_token',
  'conversation_closed',
  'conversation_turn_limit_reached',
]

export const isEnded = ({ slug }) => ended.includes(slug)

export const createTimeline = ({ store, view }) => {
  const known = new Set()
  let latest_read
  let status = 'new'

  const note = ({ id }) => known.add(id)
  /** `reason` is why the conversation was closed, or the problem that says so. */
  const finish = (reason) => {
    status = 'closed'
    store.set({ waits: false })
    view.finish(reason)
  }
  return {
    status: () => status,
    /** The newest message of the last list. Older messages than those of an answer can follow. */
    latestRead: () => latest_read,
    /** Adds the messages of a list. */
    addList(messages, options) {
      for (const message of messages) this.add(message, options)
      latest_read = messages.at(-1)?.id ?? latest_read
    },
    note,
    finish,
    /** `is_old`: it is of an earlier visit. */
    add(message, { is_old = false } = {}) {
      if (known.has(message.id)) return
      note(message)
      const { client_message_id } = message
      if (client_message_id) view.confirm(client_message_id, message)
      else view.add(message, { is_old })
    },
    follow(conversation) {
      if (conversation.status === 'closed') return finish(conversation.closed_reason)
      status = conversation.status
      store.set({ waits: status === 'handed_off' })
      view.follow(status)
    },
    forget() {
      store.clear()
      known.clear()
      latest_read = undefined
      status = 'new'
    },
  }
}
