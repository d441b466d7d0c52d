/** The list of messages: finished ones in a live region, and below it the one that is being written. */
import { createMessageWriter } from './message.js'
import { create } from '../nodes.js'

/** A reader who scrolled up further than this is not moved to a new message. */
const NEAR_PX = 120

const createScroll = ({ say }, ...content) => {
  const element = create(
    'div',
    { className: 'scroll', role: 'region', 'aria-label': say('messages'), tabIndex: 0 },
    ...content,
  )
  let is_near = true
  const toEnd = () => {
    element.scrollTop = element.scrollHeight
  }
  element.addEventListener('scroll', () => {
    const { scrollHeight, scrollTop, clientHeight } = element
    is_near = scrollHeight - scrollTop - clientHeight < NEAR_PX
  })
  // The keyboard of a phone changes the height.
  new ResizeObserver(() => is_near && toEnd()).observe(element)
  return {
    element,
    toEnd,
    /** Changes the list, and stays at its end if the reader was there. */
    keepEnd(change, always = false) {
      const was_near = is_near
      change()
      if (was_near || always) toEnd()
    },
  }
}

/** The reply while it is written, for the eye only: a screen reader gets it when it is finished. */
const createLive = ({ keepEnd }, live) => ({
  /** Shows the text so far, and the dots of typing before there is any. */
  stream(text) {
    keepEnd(() => {
      const bubble = live.querySelector('.bubble') ?? create('div', { className: 'bubble' })
      if (!live.firstChild) live.append(create('div', { className: 'message assistant' }, bubble))
      bubble.classList.toggle('dots', !text)
      if (text) bubble.textContent = text
      else bubble.replaceChildren(create('i'), create('i'), create('i'))
    })
  },
  endStream: () => live.replaceChildren(),
})

/** Messages of the visitor that were not confirmed before, by the id that the page gave them. */
const createPending = ({ say, writer, append }) => {
  const rows = new Map()
  const setState = (id, ...content) => {
    const row = rows.get(id)
    if (!row) return
    row.querySelector('.meta')?.remove()
    row.append(create('p', { className: 'meta' }, ...content))
  }
  return {
    isPending: (id) => rows.has(id),
    addPending({ id, text }) {
      if (rows.has(id)) return
      const row = writer.write({ role: 'visitor', text })
      rows.set(id, row)
      append(row, true)
      setState(id, say('sending'))
    },
    sent(id) {
      if (rows.get(id)?.querySelector('time')) return
      const time = create('time', { 'aria-hidden': 'true' }, writer.describe({ role: 'visitor' }))
      setState(id, time)
    },
    /** Shows that the message was not sent, with a button. */
    fail: (id, button) => setState(id, `${say('not_sent')} `, button),
    remove(id) {
      rows.get(id)?.remove()
      rows.delete(id)
    },
    forget: () => rows.clear(),
  }
}

export const createMessages = (parts) => {
  const label = parts.say('messages')
  const log = create('div', { className: 'log', role: 'log', 'aria-label': label })
  const live = create('div', { className: 'live', 'aria-hidden': 'true' })
  const after = create('div', { className: 'after' })
  const scroll = createScroll(parts, log, live, after)
  const writer = createMessageWriter(parts)
  const append = (row, always) =>
    scroll.keepEnd(() => {
      const before = log.lastElementChild
      // A run of messages of one author has one line with name and time.
      if (before?.className === row.className) before.querySelector('.meta')?.remove()
      log.append(row)
    }, always)
  const pending = createPending({ ...parts, writer, append })
  return {
    ...scroll,
    ...pending,
    ...createLive(scroll, live),
    after,
    /** `is_old`: it was there before, so it is not announced. */
    add(message, { is_old = false } = {}) {
      log.setAttribute('aria-live', is_old ? 'off' : 'polite')
      append(writer.write(message), message.role === 'visitor')
    },
    clear() {
      pending.forget()
      log.replaceChildren()
      live.replaceChildren()
    },
  }
}
