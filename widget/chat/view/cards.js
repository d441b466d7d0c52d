/** The area below the messages: suggestions, and at most one card with a form or a notice. */
import { create } from '../nodes.js'
import { createPersonForm } from './person-form.js'
import { createWays } from './ways.js'

export const createButton = (label, onclick, properties = {}) =>
  create('button', { type: 'button', onclick, textContent: label, ...properties })

const primary = { className: 'primary' }

export const createCards = ({ say, config, email, store, act, messages, focusField }) => {
  const chips = create('div', {
    className: 'chips',
    role: 'group',
    'aria-label': say('suggestions'),
  })
  const place = create('div', { className: 'place' })
  messages.after.append(chips, place)

  const show = (properties, ...content) => {
    const card = create('div', { className: 'card', ...properties }, ...content)
    messages.keepEnd(() => place.replaceChildren(card), true)
  }
  const hide = () => place.replaceChildren()
  const leave = () => {
    hide()
    focusField()
  }
  const suggest = (labels, ...more) => {
    const buttons = labels.map((label) => createButton(label, () => act.send(label)))
    messages.keepEnd(() => chips.replaceChildren(...buttons, ...more))
  }
  const sentence = (text) => create('p', { textContent: text })

  return {
    hide,
    suggest,
    isShown: () => place.firstChild !== null,
    /** The form that asks for a person; `is_asked` moves the focus to it. */
    askPerson({ is_asked }) {
      const end = () => {
        store.set({ asked: true })
        leave()
      }
      const onDone = () => {
        end()
        messages.add({ role: 'system', text: say('left') })
      }
      const form = createPersonForm({ say, send: act.handOff, onDone, onCancel: end })
      suggest([])
      messages.keepEnd(() => place.replaceChildren(form.element), true)
      if (is_asked) form.focus()
    },
    askEnd() {
      const buttons = [
        createButton(say('helped'), () => act.end(true), primary),
        createButton(say('not_helped'), () => act.end(false)),
        createButton(say('go_on'), leave),
      ]
      const column = create('div', { className: 'actions column' }, ...buttons)
      const label = say('end_asked')
      show({ role: 'group', 'aria-label': label }, sentence(label), column)
      buttons[0].focus()
    },
    /** Returns the button that starts a new conversation. */
    showEnd(words) {
      const renew = createButton(say('start_new'), act.renew, primary)
      show({ role: 'status' }, sentence(say(words)), renew)
      return renew
    },
    /** Returns the button that tries again. */
    showUnavailable() {
      const ways = createWays({ say, config, email }, { is_long: true })
      const text = ways[0] ? `${say('unavailable')} ${say('other_ways')}` : say('unavailable')
      const column = create('div', { className: 'ways column' }, ...ways)
      const again = createButton(say('again'), act.renew)
      show({ role: 'status' }, sentence(text), column, again)
      return again
    },
  }
}
