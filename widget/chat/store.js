/**
 * The state of a chat in `localStorage`: id and token of the conversation, messages that are not
 * sent yet, the draft, and whether the panel is open. One entry per public token; in memory if
 * storage is blocked.
 */
const LIFETIME_MS = 6 * 3_600_000

export const createStore = (token) => {
  const key = `homeport-chat-${token.slice(7, 19)}`
  let memory = {}
  const read = () => {
    try {
      memory = JSON.parse(localStorage.getItem(key)) ?? {}
    } catch {
      // Storage is blocked, or the entry is not ours: the copy in memory is used.
    }
    if (memory.expires < Date.now()) memory = {}
    return memory
  }
  const write = (value) => {
    memory = value
    try {
      localStorage.setItem(key, JSON.stringify(value))
    } catch {
      // Storage is blocked or full: the copy in memory is used.
    }
  }
  return {
    read,
    /** Changes some fields, also if another tab changed others. */
    set: (changes) => write({ expires: Date.now() + LIFETIME_MS, ...read(), ...changes }),
    clear() {
      memory = {}
      try {
        localStorage.removeItem(key)
      } catch {
        // Storage is blocked, so it has no entry.
      }
    },
    /** Calls back after another tab changed the entry. */
    onChange: (change) =>
      addEventListener('storage', (event) => {
        if (event.key === key) change()
      }),
  }
}
