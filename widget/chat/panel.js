/** The panel of the chat, which the loader imports when the chat is opened for the first time. */
import { createApi } from './conversation/api.js'
import { createConversation } from './conversation/conversation.js'
import { addStyle, create } from './nodes.js'
import { panelStyle } from './panel-style.js'
import { startPolling } from './conversation/polling.js'
import { createVerification } from './conversation/verification.js'
import { createView } from './view/view.js'
import { followViewport } from './view/viewport.js'
import { speakerFor } from './view/words.js'

/** Shows and hides the panel, moves the focus, and counts what was not seen. */
const createDoor = ({ root, store, launcher, view }) => {
  const viewport = followViewport(view.panel)
  let is_open = false
  let unread = 0
  let opener = null
  const show = (value) => {
    is_open = value
    view.panel.hidden = !value
    viewport.show(value)
    if (value) unread = 0
    launcher.show({ is_open, unread })
    store.set({ is_open })
  }
  return {
    isOpen: () => is_open,
    /** `quiet`: the focus stays where it is. */
    open({ quiet }) {
      opener = document.activeElement
      show(true)
      view.fit()
      view.messages.toEnd()
      // The keyboard of a phone would cover the greeting.
      if (!quiet && viewport.isPhone()) view.panel.focus()
      else if (!quiet) view.focusField()
    },
    close() {
      show(false)
      const is_own = opener === root.host || opener === document.body || !opener?.isConnected
      if (is_own) launcher.focus()
      else opener.focus()
    },
    notice({ id, role }) {
      if (is_open) return store.set({ seen: id })
      if (role === 'visitor' || id <= (store.read().seen ?? '')) return
      unread += 1
      launcher.show({ is_open, unread })
    },
  }
}

/** The actions of the visitor, for the view. `parts` is filled in when the panel is assembled. */
const createActions = (parts) => ({
  write: () => parts.store.read().id || parts.verification.prepare(),
  async send(text) {
    await parts.conversation.send(text)
    parts.polling.plan()
  },
  retry() {
    parts.conversation.retry()
    parts.polling.ask()
  },
  async handOff(details) {
    await parts.conversation.handOff(details)
    parts.polling.plan()
  },
  end: (resolved) => parts.conversation.close(resolved).catch(() => parts.view.notice('offline')),
  renew() {
    const { draft = '' } = parts.store.read()
    parts.conversation.forget()
    parts.store.set({ draft, is_open: true })
    parts.view.notice(null)
    parts.view.welcome()
    parts.view.focusField()
  },
  close: () => parts.door.close(),
})

const assemble = (context) => {
  const { root, config, language } = context
  const parts = { ...context, say: speakerFor(language) }
  const place = () => {
    const box = create('div', { slot: 'verification' })
    root.host.append(box)
    parts.view.messages.toEnd()
    return box
  }
  const api = createApi(context)
  const verification = createVerification({ api, config, language, place })
  Object.assign(parts, { api, verification })
  const view = createView({ ...parts, act: createActions(parts) })
  const door = createDoor({ ...context, view })
  const noticing = {
    ...view,
    add(message, options) {
      view.add(message, options)
      door.notice(message)
    },
  }
  const conversation = createConversation({ ...parts, view: noticing })
  const polling = startPolling({ conversation, isOpen: door.isOpen })
  return Object.assign(parts, { view, door, conversation, polling })
}

export const startPanel = (context) => {
  const { all, root, config, store } = context
  const { view, door, conversation, polling } = assemble(context)
  addStyle(root, panelStyle)
  view.messages.after.append(create('slot', { name: 'verification' }))
  all.append(view.panel)

  const begin = async () => {
    if (!store.read().id) view.welcome()
    await conversation.resume()
    polling.plan()
  }
  if (config.available) begin()
  else view.unavailable()
  view.restoreDraft()
  // Another tab started a conversation.
  store.onChange(() => {
    if (conversation.status() === 'new' && store.read().id) begin()
  })
  return {
    isOpen: door.isOpen,
    open(options) {
      if (door.isOpen()) return
      door.open(options)
      polling.ask()
    },
    close: () => door.isOpen() && door.close(),
  }
}
