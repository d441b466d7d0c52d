/** Tests of the pages of collections and documents in a real browser. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { longTest } from '../../../../../test/fixtures/depth.ts'
import { assertFit } from '../../../../../test/fixtures/portal/fit.ts'
import {
  openPortalBrowser,
  saveScreenshot,
} from '../../../../../test/fixtures/portal/portal-browser.ts'

const { fixture, newProject, open, visit } = await openPortalBrowser('eva@atelier.example')
const project_id = await newProject('Atelier Eva')
const key = await fixture.newKey({ project_id })

async function send(route: string, body: unknown) {
  const answer = await fixture.call(route, { key, body })
  assert.ok(answer.status < 300, answer.text)
  return answer.body
}

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1 },
    guests: { type: 'integer', minimum: 1 },
    vegan: { type: 'boolean' },
    status: { type: 'string', enum: ['new', 'confirmed'] },
  },
  required: ['name'],
}

async function newCollection(name: string) {
  await send('POST /collections', { name, title: 'Dinners', schema, indexes: ['guests'] })
  return `/projects/${project_id}/data/${name}?mode=test`
}

const anna = { name: 'Anna', guests: 4, status: 'new' }

describe('the data pages', () => {
  test('create a collection from a template, and show it', async (t) => {
    const { page, faults } = await open(t, 1440)
    await visit(page, `/projects/${project_id}/data?mode=test`)
    await page.getByRole('button', { name: 'Create collection' }).first().click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Réservations d’été')
    await page.getByText('Bookings', { exact: true }).click()
    await saveScreenshot(page, 'data-create')
    await assertFit(page, 1440)
    await page.getByRole('dialog').getByRole('button', { name: 'Create collection' }).click()
    await page.getByRole('heading', { name: 'Réservations d’été' }).waitFor()
    // Closes the message about the success.
    await page.getByRole('button', { name: 'Close' }).waitFor()
    const { status, body } = await fixture.call('GET /collections/reservations-d-ete', { key })
    assert.deepEqual([status, body.indexes], [200, ['date', 'status']])
    await saveScreenshot(page, 'data-collection-empty')
    await assertFit(page, 1440)
    assert.deepEqual(faults, [])
  })

  longTest('show the message of the server if a name is taken', async (t) => {
    const { page } = await open(t, 1024)
    await newCollection('dinners')
    await visit(page, `/projects/${project_id}/data?mode=test`)
    await page.getByRole('button', { name: 'Create collection' }).first().click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Dinners')
    await page.getByRole('dialog').getByRole('button', { name: 'Create collection' }).click()
    const taken = 'There is already a collection of data with this name.'
    await page.getByRole('dialog').getByText(taken).waitFor()
    await saveScreenshot(page, 'data-name-taken')
    await assertFit(page, 1024)
  })

  test('change who uses the documents, and switch events on for a new webhook', async (t) => {
    const path = await newCollection('used')
    await newCollection('silent')
    const { page, faults } = await open(t, 390)
    await visit(page, path)
    await page.getByRole('tab', { name: 'Settings' }).click()
    await page.getByLabel('The assistant answers from the documents').check()
    await page.getByLabel('Forms must solve a challenge').check()
    await page.getByLabel('Websites may read fields of the documents').check()
    await page.getByText('Choose at least one field.').waitFor()
    await page.getByLabel('Guests').check()
    await saveScreenshot(page, 'data-settings')
    await assertFit(page, 390)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('The settings are saved.').first().waitFor()
    const read = async (name: string) =>
      (await fixture.call(`GET /collections/${name}`, { key })).body
    const { assistant_facts, form, public_read, readable_fields, ...used } = await read('used')
    assert.deepEqual(
      [assistant_facts, form, public_read, readable_fields, used.webhook_on_insert],
      [true, { challenge: true }, true, ['guests'], false],
    )
    await visit(page, `/projects/${project_id}/webhooks?mode=test`)
    await page.getByRole('button', { name: 'Add an endpoint' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Address').fill('http://127.0.0.1:9/hook')
    await dialog.getByLabel(/^A call has ended/).uncheck()
    await dialog.getByRole('button', { name: 'Add an endpoint' }).click()
    await dialog.getByText('Choose at least one event.').waitFor()
    await dialog.getByLabel(/^A document was created/).check()
    await dialog.getByLabel(/silent/).uncheck()
    await saveScreenshot(page, 'webhook-collections')
    await assertFit(page, 390)
    await dialog.getByRole('button', { name: 'Add an endpoint' }).click()
    await page.getByText('Copy the signing secret now').waitFor()
    assert.equal((await read('used')).webhook_on_insert, true)
    assert.equal((await read('silent')).webhook_on_insert, false)
    assert.deepEqual(faults, [])
  })

  test('add, change and delete a document', async (t) => {
    const path = await newCollection('edited')
    const { page, faults } = await open(t, 1440)
    await visit(page, path)
    await page.getByRole('button', { name: 'Add document' }).first().click()
    const drawer = page.getByRole('dialog', { name: 'Add document' })
    await drawer.getByLabel('Name').fill('Anna')
    await drawer.getByLabel('Guests').fill('4')
    await saveScreenshot(page, 'data-add')
    await assertFit(page, 1440)
    await drawer.getByRole('button', { name: 'Add document' }).click()
    await page.getByRole('button', { name: 'Anna' }).click()
    const edited = page.getByRole('dialog', { name: 'Document' })
    await edited.getByRole('tab', { name: 'JSON' }).click()
    await edited.getByLabel('The document as JSON').fill('{"name":"Anna","guests":6,"vegan":true}')
    await saveScreenshot(page, 'data-json')
    await edited.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('gridcell', { name: '6', exact: true }).waitFor()
    const { body } = await fixture.call('GET /collections/edited/documents', { key })
    assert.deepEqual(
      body.data.map(({ data, source, version }: any) => ({ data, source, version })),
      [{ data: { name: 'Anna', guests: 6, vegan: true }, source: 'portal', version: 2 }],
    )
    await page.getByRole('button', { name: 'Anna' }).click()
    await edited.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No document yet').waitFor()
    await page.getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('menuitem', { name: 'Deleted documents' }).click()
    const deleted = page.getByRole('dialog', { name: 'Deleted documents' })
    await deleted.getByText('Anna · 6 · true').first().waitFor()
    await saveScreenshot(page, 'data-deleted')
    await assertFit(page, 1440)
    await deleted.getByRole('button', { name: /^Restore/ }).click()
    await deleted.getByText('No deleted document').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Anna' }).waitFor()
    assert.deepEqual(faults, [])
  })

  longTest('show the fields of documents of a collection without a schema', async (t) => {
    await send('POST /collections', { name: 'notes', title: 'Notes' })
    const address = { street: 'Kade 1', city: 'Leiden' }
    const id = '0198f0c2-7d4e-7a1b-9c3d-5e6f7a8b9c0d'
    const anna = { customer_id: id, address, name: 'Anna', tags: ['red', 'blue'], guests: 4 }
    await send('POST /collections/notes/documents', anna)
    await send('POST /collections/notes/documents', { name: 'Bram', guests: null })
    const { page, faults } = await open(t, 1440)
    await visit(page, `/projects/${project_id}/data/notes?mode=test`)
    const headings = await page.getByRole('columnheader').allTextContents()
    assert.deepEqual(headings.toSorted().slice(0, 2), ['Address', 'Created'])
    const at = (name: string) => headings.indexOf(name)
    assert.ok(at('Name') < at('Address') && at('Guests') < at('Tags'), headings.join())
    assert.ok(at('Customer id') > at('Address') && at('Customer id') > at('Tags'), headings.join())
    // The order of the names in an object is that of the database.
    await page.getByRole('gridcell', { name: /street: Kade 1/ }).waitFor()
    await page.getByRole('gridcell', { name: 'red, blue' }).waitFor()
    await saveScreenshot(page, 'data-no-schema')
    await assertFit(page, 1440)
    await page.getByRole('button', { name: 'Add document' }).first().click()
    const drawer = page.getByRole('dialog', { name: 'Add document' })
    await drawer.getByLabel('Guests').fill('2')
    await drawer.getByLabel('Name').fill('Carla')
    await drawer.getByRole('button', { name: 'Add document' }).click()
    await saveScreenshot(page, 'data-no-schema-added')
    await page.getByRole('button', { name: /Carla/ }).waitFor()
    assert.deepEqual(faults, [])
  })

  longTest('show the refusal of a value at its field, and keep the input', async (t) => {
    const path = await newCollection('refused')
    const { page } = await open(t, 390)
    await visit(page, path)
    await page.getByRole('button', { name: 'Add document' }).first().click()
    const drawer = page.getByRole('dialog', { name: 'Add document' })
    await drawer.getByLabel('Name').fill('Anna')
    await drawer.getByLabel('Guests').fill('many')
    await drawer.getByRole('button', { name: 'Add document' }).click()
    const guests = drawer.getByLabel('Guests')
    await drawer.locator('[aria-invalid=true]').waitFor()
    assert.equal(await guests.getAttribute('aria-invalid'), 'true')
    assert.equal(await guests.inputValue(), 'many')
    await saveScreenshot(page, 'data-refused-390')
    await assertFit(page, 390)
  })

  longTest('do not overwrite a document that another person has changed', async (t) => {
    const path = await newCollection('contested')
    const { id } = await send('POST /collections/contested/documents', anna)
    const { page } = await open(t, 1440)
    await visit(page, path)
    await page.getByRole('button', { name: 'Anna' }).click()
    const drawer = page.getByRole('dialog', { name: 'Document' })
    await drawer.getByLabel('Guests').fill('5')
    await send(`PATCH /collections/contested/documents/${id}`, { guests: 9 })
    await drawer.getByRole('button', { name: 'Save' }).click()
    await drawer.getByRole('button', { name: 'Discard my changes and reload' }).click()
    await page.getByRole('gridcell', { name: '9', exact: true }).waitFor()
  })

  longTest('show what each version of a document changed, and restore one', async (t) => {
    const { page, faults } = await open(t, 1440)
    const path = await newCollection('changed')
    const { id } = await send('POST /collections/changed/documents', anna)
    const patch = { guests: 7, status: null }
    const route = `PATCH /collections/changed/documents/${id}`
    assert.equal((await fixture.call(route, { key, body: patch })).status, 200)
    await visit(page, path)
    await page.getByRole('button', { name: 'Anna' }).click()
    const drawer = page.getByRole('dialog', { name: 'Document' })
    await drawer.getByRole('tab', { name: 'History' }).click()
    await drawer.getByText('+ 7').waitFor()
    await drawer.getByText('− 4').waitFor()
    await drawer.getByText('Key of a test · API').waitFor()
    await saveScreenshot(page, 'data-history')
    await assertFit(page, 1440)
    await drawer.getByRole('button', { name: 'Restore' }).click()
    await page.getByText('The version is restored.').first().waitFor()
    const { body } = await fixture.call(`GET /collections/changed/documents/${id}`, { key })
    assert.deepEqual([body.version, body.data], [3, anna])
    assert.deepEqual(faults, [])
  })

  test('filter, search and sort on the server, and explain an invalid filter', async (t) => {
    const path = await newCollection('searched')
    for (const [name, guests] of [
      ['Anna', 4],
      ['Jan', 2],
      ['Piet', 8],
    ] as const) {
      await send('POST /collections/searched/documents', { name, guests })
    }
    const { page } = await open(t, 1024)
    await visit(page, path)
    const names = () => page.locator('[role=gridcell]:nth-child(2)').allTextContents()
    const search = page.getByRole('combobox', { name: 'Search or filter' })
    await search.fill('guests > 3')
    await search.press('Enter')
    await page.getByText('2 documents').waitFor()
    assert.deepEqual(await names(), ['Piet', 'Anna'])
    await page.getByRole('combobox', { name: 'Order' }).click()
    await page.getByRole('option', { name: 'Guests, ascending' }).click()
    await page.locator('[aria-rowindex="2"]', { hasText: 'Anna' }).waitFor()
    assert.deepEqual(await names(), ['Anna', 'Piet'])
    await saveScreenshot(page, 'data-filtered')
    await search.fill('jan')
    await search.press('Enter')
    await page.getByText('1 document', { exact: true }).waitFor()
    assert.deepEqual(await names(), ['Jan'])
    await search.fill('guests > "many"')
    await search.press('Enter')
    const mark = page.getByRole('alert').locator('mark')
    await mark.waitFor()
    assert.equal(await mark.textContent(), '"many"')
    await saveScreenshot(page, 'data-faulty-filter')
    await assertFit(page, 1024)
  })

  longTest('show a new document without a reload', async (t) => {
    const path = await newCollection('arriving')
    const { page, faults } = await open(t, 1440)
    await visit(page, path)
    await page.getByText('No document yet').waitFor()
    await send('POST /collections/arriving/documents', anna)
    await page.getByRole('button', { name: 'Anna' }).waitFor()
    assert.deepEqual(faults, [])
  })

  longTest('load more documents when the list is scrolled', async (t) => {
    const path = await newCollection('long')
    const operations = Array.from({ length: 250 }, (_, index) => ({
      op: 'create',
      data: { name: `Guest ${index}`, guests: 1 + (index % 9) },
    }))
    for (const part of [
      operations.slice(0, 100),
      operations.slice(100, 200),
      operations.slice(200),
    ]) {
      await send('POST /collections/long/documents/batch', { operations: part })
    }
    const { page, faults } = await open(t, 1440)
    await visit(page, path)
    await page.getByText('100 of 250 loaded').waitFor()
    const end = page.getByRole('button', { name: 'Open Guest 0', exact: true })
    while ((await end.count()) === 0) {
      await page.getByRole('grid', { name: 'Dinners' }).evaluate((list: any) => {
        list.scrollTop = list.scrollHeight
      })
      await page.evaluate('new Promise(requestAnimationFrame)')
    }
    await saveScreenshot(page, 'data-long')
    assert.deepEqual(faults, [])
  })

  longTest(
    'export the filtered documents, and delete a collection after its name is typed',
    async (t) => {
      const path = await newCollection('exported')
      for (const guests of [4, 2]) {
        await send('POST /collections/exported/documents', { name: 'Anna', guests })
      }
      const { page, faults } = await open(t, 1440)
      await visit(page, path)
      const search = page.getByRole('combobox', { name: 'Search or filter' })
      await search.fill('guests > 3')
      await search.press('Enter')
      await page.getByText('1 document', { exact: true }).waitFor()
      const menu = page.getByRole('button', { name: 'Actions' })
      await menu.click()
      const saving = page.waitForEvent('download')
      await page.getByRole('menuitem', { name: 'Export as CSV' }).click()
      const file = await saving
      assert.equal(file.suggestedFilename(), 'exported.csv')
      const lines: string[] = []
      for await (const part of await file.createReadStream()) lines.push(String(part))
      const rows = lines.join('').trim().split('\n')
      assert.equal(rows.length, 2)
      assert.match(rows[1] ?? '', /Anna,4/)
      await menu.click()
      await page.getByRole('menuitem', { name: 'Delete collection' }).click()
      await page.getByLabel('Type exported to confirm').fill('exported')
      await saveScreenshot(page, 'data-delete')
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete collection' }).click()
      await page.getByRole('heading', { name: 'Data', exact: true }).waitFor()
      assert.equal((await fixture.call('GET /collections/exported', { key })).status, 404)
      assert.deepEqual(faults, [])
    },
  )
})
