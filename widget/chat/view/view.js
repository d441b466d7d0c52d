/** The panel as elements, and how they follow the conversation. */
import { createButton, createCards } from './cards.js'
import { createComposer } from './composer.js'
import { createDialog, createHeader } from './frame.js'
import { createMessages } from './messages.js'
import { create, icon } from '../nodes.js'
import { createWays } from './ways.js'

const PERSON = 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20a7.5 7.5 0 0 1 15 0'

const build = (parts) => {
  const { say, store, act } = parts
  const messages = createMessages(parts)
  const composer = createComposer({ say, store, onSend: act.send, onWrite: act.write })
  const cards = createCards({ ...parts, messages, focusField: composer.focus })
  const askPerson = () => cards.askPerson({ is_asked: true })
  const header = createHeader({ ...parts, onEnd: cards.askEnd, onClose: act.close })
  const ask = create(
    'button',
    { type: 'button', onclick: askPerson },
    icon(PERSON),
    say('ask_person'),
  )
  const notice = create('div', { className: 'notice', role: 'status' })
  const ways = create('div', { className: 'ways' }, ask, ...createWays(parts))
  const foot = create('footer', {}, notice, ways, composer.element)
  const onClose = act.close
  const panel = createDialog({ ...parts, onClose }, header.element, messages.element, foot)
  /** Whether the visitor can write. */
  const setOpen = (is_open) => {
    composer.element.hidden = !is_open
    ask.hidden = !is_open
    foot.hidden = !is_open && ways.children.length === 1
  }
  return { messages, composer, cards, askPerson, header, notice, panel, setOpen }
}

/** How messages of the conversation are shown. */
const messageActions = ({ messages, cards, askPerson, composer }, { say, store, act }) => ({
  add(message, options) {
    messages.endStream()
    messages.add(message, options)
    const { role, answer_kind, suggestions = [] } = message
    // A person who replies already needs no contact details.
    if (role === 'human') store.set({ asked: true })
    if (role !== 'assistant') return cards.suggest([])
    const is_unsure = answer_kind === 'fallback' || answer_kind === 'suggestion'
    cards.suggest(suggestions, ...(is_unsure ? [createButton(say('ask_person'), askPerson)] : []))
  },
  addPending(item) {
    cards.suggest([])
    messages.addPending(item)
  },
  confirm(id, message) {
    if (messages.isPending(id)) messages.sent(id)
    else messages.add(message, { is_old: true })
  },
  sent: messages.sent,
  stream: messages.stream,
  endStream: messages.endStream,
  fail(item) {
    messages.fail(item.id, createButton(say('again'), act.retry))
  },
  /** Puts the text of a message that could not be sent back into the field. */
  giveBack({ id, text }) {
    messages.remove(id)
    composer.giveBack(text)
  },
})

/** `act` are the actions of the visitor: send, write, retry, handOff, end, renew and close. */
export const createView = (parts) => {
  const { say, config, store, act } = parts
  const built = build(parts)
  const { messages, composer, cards, header, notice, panel, setOpen } = built
  /** Hides the field, and moves the focus from there to the button of a card. */
  const stop = (showCard) => {
    const had_focus = panel.contains(panel.getRootNode().activeElement)
    messages.endStream()
    cards.suggest([])
    setOpen(false)
    header.show('closed')
    const button = showCard()
    if (had_focus) button.focus()
  }
  return {
    panel,
    messages,
    ...messageActions(built, parts),
    focusField: () => (composer.element.hidden ? panel.focus() : composer.focus()),
    fit: composer.fit,
    restoreDraft: composer.restore,
    /** The start of a new conversation. */
    welcome() {
      messages.clear()
      cards.hide()
      setOpen(true)
      header.show('new')
      messages.add({ role: 'assistant', text: config.greeting }, { is_old: true })
      cards.suggest(config.suggestions)
    },
    follow(status) {
      header.show(status)
      const is_new = status === 'handed_off' && !store.read().asked
      if (is_new && !cards.isShown()) cards.askPerson({ is_asked: false })
    },
    /** `offline`, `slow` or null. */
    notice(kind) {
      const shown = kind ?? ''
      if (notice.dataset.kind === shown) return
      notice.dataset.kind = shown
      notice.replaceChildren(...(kind ? [say(kind)] : []))
      if (kind === 'offline') notice.append(' ', createButton(say('again'), act.retry))
    },
    finish(reason) {
      const words = reason === 'invalid_conversation_token' ? 'expired' : 'ended'
      stop(() => cards.showEnd(words))
    },
    /** Keeps the field: the visitor can write again once a person has replied. */
    awaitPerson() {
      // The open form would cover this message.
      cards.hide()
      messages.add({ role: 'system', text: say('awaits') })
    },
    unavailable: () => stop(cards.showUnavailable),
  }
}
