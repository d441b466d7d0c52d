/** Creates the catalogue of the example shop and publishes its site: node deploy.mjs SLUG */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const { HOMEPORT_URL: origin = 'http://localhost:4400', HOMEPORT_KEY: key } = process.env
const slug = process.argv[2]
if (!key || !slug) throw new Error('Set HOMEPORT_KEY, and name the site: node deploy.mjs SLUG')

const read = (path) => readFileSync(new URL(path, import.meta.url))
const readText = (path) => read(path).toString()

/** Returns null for the status `missing`. */
async function call(route, body, missing) {
  const [method, path] = route.split(' ')
  const reply = await fetch(`${origin}/api/v1${path}`, {
    method,
    headers: {
      Authorization: `Bearer ${key}`,
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await reply.text()
  if (reply.ok) return JSON.parse(text)
  if (reply.status === missing) return null
  throw new Error(`${route}: ${reply.status} ${text}`)
}

async function findCatalogue() {
  const known = await call('GET /collections/products', null, 404)
  if (known) return
  await call('POST /collections', {
    name: 'products',
    title: 'Products',
    catalogue: true,
    unique: ['sku'],
    schema: {
      type: 'object',
      properties: {
        sku: { type: 'string' },
        name: { type: 'string', maxLength: 200 },
        about: { type: 'string' },
        price_eur: { type: 'number', minimum: 0 },
        vat_percent: { type: 'number', minimum: 0, maximum: 100 },
        stock: { type: 'integer', minimum: 0 },
        picture: { type: 'string', format: 'media' },
      },
      required: ['sku', 'name', 'price_eur', 'vat_percent'],
    },
  })
}

async function uploadPicture(sku) {
  const bytes = read(`pictures/${sku}.webp`)
  const file = {
    filename: `${sku}.webp`,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    bytes: bytes.length,
    content_type: 'image/webp',
  }
  const { uploads } = await call('POST /media/uploads', { files: [file] })
  const [{ upload_id, status, url, headers }] = uploads
  if (status === 'needed') await fetch(url, { method: 'PUT', headers, body: bytes })
  return (await call(`POST /media/uploads/${upload_id}/complete`)).id
}

/** Returns the stored product, which is created if it is missing. */
async function findProduct(product) {
  const filter = encodeURIComponent(`sku = "${product.sku}"`)
  const { data } = await call(`GET /collections/products/documents?filter=${filter}`)
  if (data[0]) return { id: data[0].id, ...data[0].data }
  const picture = await uploadPicture(product.sku)
  const made = await call('POST /collections/products/documents', { ...product, picture })
  return { id: made.id, ...made.data }
}

const fill = (text, values) => text.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => values[name] ?? '')
const escape = (text) =>
  String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
const money = new Intl.NumberFormat('en-IE', { style: 'currency', currency: 'EUR' })

function cardOf({ price_eur, ...product }) {
  const texts = Object.entries(product).map(([name, value]) => [name, escape(value)])
  const values = { ...Object.fromEntries(texts), price: money.format(price_eur), origin }
  return fill(readText('pages/product.html'), values)
}

await findCatalogue()
const products = []
for (const product of JSON.parse(readText('products.json')))
  products.push(await findProduct(product))

const pages = ['index.html', 'thanks.html', 'unpaid.html', 'style.css', '_headers']
const values = { origin, products: products.map(cardOf).join('\n') }
const files = pages.map((path) => ({ path, content: fill(readText(`pages/${path}`), values) }))
const media = products.map(({ sku, picture }) => ({
  media_id: picture,
  path: `pictures/${sku}.webp`,
}))
const { data: sites } = await call('GET /sites?limit=100')
const known = sites.find((site) => site.slug === slug)
const site = known
  ? await call(`PUT /sites/${known.id}`, { files, media })
  : await call('POST /sites', { slug, files, media })
console.log(site.url)
