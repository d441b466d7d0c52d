/** Tests of forms on a website in a real browser, with the script and without. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { after, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { longTest } from '../../../test/fixtures/depth.ts'
import { openBrowser } from '../../../test/fixtures/portal/browser.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { listen } from '../../../test/fixtures/loopback.ts'
import { openSite } from '../../../test/fixtures/sites/site.ts'

const runtime = await openTestRuntime({ work: false })
const browser = await openBrowser()

const schema = {
  type: 'object',
  properties: {
    name: { $ref: '#/$defs/name' },
    email: { type: 'string', format: 'email' },
    guests: { type: 'integer', minimum: 1, maximum: 12 },
    day: { type: 'string', format: 'date' },
    days: { type: 'array', items: { type: 'string' }, minItems: 1 },
    vegan: { type: 'boolean' },
    terms: { const: true },
    address: { type: 'object', properties: { city: { type: 'string', pattern: '^[A-Z]' } } },
    size: { enum: ['small', 'large'] },
  },
  required: ['name', 'email', 'guests', 'vegan'],
  additionalProperties: false,
  $defs: { name: { type: 'string', minLength: 2, maxLength: 40 } },
}

function formOf({ collection, token, more = '' }: Settings): string {
  const action = `${runtime.url}/api/v1/public/collections/${collection}/documents`
  return `<form data-collection="${collection}" data-token="${token}" method="post" action="${action}">
    <input type="hidden" name="token" value="${token}">${more}
    <p><label for="name">Naam</label> <input id="name" name="name" aria-describedby="hint">
      <span id="hint">Voor- en achternaam</span></p>
    <p><label>E-mail <input type="email" name="email"></label></p>
    <p><label>Gasten <input type="number" name="guests"></label></p>
    <p><label>Dag <input type="date" name="day"></label></p>
    <fieldset><legend>Dagen</legend>
      <label><input type="checkbox" name="days" value="monday"> Maandag</label>
      <label><input type="checkbox" name="days" value="friday"> Vrijdag</label></fieldset>
    <p><label><input type="checkbox" name="vegan"> Veganistisch</label></p>
    <p><label>Plaats <input name="address.city"></label></p>
    <p><label>Maat <select name="size"><option value="">-</option><option>small</option>
      <option>large</option></select></label></p>
    <p><button>Verzenden</button></p>
  </form>`
}

interface Settings {
  collection: string
  token: string
  language?: string
  more?: string
}

/** The website: /form?collection=…&token=…&language=… and /thanks. */
const website = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site')
  const settings = Object.fromEntries(searchParams)
  const main =
    pathname === '/thanks'
      ? '<h1>Tot ziens</h1>'
      : `<h1>Reserveren</h1>${formOf({ collection: '', token: '', ...settings })}`
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.setHeader(
    'content-security-policy',
    `default-src 'none'; script-src ${runtime.url}; connect-src ${runtime.url}; img-src data:; form-action ${runtime.url} 'self'`,
  )
  response.end(`<!doctype html><html lang="${settings['language'] ?? 'nl'}"><head><title>Reserveren</title>
    <meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
    <script src="${runtime.url}/forms.js" defer></script></head><body><main>${main}</main></body></html>`)
})
const origin = `http://127.0.0.1:${await listen({ after }, website)}`
const { token } = await openSite(runtime, { allowed_origins: [origin] })
let collections = 0

after(async () => {
  await browser.close()
})

async function newCollection(settings: object = {}): Promise<string> {
  collections += 1
  const name = `bookings-${collections}`
  const body = { name, title: 'Bookings', schema, public_write: true, ...settings }
  const made = await runtime.call('POST /collections', { body })
  assert.equal(made.status, 201, made.text)
  return name
}

async function stored(collection: string): Promise<{ data: object; source: string }[]> {
  const { body } = await runtime.call(`GET /collections/${collection}/documents`)
  return body.data.map(({ data, source }: { data: object; source: string }) => ({ data, source }))
}

interface Visit {
  script?: boolean
  language?: string
  more?: string
}

async function visit(collection: string, options: Visit = {}): Promise<Page> {
  const context = await browser.newContext({
    javaScriptEnabled: options.script ?? true,
    locale: 'de-DE',
  })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  const { language = 'nl', more = '' } = options
  await page.goto(`${origin}/form?${new URLSearchParams({ collection, token, language, more })}`)
  return page
}

async function fill(page: Page): Promise<void> {
  await page.fill('[name=name]', 'Anna de Vries')
  await page.fill('[name=email]', 'anna@example.com')
  await page.fill('[name=guests]', '4')
  await page.fill('[name=day]', '2026-12-24')
  await page.check('[value=friday]')
  await page.fill('[name="address.city"]', 'Utrecht')
  await page.selectOption('[name=size]', 'large')
}

const anna = {
  name: 'Anna de Vries',
  email: 'anna@example.com',
  guests: 4,
  day: '2026-12-24',
  days: ['friday'],
  vegan: false,
  address: { city: 'Utrecht' },
  size: 'large',
}

describe('the form script', () => {
  test('has at most 5 kB compressed, is cacheable, and is the same compressed and plain', async () => {
    const packed = await fetch(`${runtime.url}/forms.js`, {
      headers: { 'accept-encoding': 'gzip' },
    })
    assert.equal(packed.headers.get('content-encoding'), 'gzip')
    assert(
      Number(packed.headers.get('content-length')) <= 5000,
      packed.headers.get('content-length') ?? '',
    )
    const plain = await fetch(`${runtime.url}/forms.js`, {
      headers: { 'accept-encoding': 'identity' },
    })
    const text = await plain.text()
    assert.equal(await packed.text(), text)
    assert.match(plain.headers.get('content-type') ?? '', /^text\/javascript/)
    assert.match(plain.headers.get('cache-control') ?? '', /max-age=3600/)
    const etag = plain.headers.get('etag') ?? ''
    const again = await fetch(`${runtime.url}/forms.js`, { headers: { 'if-none-match': etag } })
    assert.equal(again.status, 304)
  })
})

describe('a form in a browser', () => {
  test('is sent with the types of the schema, and confirms it to the visitor', async () => {
    const collection = await newCollection()
    const page = await visit(collection)
    await fill(page)
    const { promise: looked, resolve: goOn } = Promise.withResolvers<void>()
    await page.route('**/documents?*', async (route) => {
      await looked
      await route.continue()
    })
    await page.click('button')
    await page.locator('button:disabled').waitFor()
    goOn()
    await page.getByText('Bedankt, het is verzonden.').waitFor()
    assert.deepEqual(await stored(collection), [{ data: anna, source: 'form' }])
    assert.equal(await page.inputValue('[name=name]'), '')
    assert.equal(await page.evaluate('document.activeElement.role'), 'status')
    await page.context().close()
  })

  test('is stored identically without JavaScript, with a redirect', async () => {
    const collection = await newCollection()
    const more = `<input type="hidden" name="redirect" value="${origin}/thanks">`
    const page = await visit(collection, { script: false, more })
    await fill(page)
    await page.click('button')
    await page.getByText('Tot ziens').waitFor()
    assert.deepEqual(await stored(collection), [{ data: anna, source: 'form' }])
    await page.context().close()
  })

  test('shows errors beside their fields in Dutch, and removes them once fixed', async () => {
    const collection = await newCollection()
    const page = await visit(collection)
    await page.fill('[name=name]', 'A')
    await page.fill('[name=email]', 'anna')
    await page.fill('[name=guests]', '40')
    await page.fill('[name="address.city"]', 'utrecht')
    await page.click('button')
    await page.getByRole('alert').getByText('Nog niet verzonden').waitFor()
    const told = await page.$$eval('.hp-error', (notes) => notes.map((note) => note.textContent))
    assert.deepEqual(told, [
      'Minstens 2 tekens.',
      'Vul een e-mailadres in.',
      'Hoogstens 12.',
      'Dit klopt nog niet.',
    ])
    const name = page.locator('[name=name]')
    assert.equal(await name.getAttribute('aria-invalid'), 'true')
    assert.match((await name.getAttribute('aria-describedby')) ?? '', /^hint hp-error-\d+$/)
    assert.equal(await page.evaluate('document.activeElement.id'), 'name')
    assert.deepEqual(await seriousFaults(page), [])
    await name.fill('Anna')
    await page.locator('[name=name][aria-describedby=hint]').waitFor()
    assert.equal(await name.getAttribute('aria-describedby'), 'hint')
    assert.equal(await name.getAttribute('aria-invalid'), null)
    assert.deepEqual(await stored(collection), [])
    await page.context().close()
  })

  longTest('uses the language of the page, else of the browser', async () => {
    const collection = await newCollection()
    const required: Record<string, string> = {
      en: 'Please fill this in.',
      fr: 'À remplir.',
      es: 'Rellena esto.',
      ja: 'Bitte ausfüllen.',
    }
    for (const [language, text] of Object.entries(required)) {
      const page = await visit(collection, { language })
      await page.click('button')
      assert.equal(await page.locator('.hp-error').first().textContent(), text)
      await page.context().close()
    }
  })

  longTest('shows errors that only the server finds at their fields', async () => {
    const collection = await newCollection({ unique: ['email'] })
    for (const expected of ['Bedankt, het is verzonden.', 'Nog niet verzonden']) {
      const page = await visit(collection)
      await fill(page)
      await page.click('button')
      await page.getByText(expected).waitFor()
      if (expected.startsWith('Nog'))
        assert.equal(await page.getAttribute('[name=email]', 'aria-invalid'), 'true')
      await page.context().close()
    }
    assert.equal((await stored(collection)).length, 1)
  })

  test('solves a proof of work silently, and hides the honeypot field from people', async () => {
    const collection = await newCollection({ form: { challenge: true } })
    const page = await visit(collection)
    await fill(page)
    await page.click('button')
    await page.getByText('Bedankt, het is verzonden.').waitFor()
    assert.equal((await stored(collection)).length, 1)
    await fill(page)
    await page.evaluate(
      `document.querySelector('[name=hp_website]').value = 'https://spam.example'`,
    )
    await page.click('button')
    await page.getByText('Bedankt, het is verzonden.').waitFor()
    assert.equal((await stored(collection)).length, 1)
    await page.context().close()
  })

  test('keeps the input while the server is unreachable, and can be sent again', async () => {
    const collection = await newCollection()
    const page = await visit(collection)
    await fill(page)
    await page.route('**/documents?*', (route) => route.abort())
    await page.click('button')
    await page.getByRole('alert').getByText('Nog niet verzonden: probeer').waitFor()
    assert.equal(await page.inputValue('[name=name]'), 'Anna de Vries')
    await page.unroute('**/documents?*')
    await page.click('button')
    await page.getByText('Bedankt, het is verzonden.').waitFor()
    assert.equal((await stored(collection)).length, 1)
    await page.context().close()
  })
})

describe('a form in a browser that loses a reply', () => {
  test('is stored once when it is sent again, and so is the next one with the same content', async () => {
    const collection = await newCollection()
    const page = await visit(collection)
    await fill(page)
    await page.route('**/documents?*', async (route) => {
      await route.fetch()
      await route.abort()
    })
    await page.click('button')
    await page.getByRole('alert').getByText('Nog niet verzonden: probeer').waitFor()
    assert.equal((await stored(collection)).length, 1)
    await page.unroute('**/documents?*')
    await page.click('button')
    await page.getByText('Bedankt, het is verzonden.').waitFor()
    assert.equal((await stored(collection)).length, 1)
    await fill(page)
    await page.click('button')
    await page.getByText('Bedankt, het is verzonden.').waitFor()
    assert.equal((await stored(collection)).length, 2)
    await page.context().close()
  })
})

/** Returns the serious accessibility violations that axe reports. */
async function seriousFaults(page: Page): Promise<string[]> {
  const axe = fileURLToPath(import.meta.resolve('axe-core/axe.min.js'))
  const found: unknown = await page.evaluate(
    `${readFileSync(axe, 'utf8')}; axe.run().then(({ violations }) => violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => id + ' ' + nodes.map(({ html }) => html).join(' ')))`,
  )
  assert(Array.isArray(found))
  return found
}
