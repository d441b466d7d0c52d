/** Tests that forms give the same result with and without the script, for every kind of field. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, beforeEach, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { longTest } from '../../../test/fixtures/depth.ts'
import { limits } from '../../contract/limits.ts'
import { openBrowser } from '../../../test/fixtures/portal/browser.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { listen } from '../../../test/fixtures/loopback.ts'
import { openSite } from '../../../test/fixtures/sites/site.ts'

const runtime = await openTestRuntime({ work: false })
const browser = await openBrowser()

interface Form {
  schema: object
  /** HTML of the form's fields. */
  fields: string
  settings?: object
}

/** The page by collection. */
const pages = new Map<string, string>()
const website = createServer((request, response) => {
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.end(pages.get((request.url ?? '').slice(1)) ?? '')
})
const origin = `http://127.0.0.1:${await listen({ after }, website)}`
const { token } = await openSite(runtime, { allowed_origins: [origin] })

// All visitors here share one address and its rate limit.
beforeEach(() => runtime.passes('2 minutes'))

after(async () => {
  await browser.close()
})

async function newForm({ schema, fields, settings }: Form): Promise<string> {
  const name = `form-${pages.size + 1}`
  const body = { name, title: 'Forms', schema, public_write: true, ...settings }
  const made = await runtime.call('POST /collections', { body })
  assert.equal(made.status, 201, made.text)
  const action = `${runtime.url}/api/v1/public/collections/${name}/documents`
  const enctype = fields.includes('type="file"') ? 'enctype="multipart/form-data"' : ''
  pages.set(
    name,
    `<!doctype html><html lang="nl"><head><title>Form</title><link rel="icon" href="data:,">
    <script src="${runtime.url}/forms.js" defer></script></head><body>
    <form data-collection="${name}" data-token="${token}" method="post" action="${action}" ${enctype}>
    <input type="hidden" name="token" value="${token}">${fields}<button id="send">Send</button>
    </form></body></html>`,
  )
  return name
}

async function stored(name: string): Promise<unknown[]> {
  const { body } = await runtime.call(`GET /collections/${name}/documents`)
  return body.data.map(({ data }: { data: object }) => data)
}

async function open(name: string, script = true): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled: script, locale: 'nl-NL' })
  const page = await context.newPage()
  page.setDefaultTimeout(60_000)
  await page.goto(`${origin}/${name}`)
  return page
}

const send = (page: Page) => page.click('#send')
const thanks = (page: Page) => page.getByText(/Bedankt, het is verzonden|Dank u wel/).waitFor()
/** Returns the error shown beside a field. */
const toldAt = (page: Page, name: string) =>
  page.locator(`p:has([name="${name}"]) .hp-error`).first().textContent()

const of = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })

interface Same extends Form {
  what: string
  fill?: (page: Page) => Promise<void>
  data: object
}

const alike: Same[] = [
  {
    what: 'a box with words of its own, and a choice of yes and no',
    schema: of({ a: { type: 'boolean' }, b: { const: true }, c: { type: 'boolean' } }),
    fields: `<input type="checkbox" name="a" value="yes" checked>
      <input type="checkbox" name="b" value="true" checked>
      <select name="c"><option value="no">Nee</option><option value="1" selected>Ja</option></select>`,
    data: { a: true, b: true, c: true },
  },
  {
    what: 'boxes of one name without a schema for them',
    schema: { type: 'object' },
    fields: `<input type="checkbox" name="days" value="mon" checked>
      <input type="checkbox" name="days" value="tue" checked>
      <select name="at" multiple><option selected>9</option><option selected>10</option></select>`,
    data: { days: ['mon', 'tue'], at: ['9', '10'] },
  },
  {
    what: 'a list that may be null',
    schema: of({
      a: { type: ['array', 'null'], items: { type: 'integer' } },
      b: { anyOf: [{ type: 'array', items: { type: 'integer' } }, { type: 'null' }] },
    }),
    fields: '<input name="a" value="1"><input name="b" value="2"><input name="b" value="3">',
    data: { a: [1], b: [2, 3] },
  },
  {
    what: 'numbers whose type is said in a roundabout way',
    schema: of(
      {
        a: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
        b: { oneOf: [{ type: 'boolean' }] },
        c: { $ref: '#n' },
        d: { type: ['integer', 'string'] },
      },
      {
        $defs: { n: { $anchor: 'n', type: 'integer' } },
        additionalProperties: { type: 'integer' },
        allOf: [{ properties: { e: { type: 'integer' } } }, { properties: { e: { minimum: 1 } } }],
      },
    ),
    fields: `<input name="a" value="1"><input name="b" value="on"><input name="c" value="3">
      <input name="d" value="007"><input name="e" value="5"><input name="f" value="6">`,
    data: { a: 1, b: true, c: 3, d: '007', e: 5, f: 6 },
  },
  {
    what: 'the times of a browser, in the time zone of the form',
    schema: of({
      on: { type: 'string', format: 'date-time' },
      at: { type: 'string', format: 'time' },
    }),
    fields: `<input type="hidden" name="hp_timezone" value="Asia/Kolkata">
      <input type="datetime-local" name="on" value="2026-11-22T10:30">
      <input type="time" name="at" value="10:30">`,
    data: { on: '2026-11-22T05:00:00Z', at: '10:30:00+05:30' },
  },
  {
    what: 'the button that was used',
    schema: of({ plan: { enum: ['gold', 'silver'] } }, { required: ['plan'] }),
    fields: '<button name="plan" value="gold">Goud</button>',
    fill: (page) => page.click('[name=plan]'),
    data: { plan: 'gold' },
  },
  {
    what: 'names that mean something to the language or to forms',
    schema: of({ 'a/b': { type: 'integer' } }),
    fields: ['reset', 'elements', 'closest', 'dataset', 'querySelectorAll', 'constructor', 'a/b']
      .map((name) => `<input name="${name}" value="1">`)
      .join(''),
    data: {
      reset: '1',
      elements: '1',
      closest: '1',
      dataset: '1',
      querySelectorAll: '1',
      constructor: '1',
      'a/b': 1,
    },
  },
]

describe('stores the same document with and without the script', () => {
  for (const [index, { what, fill, data, ...form }] of alike.entries()) {
    const tried = index % 3 === 0 ? test : longTest
    tried(what, async () => {
      for (const script of [true, false]) {
        const name = await newForm(form)
        const page = await open(name, script)
        await (fill ? fill(page) : send(page))
        await thanks(page)
        assert.deepEqual(await stored(name), [data], script ? 'with it' : 'without')
        await page.context().close()
      }
    })
  }
})

describe('an error in a form', () => {
  test('for a missing group is shown at its first field', async () => {
    const city = of({ city: { type: 'string' } }, { required: ['city'] })
    const name = await newForm({
      schema: of({ address: city, photo: { format: 'media' } }, { required: ['address', 'photo'] }),
      fields: `<p><label>Plaats <input name="address.city"></label></p>
        <p><label>Foto <input type="file" name="photo"></label></p>`,
    })
    const page = await open(name)
    await send(page)
    assert.equal(await toldAt(page, 'address.city'), 'Vul dit in.')
    assert.equal(await toldAt(page, 'photo'), 'Vul dit in.')
    assert.equal(await page.evaluate('document.activeElement.name'), 'address.city')
    await page.context().close()
  })

  longTest('that only the server detects is shown at its field', async () => {
    const name = await newForm({
      schema: of({ 'a/b': { multipleOf: 5, type: 'integer' } }),
      fields: '<p><input name="a/b" value="7"></p>',
    })
    const page = await open(name)
    await send(page)
    assert.equal(await toldAt(page, 'a/b'), 'Dit klopt nog niet.')
    await page.context().close()
  })

  test('in a time field is shown like others', async () => {
    const name = await newForm({
      schema: of({ when: { type: 'string', format: 'date-time' } }),
      fields: '<p><input name="when" value="tomorrow at ten"></p>',
    })
    const page = await open(name)
    await send(page)
    assert.equal(await toldAt(page, 'when'), 'Vul een datum in.')
    assert.deepEqual(await stored(name), [])
    await page.context().close()
  })

  test('of the site, such as an invalid redirect, is shown, and the form is not stored', async () => {
    const name = await newForm({
      schema: { type: 'object' },
      fields: '<input name="a" value="1"><input type="hidden" name="redirect" value="https://[">',
    })
    const page = await open(name)
    await send(page)
    await page.getByRole('alert').getByText('Nog niet verzonden: probeer').waitFor()
    assert.equal(await page.evaluate('document.activeElement.role'), 'alert')
    assert.deepEqual(await stored(name), [])
    await page.context().close()
  })
})

const photoForm: Form = {
  schema: of({ photo: { format: 'media' } }),
  fields: '<p><input type="file" name="photo"></p>',
}

describe('sending a form', () => {
  test('happens once, even if it is submitted again while the schema loads', async () => {
    const name = await newForm({ schema: { type: 'object' }, fields: '<input name="a" value="1">' })
    const page = await open(name)
    const { promise: read, resolve: goOn } = Promise.withResolvers<void>()
    await page.route('**/form?*', async (route) => {
      await read
      await route.continue()
    })
    await page.reload()
    await page.focus('[name=a]')
    for (let time = 0; time < 3; time += 1) await page.keyboard.press('Enter')
    await page.getByText('Bezig met verzenden').waitFor()
    assert.equal(await page.locator('form').getAttribute('aria-busy'), 'true')
    goOn()
    await thanks(page)
    assert.deepEqual(await stored(name), [{ a: '1' }])
    await page.context().close()
  })

  longTest('loads the schema again after a failure', async () => {
    const name = await newForm({ schema: { type: 'object' }, fields: '<input name="a" value="1">' })
    const page = await open(name)
    let fails = true
    await page.route('**/form?*', (route) => (fails ? route.abort() : route.continue()))
    await page.reload()
    fails = false
    await send(page)
    await thanks(page)
    assert.deepEqual(await stored(name), [{ a: '1' }])
    await page.context().close()
  })

  test('includes a file when a proof of work is required', async () => {
    const name = await newForm({ ...photoForm, settings: { form: { challenge: true } } })
    const page = await open(name)
    const paper = { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('words') }
    await page.setInputFiles('[name=photo]', paper)
    await send(page)
    await thanks(page)
    assert.equal((await stored(name)).length, 1)
    await page.context().close()
  })

  longTest('shows progress for a large form', async () => {
    const name = await newForm(photoForm)
    const page = await open(name)
    await page.evaluate(`{
      window.told = []
      const look = () => window.told.push(document.querySelector('.hp-status').textContent)
      new MutationObserver(look).observe(document.querySelector('.hp-status'), { childList: true })
    }`)
    const buffer = Buffer.alloc(5_000_000, 'words ')
    await page.setInputFiles('[name=photo]', { name: 'a.txt', mimeType: 'text/plain', buffer })
    await send(page)
    await thanks(page)
    const told: unknown = await page.evaluate('window.told')
    assert(Array.isArray(told))
    assert.equal(told[0], 'Bezig met verzenden…')
    assert(told.includes('Bezig met verzenden… 100%'), told.join())
    assert(new Set(told).size <= 14)
    await page.context().close()
  })

  longTest('shows an error beside a file that is too large', async () => {
    const name = await newForm(photoForm)
    const page = await open(name)
    const buffer = Buffer.alloc(limits.form_file_bytes_max + 1)
    await page.setInputFiles('[name=photo]', { name: 'a.bin', mimeType: 'text/plain', buffer })
    await send(page)
    assert.equal(await toldAt(page, 'photo'), 'Hoogstens 10 MB.')
    await page.context().close()
  })
})
