/** The field for a message. Enter sends, Shift and Enter begins a line. */
import { create, icon } from '../nodes.js'

const ARROW = 'M12 19V5M5.5 11.5 12 5l6.5 6.5'
const LENGTH_MAX = 4000
const HEIGHT_MAX_PX = 132

export const createComposer = ({ say, store, onSend, onWrite }) => {
  const field = create('textarea', {
    rows: 1,
    maxLength: LENGTH_MAX,
    placeholder: say('write'),
    'aria-label': say('message'),
    enterKeyHint: 'send',
    dir: 'auto',
    autocomplete: 'off',
  })
  const button = create(
    'button',
    { type: 'submit', className: 'send', 'aria-label': say('send') },
    icon(ARROW),
  )

  const fit = () => {
    field.style.height = 'auto'
    field.style.height = `${Math.min(field.scrollHeight, HEIGHT_MAX_PX)}px`
    button.classList.toggle('ready', field.value.trim() !== '')
  }
  const set = (text) => {
    field.value = text
    store.set({ draft: text })
    fit()
  }
  const send = () => {
    const text = field.value.trim()
    if (!text) return field.focus()
    set('')
    field.focus()
    onSend(text)
  }
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    send()
  })
  field.addEventListener('input', () => {
    store.set({ draft: field.value })
    fit()
    onWrite()
  })
  const element = create(
    'form',
    {
      className: 'composer',
      onsubmit: (event) => {
        event.preventDefault()
        send()
      },
    },
    field,
    button,
  )
  return {
    element,
    fit,
    focus: () => field.focus(),
    /** Puts an unsent text back into the field, before the text that was written since. */
    giveBack: (text) => set([text, field.value].filter(Boolean).join('\n').slice(0, LENGTH_MAX)),
    restore: () => set(store.read().draft ?? ''),
  }
}
