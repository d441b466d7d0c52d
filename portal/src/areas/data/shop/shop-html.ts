/** The HTML that a page needs to sell a product. */
export interface ShopAddress {
  /** The origin of the server. */
  origin: string
  /** The public token; null leaves it out, because publishing a site adds the token of the site. */
  token: string | null
}

export function scriptHtml({ origin }: ShopAddress): string {
  return `<script src="${escaped(origin)}/shop.js" defer></script>`
}

export interface BuyTexts {
  buy: string
  quantity: string
}

export function buyFormHtml(
  product: { id: string; name: string; price: string },
  { origin, token }: ShopAddress,
  { buy, quantity }: BuyTexts,
): string {
  return [
    `<form method="post" action="${escaped(origin)}/api/v1/public/orders">`,
    ...(token === null ? [] : [hidden('token', token)]),
    hidden('product_id', product.id),
    `  <p>${escaped(product.name)} <span data-price>${escaped(product.price)}</span></p>`,
    `  <label>${escaped(quantity)} <input type="number" name="quantity" value="1" min="1" max="99"></label>`,
    `  <button>${escaped(buy)}</button>`,
    '</form>',
  ].join('\n')
}

function hidden(name: string, value: string): string {
  return `  <input type="hidden" name="${name}" value="${escaped(value)}">`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
