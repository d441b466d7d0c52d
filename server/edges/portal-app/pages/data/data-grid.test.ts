/** The grid of documents in a real browser: edits in cells, keys, filters with completion, and many rows. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { longTest } from '../../../../../test/fixtures/depth.ts'
import { assertFit } from '../../../../../test/fixtures/portal/fit.ts'
import {
  openPortalBrowser,
  saveScreenshot,
  widthsOfStates,
} from '../../../../../test/fixtures/portal/portal-browser.ts'

const { fixture, newProject, open, visit } = await openPortalBrowser('mia@bistro.example')
const project_id = await newProject('Bistro Mia')
const key = await fixture.newKey({ project_id })
const WAIT_MS = 60_000
/** A fast scroll: 18,000 pixels a second at 60 frames a second. */
const FRAME_PX = 300
const SCROLLED_PX = 12_000

async function send(route: string, body: unknown) {
  const answer = await fixture.call(route, { key, body })
  assert.ok(answer.status < 300, answer.text)
  return answer.body
}

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1 },
    email: { type: 'string', format: 'email' },
    date: { type: 'string', format: 'date' },
    guests: { type: 'integer', minimum: 1 },
    vegan: { type: 'boolean' },
    status: { type: 'string', enum: ['new', 'confirmed', 'cancelled'] },
    notes: { type: 'string', maxLength: 2000 },
  },
  required: ['name'],
}
const names = [
  'Anna de Vries',
  'Bram Jansen',
  'Carla Smit',
  'Daan Bakker',
  'Els Visser',
  'Femke Mulder',
]

function booking(index: number) {
  return {
    name: index < names.length ? names[index] : `Guest ${index}`,
    email: `guest-${index}@example.nl`,
    date: `2026-12-${String(1 + (index % 28)).padStart(2, '0')}`,
    guests: 1 + (index % 9),
    vegan: index % 3 === 0,
    status: ['new', 'confirmed', 'cancelled'][index % 3],
    ...(index % 4 === 0 && { notes: 'A table at the window, and a high chair for the youngest.' }),
  }
}

async function newBookings(name: string, count: number) {
  await send('POST /collections', { name, title: 'Bookings', schema, indexes: ['date'] })
  const all = Array.from({ length: count }, (_, index) => ({ op: 'create', data: booking(index) }))
  for (let from = 0; from < count; from += 500) {
    if (from % 20_000 === 0) fixture.passes('2 minutes')
    const operations = all.slice(from, from + 500).toReversed()
    await send(`POST /collections/${name}/documents/batch`, { operations })
  }
  return `/projects/${project_id}/data/${name}?mode=test`
}

describe('the grid of documents', () => {
  test('saves an edit of a cell, and takes it back with Ctrl+Z', async (t) => {
    const path = await newBookings('edited', 6)
    const { page, faults } = await open(t, 1440)
    await visit(page, path)
    const guests = page.locator('[aria-rowindex="2"] [role=gridcell]').nth(4)
    await guests.dblclick()
    const input = page.getByRole('textbox', { name: 'Guests' })
    await input.fill('7')
    await saveScreenshot(page, 'data-cell-edit')
    await input.press('Enter')
    await page.getByText('Saved.').waitFor({ timeout: WAIT_MS })
    const first = async () =>
      (await fixture.call('GET /collections/edited/documents', { key })).body.data[0]
    assert.deepEqual([(await first()).data.guests, (await first()).version], [7, 2])
    await page.keyboard.press('Control+z')
    await page.getByText('Undone.').waitFor({ timeout: WAIT_MS })
    assert.deepEqual([(await first()).data.guests, (await first()).version], [1, 3])
    assert.deepEqual(faults, [])
  })

  longTest('keeps a refused value in its cell, with the reason', async (t) => {
    const path = await newBookings('refused', 6)
    const { page } = await open(t, 1440)
    await visit(page, path)
    await page.locator('[aria-rowindex="3"] [role=gridcell]').nth(4).dblclick()
    const input = page.getByRole('textbox', { name: 'Guests' })
    await input.fill('many')
    await input.press('Enter')
    await page.getByRole('alert').waitFor({ timeout: WAIT_MS })
    assert.equal(await input.inputValue(), 'many')
    assert.equal(await input.getAttribute('aria-invalid'), 'true')
    await saveScreenshot(page, 'data-cell-refused')
    await assertFit(page, 1440)
    await input.press('Escape')
    await page.getByRole('gridcell', { name: 'many' }).waitFor({ state: 'detached' })
  })

  test('moves and edits with keys alone', async (t) => {
    const path = await newBookings('keys', 6)
    const { page, faults } = await open(t, 1440)
    await visit(page, path)
    await page.getByRole('button', { name: 'Open Anna de Vries' }).focus()
    for (const key of ['ArrowRight', 'ArrowDown', 'ArrowDown']) await page.keyboard.press(key)
    await page.keyboard.type('Carla de Wit')
    await page.keyboard.press('Tab')
    await page.getByText('Saved.').waitFor({ timeout: WAIT_MS })
    await page.getByRole('gridcell', { name: 'Carla de Wit', exact: true }).waitFor()
    const focused = await page.evaluate('document.activeElement.textContent')
    assert.equal(focused, 'guest-2@example.nl')
    await page.keyboard.press('Home')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Document' }).waitFor()
    const { body } = await fixture.call('GET /collections/keys/documents', { key })
    assert.equal(body.data[2].data.name, 'Carla de Wit')
    assert.deepEqual(faults, [])
  })

  longTest('completes fields, operators and values of a filter', async (t) => {
    const path = await newBookings('completed', 6)
    const { page, faults } = await open(t, 1440)
    await visit(page, path)
    const search = page.getByRole('combobox', { name: 'Search or filter' })
    await search.click()
    await page.getByRole('option', { name: 'status' }).waitFor()
    await saveScreenshot(page, 'data-filter-fields')
    await page.keyboard.type('sta')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('option', { name: '!=' }).waitFor()
    await page.getByRole('option', { name: '=', exact: false }).first().click()
    await page.getByRole('option', { name: '"confirmed"' }).click()
    assert.equal(await search.inputValue(), 'status = "confirmed" ')
    await page.getByRole('option', { name: 'and' }).waitFor()
    await saveScreenshot(page, 'data-filter-completion')
    await assertFit(page, 1440)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Enter')
    await page.getByText('2 documents').waitFor({ timeout: WAIT_MS })
    assert.deepEqual(faults, [])
  })

  longTest('corrects a misspelt field with the suggestion of the server', async (t) => {
    const path = await newBookings('misspelt', 6)
    await send('PATCH /collections/misspelt', {
      schema: { ...schema, additionalProperties: false },
    })
    const { page } = await open(t, 1024)
    await visit(page, path)
    const search = page.getByRole('combobox', { name: 'Search or filter' })
    await search.fill('guets > 3')
    await page.keyboard.press('Enter')
    const mark = page.getByRole('alert').locator('mark')
    await mark.waitFor({ timeout: WAIT_MS })
    assert.equal(await mark.textContent(), 'guets')
    await saveScreenshot(page, 'data-filter-fault')
    await assertFit(page, 1024)
    await page.getByRole('button', { name: 'Use guests' }).click()
    await page.getByText('3 documents').waitFor({ timeout: WAIT_MS })
    assert.equal(await search.inputValue(), 'guests > 3')
  })

  longTest('scrolls 10,000 documents with less than 80 rows in the page', async (t) => {
    const path = await newBookings('many', 10_000)
    const { page, faults } = await open(t, 1440)
    await visit(page, path)
    await page.getByText('100 of 10,000 loaded').waitFor({ timeout: WAIT_MS })
    const grid = page.getByRole('grid')
    const isLoaded = () => page.getByText('10,000 documents').count()
    while ((await isLoaded()) === 0) {
      // The requests of a person who scrolls for minutes do not count as one minute.
      fixture.passes('2 seconds')
      await grid.evaluate((list: any) => (list.scrollTop = list.scrollHeight))
      await page.waitForTimeout(20)
    }
    for (let top = 0; top < SCROLLED_PX; top += FRAME_PX) {
      await grid.evaluate((list: any, to) => (list.scrollTop = to), top)
      await page.evaluate('new Promise((done) => requestAnimationFrame(() => setTimeout(done)))')
      const rows = await page.getByRole('row').count()
      assert.ok(rows > 10 && rows < 80, `${rows} rows at ${top} px`)
    }
    await saveScreenshot(page, 'data-many')
    assert.deepEqual(faults, [])
  })

  for (const width of widthsOfStates) {
    longTest(`fits at ${width} px`, async (t) => {
      const name = `look-${width}`
      const path = await newBookings(name, 40)
      const { page, faults } = await open(t, width)
      await visit(page, path)
      await saveScreenshot(page, `data-grid-${name}`)
      await assertFit(page, width)
      assert.deepEqual(faults, [])
    })
  }
})
