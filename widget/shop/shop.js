/**
 * The shop script: turns the order forms of a page into buy buttons with a cart. The forms
 * work without it too: it sends the same products to the same URL.
 */
import { newCart } from './cart.js'
import { findForms, linesOf, updateForm, tokenOf } from './forms.js'
import { newServer } from './server.js'
import { newView } from './view.js'
import { say } from './words.js'

const script = document.currentScript ?? document.querySelector('script[src*="/shop.js"]')
const root = new URL('/api/v1/public/', script.src).href
const QUANTITY_MAX = 99
/** Products of one request. */
const PRODUCTS_MAX = 50
const PLACED = 'hp_order'
const UNPAID = 'unpaid'

/** Returns what the payment became if the customer comes back from it. Empties the cart of a paid one. */
const readOutcome = (cart) => {
  const here = new URL(location.href)
  const outcome = here.searchParams.get(PLACED)
  if (!outcome) return null
  here.searchParams.delete(PLACED)
  history.replaceState(history.state, '', here)
  if (outcome !== UNPAID) cart.clear()
  return outcome
}

const pagesAfter = () => {
  const thanks = new URL(script.dataset.thanks ?? location.pathname, location.href)
  thanks.searchParams.set(PLACED, 'placed')
  const cancel_url = `${location.origin}${location.pathname}?${PLACED}=${UNPAID}`
  return { success_url: thanks.href, cancel_url }
}

/** The cart with the prices and the stock of the server. */
const newShop = (cart, forms, server) => {
  let products = new Map()
  let submission
  return {
    products: () => products,
    lines: () =>
      cart
        .entries()
        .flatMap(([id, quantity]) => (products.has(id) ? [[products.get(id), quantity]] : [])),
    /** Sets a quantity, limited to what is left. */
    put(id, quantity) {
      cart.set(id, Math.min(quantity, products.get(id)?.left ?? QUANTITY_MAX))
      submission = 0
    },
    async load() {
      const lines = [...cart.entries(), ...forms.flatMap(linesOf)]
      const ids = [...new Set(lines.map(([id]) => id))]
      const parts = []
      while (ids[0]) parts.push(server.products(ids.splice(0, PRODUCTS_MAX)))
      products = new Map((await Promise.all(parts)).flatMap((part) => [...part]))
      for (const [id, quantity] of cart.entries())
        cart.set(id, Math.min(quantity, products.get(id)?.left ?? 0))
      for (const form of forms) updateForm(form, products)
    },
    order({ name, email, note }) {
      // Retries keep the id, so that an order whose reply was lost is placed once.
      submission ||= crypto.randomUUID()
      return server.order({
        items: cart.entries().map(([product_id, quantity]) => ({ product_id, quantity })),
        customer: { email, ...(name && { name }) },
        ...(note && { note }),
        ...pagesAfter(),
        hp_submission: submission,
      })
    },
    forget: () => (submission = 0),
  }
}

/** Returns the text for a refusal of an order. */
const refusalOf = async (reply) => {
  if (reply.status !== 422) return say({ 409: 'changed', 429: 'wait' }[reply.status] ?? 'failed')
  const { errors } = await reply.json()
  return say(errors?.some(({ path }) => path === '/customer/email') ? 'check' : 'failed')
}

const start = () => {
  const forms = findForms(root)
  const token = script.dataset.token ?? forms.map(tokenOf).find(Boolean)
  const cart = newCart(`hp-cart ${root}`)
  const outcome = readOutcome(cart)
  // The challenge needs crypto.subtle, which only secure pages have; elsewhere the forms stay plain.
  if (!token || !crypto.subtle) return
  const shop = newShop(cart, forms, newServer(root, token))

  const render = () => view.render(shop.lines())
  const load = () =>
    shop
      .load()
      .catch(() => {})
      .finally(render)
  const showUnpaid = () => {
    if (!shop.lines()[0]) return
    view.showStatus(say('unpaid'), true)
    view.show()
  }

  const place = async (customer) => {
    const reply = await shop.order(customer)
    if (reply.ok) return location.assign((await reply.json()).checkout_url)
    if (reply.status === 409) {
      shop.forget()
      await load()
    }
    view.showStatus(await refusalOf(reply), true)
    view.busy(false)
  }
  const view = newView({
    change(id, quantity) {
      shop.put(id, quantity)
      render()
    },
    pay(customer) {
      view.busy(true)
      view.showStatus('')
      place(customer).catch(() => {
        view.showStatus(say('failed'), true)
        view.busy(false)
      })
    },
  })
  const add = (event) => {
    const lines = linesOf(event.target).filter(([, quantity]) => quantity > 0)
    const known = shop.products()
    // If its price is unknown, the browser submits the form itself.
    if (!lines[0] || lines.some(([id]) => !known.has(id))) return
    event.preventDefault()
    for (const [id, quantity] of lines) shop.put(id, cart.of(id) + quantity)
    render()
    view.showStatus(say('added', known.get(lines[0][0]).name))
    view.show()
  }
  for (const form of forms) form.addEventListener('submit', add)
  render()
  if (outcome && outcome !== UNPAID) view.thank()
  load().then(() => outcome === UNPAID && showUnpaid())
  // A page from the back/forward cache shows outdated stock.
  addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return
    view.busy(false)
    load()
  })
}

if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', start)
else start()
