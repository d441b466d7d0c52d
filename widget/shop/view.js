/** The button and the dialog of the cart, in a shadow tree, so that styles of the page do not apply. */
import { say, money } from './words.js'
import { style } from './style.js'

const element = (name, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}

const centsOf = ({ price_eur }, quantity) => Math.round(price_eur * 100) * quantity

const field = (name, type, autocomplete) => {
  const input = element(type === 'textarea' ? type : 'input', {
    name,
    autocomplete,
    maxLength: 200,
  })
  if (type === 'email') Object.assign(input, { type, required: true })
  return { input, label: element('label', {}, say(name), input) }
}

/** Builds the form with the total and the fields of the customer. */
const buildForm = () => {
  const sum = element('span')
  const name = field('name', 'text', 'name')
  const email = field('email', 'email', 'email')
  const note = field('note', 'textarea', 'street-address')
  const pay = element('button', { className: 'pay', textContent: say('pay') })
  const form = element(
    'form',
    { noValidate: true },
    element('p', { className: 'total' }, element('span', {}, say('total')), sum),
    ...[name, email, note].map(({ label }) => label),
    pay,
  )
  const read = () => ({
    name: name.input.value.trim(),
    email: email.input.value.trim(),
    note: note.input.value.trim(),
  })
  return { form, sum, pay, email: email.input, read }
}

const lineOf = ([{ id, name, price_eur, left }, quantity], change) => {
  const input = element('input', {
    type: 'number',
    min: 1,
    max: left,
    value: quantity,
    ariaLabel: say('amount', name),
  })
  input.onchange = () => change(id, Math.min(left, Math.max(1, Math.round(input.value) || 1)))
  const remove = element('button', {
    type: 'button',
    ariaLabel: say('remove', name),
    textContent: '✕',
  })
  remove.onclick = () => change(id, 0)
  const amount = element('span', {}, money(centsOf({ price_eur }, quantity)))
  return element('li', {}, element('span', {}, name), input, amount, remove)
}

const buildDialog = (form) => {
  const title = element('h2', { textContent: say('cart') })
  const close = element('button', { type: 'button', ariaLabel: say('close'), textContent: '✕' })
  const list = element('ul')
  const status = element('p', { role: 'status' })
  const head = element('header', {}, title, close)
  const dialog = element('dialog', { ariaLabel: say('cart') }, head, list, status, form)
  close.onclick = () => dialog.close()
  const setTitle = (text) => {
    title.textContent = text
    dialog.ariaLabel = text
  }
  const showStatus = (text, isFault) => {
    status.role = isFault ? 'alert' : 'status'
    status.className = isFault ? 'fault' : ''
    status.textContent = text
  }
  const show = () => dialog.open || dialog.showModal()
  return { dialog, list, status, setTitle, showStatus, show }
}

const mount = (...children) => {
  const host = document.createElement('homeport-cart')
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(style)
  root.adoptedStyleSheets = [sheet]
  root.append(element('div', { className: 'all' }, ...children))
  document.body.append(host)
}

/** `on` has the callbacks change(id, quantity) and pay(customer). */
export const newView = (on) => {
  const { form, sum, pay, email, read } = buildForm()
  const { dialog, list, status, setTitle, showStatus, show } = buildDialog(form)
  const open = element('button', { type: 'button', className: 'open' })
  mount(open, dialog)

  open.onclick = () => {
    showStatus('')
    show()
  }
  form.onsubmit = (event) => {
    event.preventDefault()
    if (email.validity.valid) return on.pay(read())
    showStatus(say('check'), true)
    email.focus()
  }

  return {
    showStatus,
    show,
    /** `lines` are pairs of a product and a quantity. */
    render(lines) {
      const count = lines.reduce((all, [, quantity]) => all + quantity, 0)
      open.textContent = `${say('cart')} (${count})`
      open.hidden = count === 0
      form.hidden = count === 0
      list.replaceChildren(...lines.map((line) => lineOf(line, on.change)))
      sum.textContent = money(lines.reduce((all, line) => all + centsOf(...line), 0))
      if (count === 0 && !status.textContent) showStatus(say('empty'))
    },
    busy(is_busy) {
      pay.disabled = is_busy
      pay.textContent = say(is_busy ? 'busy' : 'pay')
    },
    thank() {
      setTitle(say('thanks'))
      showStatus(say('received'))
      show()
    },
  }
}
