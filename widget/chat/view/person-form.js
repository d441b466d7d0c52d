/** The form that asks for a person: name, email address or phone number, and a question. */
import { create } from '../nodes.js'

const EMAIL = /^[^\s@]{1,64}@[^\s@]{1,180}\.[^\s@.]{2,}$/
const PHONE = /^\+?[0-9(][0-9 ()./-]{4,37}$/
/** After these faults, another attempt fails too. */
const unavailable = ['chat_unavailable', 'public_chat_limit_reached']

const createField = (label, input, more) =>
  create('label', {}, create('span', { textContent: label }), input, more)

/** `send(details)` throws a Fault if it fails. */
export const createPersonForm = ({ say, send, onDone, onCancel }) => {
  const name = create('input', { name: 'name', autocomplete: 'name', maxLength: 200 })
  const contact = create('input', {
    name: 'contact',
    autocomplete: 'email',
    maxLength: 200,
    required: true,
    autocapitalize: 'off',
    'aria-describedby': 'contact-error',
  })
  const wrong = create('span', { className: 'wrong', id: 'contact-error' })
  const question = create('textarea', { name: 'message', rows: 3, maxLength: 4000 })
  const state = create('p', { className: 'wrong', role: 'alert' })
  const submit = create('button', {
    type: 'submit',
    className: 'primary',
    textContent: say('send'),
  })
  // Repetitions keep the id, so that the question is stored once.
  const client_message_id = crypto.randomUUID()

  let is_busy = false

  const read = () => {
    const reached = contact.value.trim()
    const details = { client_message_id }
    if (name.value.trim()) details.name = name.value.trim()
    if (question.value.trim()) details.message = question.value.trim()
    if (EMAIL.test(reached)) return { ...details, email: reached }
    return PHONE.test(reached) ? { ...details, phone: reached } : null
  }
  const mark = (is_wrong) => {
    contact.setAttribute('aria-invalid', is_wrong)
    wrong.textContent = is_wrong ? say('contact_wrong') : ''
  }
  const onsubmit = async (event) => {
    event.preventDefault()
    const details = read()
    state.textContent = ''
    mark(!details)
    if (!details) return contact.focus()
    if (is_busy) return
    is_busy = true
    try {
      await send(details)
      onDone()
    } catch ({ slug }) {
      const next = unavailable.includes(slug) ? say('unavailable') : `${say('again')}.`
      state.textContent = `${say('not_sent')} ${next}`
    }
    is_busy = false
  }
  contact.addEventListener('input', () => wrong.textContent && mark(!read()))
  const element = create(
    'form',
    { className: 'card', noValidate: true, 'aria-label': say('ask_person'), onsubmit },
    create('p', { textContent: say('person_about') }),
    createField(say('name'), name),
    createField(say('contact'), contact, wrong),
    createField(say('question'), question),
    state,
    create(
      'div',
      { className: 'actions' },
      submit,
      create('button', { type: 'button', textContent: say('cancel'), onclick: onCancel }),
    ),
  )
  return { element, focus: () => name.focus() }
}
