/** The page of the assistant in a real browser. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { longTest } from '../../../../../test/fixtures/depth.ts'
import { assertFit } from '../../../../../test/fixtures/portal/fit.ts'
import {
  openPortalBrowser,
  saveScreenshot,
  widthsOfStates,
} from '../../../../../test/fixtures/portal/portal-browser.ts'

const { fixture, newProject, open, visit } = await openPortalBrowser('els@bloemen.example', {
  HOMEPORT_MODEL: 'openai_compatible',
  HOMEPORT_MODEL_NAME: 'small-1',
  HOMEPORT_MODEL_URL: 'http://127.0.0.1:9/v1',
})

const settings = {
  model: 'builtin',
  name: 'Bloemen Els',
  greeting: 'Good morning, this is Bloemen Els. How can I help?',
  instructions: 'We are a flower shop in Haarlem.\nBe short and friendly.',
  languages: ['en', 'nl'],
  opening_hours: ['tue', 'wed', 'thu', 'fri'].flatMap((day) => [
    { day, from: '09:00', to: '12:30' },
    { day, from: '13:00', to: '18:00' },
  ]),
  closures: [
    { date: '2030-12-25', reason: 'Christmas' },
    { date: '2030-12-26', reason: 'Christmas' },
  ],
  facts: [
    { question: 'Can I park at your shop?', answer: 'Yes, on the market square, for two hours.' },
    { question: 'Do you deliver?', answer: 'Yes, in Haarlem, for 4.50 euro.' },
    { question: 'How can I pay?', answer: 'By card or in cash.' },
  ],
  transfer: { phone: '+31201234567', email: 'els@bloemen.example' },
}

/** A project with an assistant, and the path of its page. */
async function newAssistant(body: object = settings) {
  const project_id = await newProject('Bloemen Els')
  const key = await fixture.newKey({ project_id })
  const saved = async () => (await fixture.call('GET /assistant', { key })).body
  const save = (next: object) => fixture.call('PUT /assistant', { key, body: next })
  await save(body)
  return { path: `/projects/${project_id}/assistant?mode=test`, saved, save }
}

const saveBar = (page: Page) => page.getByRole('region', { name: 'Unsaved changes' })

async function saveAll(page: Page): Promise<void> {
  await saveBar(page).getByRole('button', { name: 'Save' }).click()
  await saveBar(page).waitFor({ state: 'detached' })
}

describe('the page of the assistant', () => {
  for (const width of widthsOfStates) {
    longTest(`fits ${width} with each of its parts`, async (t) => {
      const { path } = await newAssistant()
      const { page, faults } = await open(t, width)
      for (const part of ['', '#hours', '#facts']) {
        await visit(page, path + part)
        await saveScreenshot(page, `assistant-${width}${part.replace('#', '-')}`)
        await assertFit(page, width)
      }
      assert.deepEqual(faults, [])
    })
  }

  test('sets up an assistant that never was, from an empty start', async (t) => {
    const project_id = await newProject('Nieuw')
    const key = await fixture.newKey({ project_id })
    const { page, faults } = await open(t, 1024)
    await visit(page, `/projects/${project_id}/assistant?mode=test`).catch(() => null)
    await page.getByRole('heading', { name: 'Set up the assistant of Nieuw' }).waitFor()
    await saveScreenshot(page, 'assistant-set-up')
    await assertFit(page, 1024)
    await page.getByRole('button', { name: 'Start without a website' }).click()
    await page.getByRole('tab', { name: 'Facts' }).click()
    await page.getByText('No facts yet').waitFor()
    await saveScreenshot(page, 'assistant-no-facts')
    await assertFit(page, 1024)
    await page.getByRole('tab', { name: 'Opening hours' }).click()
    await page.getByRole('button', { name: /^Start with Monday/ }).waitFor()
    await saveScreenshot(page, 'assistant-no-hours')
    await assertFit(page, 1024)
    const { body } = await fixture.call('GET /assistant', { key })
    assert.deepEqual([body.configured, body.name], [true, 'Nieuw'])
    assert.deepEqual(faults, [])
  })

  longTest('saves every field, and shows a refused one at its place', async (t) => {
    const { path, saved } = await newAssistant()
    const { page } = await open(t, 1440)
    await visit(page, path)
    await page.getByLabel('Name', { exact: true }).fill('Sam')
    await page.getByLabel('Phone for transfers').fill('020 123')
    await page.getByLabel('Voice').fill('nl-NL-female-1')
    await page.getByLabel('Website').fill('https://example.com')
    await saveBar(page).getByRole('button', { name: 'Save' }).click()
    await page.getByText('Correct the marked field, then save again.').waitFor()
    await saveScreenshot(page, 'assistant-refused')
    await assertFit(page, 1440)
    await page.getByLabel('Phone for transfers').fill('+31 (20) 123 4568')
    await page.getByRole('button', { name: 'Start calls in Dutch' }).click()
    await page.getByRole('combobox', { name: 'Language model' }).click()
    await page.getByRole('option', { name: 'openai_compatible:small-1' }).click()
    await saveAll(page)
    const { name, model, transfer, voice, website_url, languages } = await saved()
    assert.deepEqual(
      { name, model, transfer, voice, website_url, languages },
      {
        model: 'openai_compatible:small-1',
        name: 'Sam',
        transfer: { phone: '+31201234568', email: 'els@bloemen.example' },
        voice: 'nl-NL-female-1',
        website_url: 'https://example.com',
        languages: ['nl', 'en'],
      },
    )
  })

  test('edits the week by keyboard: typed times, sliders, a copied and a cleared day', async (t) => {
    const { path, saved } = await newAssistant()
    const { page, faults } = await open(t, 1440)
    await visit(page, `${path}#hours`)
    const opens = page.getByLabel('Tuesday 09:00–12:30, Opens')
    await opens.fill('8.30')
    await opens.press('Enter')
    await page.getByRole('slider', { name: 'Tuesday 13:00–18:00: Closes' }).press('ArrowRight')
    await page.getByRole('slider', { name: 'Wednesday 13:00–18:00: Opens' }).press('Delete')
    await page.getByRole('button', { name: 'Copy Tuesday' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Copy to Monday', exact: true }).press('Enter')
    await page.getByRole('button', { name: 'Add hours on Saturday' }).press('Enter')
    const closes = page.getByLabel('Saturday 09:00–17:00, Closes')
    await closes.fill('2')
    await closes.press('Enter')
    await page.getByText('next day').waitFor()
    await saveScreenshot(page, 'assistant-hours-edited')
    await assertFit(page, 1440)
    await saveAll(page)
    const { opening_hours } = await saved()
    const on = (day: string) =>
      opening_hours
        .filter((range: { day: string }) => range.day === day)
        .map(({ from, to }: { from: string; to: string }) => `${from} ${to}`)
    assert.deepEqual(on('mon'), ['08:30 12:30', '13:00 18:15'])
    assert.deepEqual(on('tue'), ['08:30 12:30', '13:00 18:15'])
    assert.deepEqual(on('wed'), ['09:00 12:30'])
    assert.deepEqual(on('sat'), ['09:00 02:00'])
    assert.deepEqual(on('sun'), [])
    assert.deepEqual(faults, [])
  })

  longTest('draws, moves and resizes hours with the mouse', async (t) => {
    const { path, saved } = await newAssistant()
    const { page, faults } = await open(t, 1440)
    await visit(page, `${path}#hours`)
    const box = await page.locator('[data-timeline=Monday]').boundingBox()
    assert(box)
    const drag = async (from: number, to: number) => {
      const at = (hour: number) => box.x + (hour / 24) * box.width
      await page.mouse.move(at(from), box.y + box.height / 2)
      await page.mouse.down()
      await page.mouse.move(at((from + to) / 2), box.y + box.height / 2)
      await page.mouse.move(at(to), box.y + box.height / 2)
      await page.mouse.up()
    }
    await drag(8, 12)
    await page.getByLabel('Monday 08:00–12:00, Opens').waitFor()
    await drag(10, 14)
    await page.getByLabel('Monday 12:00–16:00, Opens').waitFor()
    await drag(15.95, 18)
    await page.getByLabel('Monday 12:00–18:00, Closes').waitFor()
    await saveAll(page)
    const { opening_hours } = await saved()
    assert.deepEqual(opening_hours[0], { day: 'mon', from: '12:00', to: '18:00' })
    assert.deepEqual(faults, [])
  })

  longTest('adds and removes closed periods', async (t) => {
    const { path, saved } = await newAssistant()
    const { page } = await open(t, 1440)
    await visit(page, `${path}#hours`)
    await page.getByText('25 Dec 2030 – 26 Dec 2030').waitFor()
    await page.getByLabel('From', { exact: true }).fill('2031-07-01')
    await page.getByLabel('Until').fill('2031-07-03')
    await page.getByLabel('Reason').fill('Summer')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('button', { name: 'Remove 25 Dec 2030 – 26 Dec 2030' }).click()
    await saveAll(page)
    assert.deepEqual(
      (await saved()).closures,
      ['2031-07-01', '2031-07-02', '2031-07-03'].map((date) => ({ date, reason: 'Summer' })),
    )
  })

  longTest('searches, changes, deletes and pastes facts', async (t) => {
    const { path, saved } = await newAssistant()
    const { page, faults } = await open(t, 1440)
    await visit(page, `${path}#facts`)
    await page.getByLabel('Search questions and answers').fill('haarlem')
    assert.equal(await page.getByText('Can I park at your shop?').count(), 0)
    await page.getByRole('button', { name: 'Edit: Do you deliver?' }).click()
    const fact = page.getByRole('dialog', { name: 'Edit fact' })
    await fact.getByLabel('Answer').fill('Yes, for 5 euro.')
    await fact.getByRole('button', { name: 'Done' }).click()
    await page.getByLabel('Search questions and answers').fill('')
    await page.getByRole('button', { name: 'Delete: How can I pay?' }).click()
    await page.getByRole('button', { name: 'Paste many' }).click()
    const dialog = page.getByRole('dialog', { name: 'Paste many' })
    await dialog
      .getByLabel('Questions and answers')
      .fill('Q: Do you sell roses?\nA: Yes, all year.\n\nDo you have vases? Yes.\n\nNo question')
    await dialog.getByText('No question with an answer').waitFor()
    await saveScreenshot(page, 'assistant-paste')
    await assertFit(page, 1440)
    await dialog.getByRole('button', { name: 'Add 2 facts' }).click()
    await saveAll(page)
    assert.deepEqual((await saved()).facts, [
      settings.facts[0],
      { question: 'Do you deliver?', answer: 'Yes, for 5 euro.' },
      { question: 'Do you sell roses?', answer: 'Yes, all year.' },
      { question: 'Do you have vases?', answer: 'Yes.' },
    ])
    assert.deepEqual(faults, [])
  })

  test('answers in the panel, names the fact, and learns what it did not know', async (t) => {
    const { path, saved } = await newAssistant()
    const { page, faults } = await open(t, 1440)
    await visit(page, path)
    await page.getByRole('button', { name: 'Hear the greeting' }).click()
    await page.getByText(/You are speaking with a digital AI/).waitFor()
    const say = page.getByLabel('Say something as a caller')
    await say.fill('Where can I park my car?')
    await say.press('Enter')
    await page.getByText('Yes, on the market square, for two hours.', { exact: true }).waitFor()
    const from = page.getByRole('list', { name: 'Answered from' })
    await from.getByText('Can I park at your shop?').waitFor()
    await say.fill('Do you repair bicycles?')
    await say.press('Enter')
    await page.getByRole('button', { name: 'Teach the answer' }).waitFor()
    await saveScreenshot(page, 'assistant-try')
    await assertFit(page, 1440)
    await page.getByRole('button', { name: 'Teach the answer' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add fact' })
    assert.equal(await dialog.getByLabel('Question').inputValue(), 'Do you repair bicycles?')
    await dialog.getByLabel('Answer').fill('No, we sell flowers.')
    await saveScreenshot(page, 'assistant-teach')
    await dialog.getByRole('button', { name: 'Add fact' }).click()
    await saveAll(page)
    assert.equal((await saved()).facts.length, 4)
    await say.fill('Do you repair bicycles?')
    await say.press('Enter')
    await page.getByText('No, we sell flowers.', { exact: true }).first().waitFor()
    assert.deepEqual(faults, [])
  })

  longTest(
    'shows both versions after a change by another person, and saves the chosen one',
    async (t) => {
      const { path, saved, save } = await newAssistant()
      const { page } = await open(t, 1440)
      await visit(page, path)
      await page.getByLabel('Name', { exact: true }).fill('Sam')
      await page.getByLabel('Greeting').fill('Hello from Sam.')
      await save({ ...settings, name: 'Robin', greeting: 'Hello from Robin.', voice: 'calm' })
      await saveBar(page).getByRole('button', { name: 'Save' }).click()
      const dialog = page.getByRole('dialog', { name: 'Changed by another person' })
      await dialog.getByText('Hello from Robin.').waitFor()
      await saveScreenshot(page, 'assistant-conflict')
      await assertFit(page, 1440)
      await dialog.getByText('Hello from Robin.').click()
      await dialog.getByRole('button', { name: 'Save this result' }).click()
      await dialog.waitFor({ state: 'detached' })
      await saveBar(page).waitFor({ state: 'detached' })
      const { name, greeting, voice } = await saved()
      assert.deepEqual([name, greeting, voice], ['Sam', 'Hello from Robin.', 'calm'])
    },
  )

  longTest('asks before unsaved changes are left', async (t) => {
    const { path } = await newAssistant()
    const { page } = await open(t, 1440)
    await visit(page, path)
    await page.getByLabel('Greeting').fill('Hello.')
    await page.getByRole('link', { name: 'Calls' }).click()
    const dialog = page.getByRole('alertdialog', { name: 'Leave without saving?' })
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    assert.equal(await page.getByLabel('Greeting').inputValue(), 'Hello.')
    await page.getByRole('link', { name: 'Calls' }).click()
    await dialog.getByRole('button', { name: 'Leave without saving' }).click()
    await page.getByRole('heading', { level: 1, name: 'Calls' }).waitFor()
  })
})
