/** The schema editor, the import and the form builder of a collection in a real browser. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { longTest } from '../../../../../test/fixtures/depth.ts'
import { assertFit } from '../../../../../test/fixtures/portal/fit.ts'
import {
  openPortalBrowser,
  saveScreenshot,
  widthsOfStates,
} from '../../../../../test/fixtures/portal/portal-browser.ts'

const { fixture, newProject, open, visit } = await openPortalBrowser('noor@atelier.example')
const project_id = await newProject('Atelier Noor')
const key = await fixture.newKey({ project_id })
const timeout = 60_000

async function send(route: string, body: unknown) {
  const answer = await fixture.call(route, { key, body })
  assert.ok(answer.status < 300, answer.text)
  return answer.body
}

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', title: 'Name', maxLength: 200 },
    email: { type: 'string', format: 'email' },
    guests: { type: 'integer', minimum: 1 },
    total: { type: 'number' },
    status: { type: 'string', enum: ['new', 'confirmed'] },
    message: { type: 'string', maxLength: 2000 },
  },
  required: ['name'],
}

async function newCollection(name: string, documents: object[] = []) {
  await send('POST /collections', { name, title: 'Workshops', schema, unique: ['email'] })
  for (const body of documents) await send(`POST /collections/${name}/documents`, body)
  return `/projects/${project_id}/data/${name}?mode=test`
}

async function collection(name: string) {
  return (await fixture.call(`GET /collections/${name}`, { key })).body
}

describe('the schema editor', () => {
  longTest('shows which documents would not fit, and saves the schema', async (t) => {
    const people = ['Anna', 'Bram'].map((name, index) => ({ name, guests: 1 + index }))
    const path = await newCollection('schema', [
      ...people,
      { name: 'Carla', email: 'c@example.nl' },
    ])
    const { page, faults } = await open(t, 1440)
    await visit(page, path)
    await page.getByRole('tab', { name: 'Schema' }).click()
    await page.getByRole('checkbox', { name: 'email is required' }).click()
    await page.getByText('2 documents do not fit the new schema.').waitFor({ timeout })
    await page.getByText('email is required', { exact: false }).first().waitFor()
    await page.getByRole('button', { name: 'Add field' }).click()
    await page.getByRole('textbox', { name: 'Name of field 7' }).fill('size')
    await page.getByRole('combobox', { name: 'Type of size' }).click()
    await page.getByRole('option', { name: 'Choice' }).click()
    await page.getByText('Write the values, separated by commas.').waitFor()
    await page.getByRole('textbox', { name: 'Values of size' }).fill('S, M, L')
    await page.getByText('2 documents do not fit the new schema.').waitFor({ timeout })
    await saveScreenshot(page, 'schema-misfits')
    await assertFit(page, 1440)
    assert.deepEqual((await collection('schema')).schema, schema)
    await page.getByRole('button', { name: 'Save schema' }).click()
    await page.getByText('The schema is saved.').first().waitFor({ timeout })
    const saved = await collection('schema')
    assert.deepEqual(saved.schema.required, ['name', 'email'])
    assert.deepEqual(saved.schema.properties.size, { type: 'string', enum: ['S', 'M', 'L'] })
    assert.deepEqual(saved.schema.properties.guests, { type: 'integer', minimum: 1 })
    assert.deepEqual(faults, [])
  })

  longTest('follows the JSON as it is typed, and names a fault in it', async (t) => {
    const path = await newCollection('schema-json')
    const { page } = await open(t, 1024)
    await visit(page, path)
    await page.getByRole('tab', { name: 'Schema' }).click()
    const json = page.getByRole('textbox', { name: 'The schema as JSON' })
    await json.fill('{"type":"object","properties":{"city":{"type":"string"}}')
    await page.getByText('This is not a JSON object.').waitFor()
    await json.fill('{"type":"object","properties":{"city":{"type":"string"}}}')
    const name = page.getByRole('textbox', { name: 'Name of field 1' })
    assert.equal(await name.inputValue(), 'city')
    await page.getByText('All documents fit the new schema.').waitFor({ timeout })
    await page.getByRole('button', { name: 'Discard changes' }).click()
    assert.equal(await name.inputValue(), 'name')
  })
})

const csv = [
  'Naam;E-mail;Bedrag;Gasten;Opmerking',
  'Anna;anna@example.nl;12,50;2;bij het raam',
  'Bram;bram@example.nl;8,00;vier;',
  'Carla;carla@example.nl;1.234,56;3;',
].join('\n')

describe('the import', () => {
  test('previews a file, maps its columns, reports refused lines and imports the rest', async (t) => {
    const path = await newCollection('imported')
    const { page, faults } = await open(t, 1440)
    await visit(page, path)
    await page.getByRole('button', { name: 'Actions of the collection' }).click()
    await page.getByRole('menuitem', { name: 'Import' }).click()
    const dialog = page.getByRole('dialog', { name: 'Import documents' })
    await dialog.getByText('Choose a file').waitFor({ timeout })
    await saveScreenshot(page, 'import-choose')
    await assertFit(page, 1440)
    await dialog
      .locator('input[type=file]')
      .setInputFiles({ name: 'workshops.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
    await dialog.getByText('3 lines refused').waitFor({ timeout })
    await saveScreenshot(page, 'import-refused')
    for (const [column, field] of [
      ['Naam', 'name'],
      ['Bedrag', 'total'],
      ['Gasten', 'guests'],
      ['Opmerking', 'Leave out'],
    ] as const) {
      await dialog.getByRole('combobox', { name: `Field of column ${column}` }).click()
      await page.getByRole('option', { name: field, exact: true }).click()
    }
    await dialog.getByText('2 new documents').waitFor({ timeout })
    await dialog.getByText('1 line refused').waitFor({ timeout })
    await dialog.getByText(/Gasten “vier”/).waitFor()
    await saveScreenshot(page, 'import-preview')
    await assertFit(page, 1440)
    const saving = page.waitForEvent('download')
    await dialog.getByRole('button', { name: 'Save refused lines' }).click()
    const refused =
      'Line,Column,Value in the file,What is wrong\r\n3,Gasten,vier,must be a whole number'
    assert.equal(await contentOf(await saving), `\uFEFF${refused}\r\n`)
    assert.equal((await collection('imported')).document_count, 0)
    await dialog.getByRole('button', { name: 'Import 2 documents' }).click()
    const tray = page.getByRole('region', { name: 'Uploads and downloads' })
    await tray.getByText('2 new documents · 1 line refused').waitFor({ timeout })
    await page.getByRole('gridcell', { name: 'Carla', exact: true }).waitFor({ timeout })
    await saveScreenshot(page, 'import-done')
    const { body } = await fixture.call('GET /collections/imported/documents?sort=name', { key })
    assert.deepEqual(
      body.data.map(({ data, source }: any) => [data, source]),
      [
        [{ name: 'Anna', email: 'anna@example.nl', total: 12.5, guests: 2 }, 'import'],
        [{ name: 'Carla', email: 'carla@example.nl', total: 1234.56, guests: 3 }, 'import'],
      ],
    )
    assert.deepEqual(faults, [])
  })

  longTest('refuses a kind of file that it cannot read, before it is sent', async (t) => {
    const path = await newCollection('wrong-kind')
    const { page } = await open(t, 390)
    await visit(page, path)
    await page.getByRole('button', { name: 'Actions of the collection' }).click()
    await page.getByRole('menuitem', { name: 'Import' }).click()
    const dialog = page.getByRole('dialog', { name: 'Import documents' })
    await dialog
      .locator('input[type=file]')
      .setInputFiles({ name: 'old.xls', mimeType: 'text/csv', buffer: Buffer.from('x') })
    await dialog.getByText(/This kind of file cannot be imported/).waitFor()
    await assertFit(page, 390)
  })
})

async function contentOf(file: any): Promise<string> {
  const parts: string[] = []
  for await (const part of await file.createReadStream()) parts.push(String(part))
  return parts.join('')
}

describe('the form builder', () => {
  test('publishes a form as a page whose visitors can send it', async (t) => {
    const path = await newCollection('form')
    const { page, faults } = await open(t, 1440)
    await visit(page, path)
    await page.getByRole('tab', { name: 'Form' }).click()
    await page.getByRole('textbox', { name: 'Heading' }).fill('Join a workshop')
    await page.getByRole('textbox', { name: 'Label of guests' }).fill('How many people?')
    const preview = page.getByRole('region', { name: 'Preview' })
    await preview.getByText('How many people?').waitFor()
    assert.equal(await preview.getByText('Status').count(), 0)
    await saveScreenshot(page, 'form-builder')
    await assertFit(page, 1440)
    await page.getByRole('button', { name: 'Publish', exact: true }).click()
    const link = page.getByRole('link', { name: 'Open the page' })
    await link.waitFor({ timeout })
    assert.equal((await collection('form')).public_write, true)
    const { body } = await fixture.call('GET /sites', { key })
    const site = body.data.find(({ slug }: any) => slug === 'form-form')
    const file = await fixture.call(`GET /sites/${site.id}/files/index.html`, { key })
    assert.match(file.body.content, /name="token" value="hm_pub_/)
    assert.match(file.body.content, /How many people\?/)
    assert.deepEqual(site.warnings ?? [], [])
    await visitorSends(
      t,
      file.body.content,
      new URL(String(await link.getAttribute('href'))).origin,
    )
    assert.deepEqual(faults, [])
  })

  async function visitorSends(t: any, html: string, origin: string) {
    const [, token] = /name="token" value="(hm_pub_[^"]+)"/.exec(html) ?? []
    const route = `POST /public/collections/form/documents?token=${token}`
    const headers = { origin, 'content-type': 'application/x-www-form-urlencoded' }
    const raw = 'name=Anna&guests=3'
    const sent = await fixture.call(route, { key: null, raw, headers })
    assert.ok(sent.status < 400, sent.text)
    const { body } = await fixture.call('GET /collections/form/documents', { key })
    assert.deepEqual(body.data[0].data, { name: 'Anna', guests: 3 })
    t.diagnostic(`sent to ${origin}`)
  }

  longTest('writes the HTML for another website, with a token for its origin', async (t) => {
    const path = await newCollection('own-form')
    const { page } = await open(t, 1024)
    await visit(page, path)
    await page.getByRole('tab', { name: 'Form' }).click()
    await page
      .getByRole('textbox', { name: 'Address of the website' })
      .fill('www.example.nl/contact')
    await page.getByRole('button', { name: 'Create token and HTML' }).click()
    const html = page.getByRole('region', { name: 'HTML of the form' })
    await html.waitFor({ timeout })
    assert.match(String(await html.textContent()), /<form method="post"[^>]+data-token="hm_pub_/)
    const { body } = await fixture.call('GET /chat-tokens', { key })
    assert.deepEqual(body.data[0].allowed_origins, ['https://www.example.nl'])
    await saveScreenshot(page, 'form-html')
    await assertFit(page, 1024)
  })
})

describe('the editors of a collection', () => {
  for (const width of widthsOfStates) {
    longTest(`fit at ${width}`, async (t) => {
      const path = await newCollection(`look-${width}`, [{ name: 'Anna' }])
      const { page, faults } = await open(t, width)
      await visit(page, path)
      for (const tab of ['Schema', 'Form']) {
        await page.getByRole('tab', { name: tab }).click()
        await page.getByRole('checkbox').first().waitFor({ timeout })
        await saveScreenshot(page, `${tab.toLowerCase()}-${width}`)
        await assertFit(page, width)
      }
      assert.deepEqual(faults, [])
    })
  }
})
