/** The order forms of a page, which work without the script too. */
import { money, say } from './words.js'

export const findForms = (root) =>
  [...document.forms].filter((form) => form.getAttribute('action')?.startsWith(`${root}orders`))

const valuesOf = (form, name) =>
  [...form.elements].filter((one) => one.name === name && !one.disabled).map(({ value }) => value)

/** The [product id, quantity] pairs of a form, as the server reads them. */
export const linesOf = (form) => {
  const quantities = valuesOf(form, 'quantity')
  return valuesOf(form, 'product_id').map((id, index) => [
    id.trim().toLowerCase(),
    Math.round(Number(quantities[index] ?? 1)) || 0,
  ])
}

export const tokenOf = (form) =>
  valuesOf(form, 'token')[0] ?? new URL(form.getAttribute('action')).searchParams.get('token')

/** Shows the current price in a form; disables its button if its only product is sold out. */
export const updateForm = (form, products) => {
  const lines = linesOf(form)
  const product = products.get(lines[0]?.[0])
  const price = form.querySelector('[data-price]')
  if (price && product) price.textContent = money(Math.round(product.price_eur * 100))
  if (lines.length > 1 || product?.left) return
  for (const button of form.querySelectorAll('button,[type=submit]')) {
    button.disabled = true
    button.textContent = say('sold_out')
  }
}
