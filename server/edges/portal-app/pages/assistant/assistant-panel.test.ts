/** The panel of the portal assistant in a real browser, with and without a language model. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openStreamingModel } from '../../../../../test/fixtures/external/streaming-model.ts'
import { newSession } from '../../../../../test/fixtures/portal/sessions.ts'
import { longTest } from '../../../../../test/fixtures/depth.ts'
import { assertFit } from '../../../../../test/fixtures/portal/fit.ts'
import {
  openPortalBrowser,
  saveScreenshot,
  widthsOfStates,
} from '../../../../../test/fixtures/portal/portal-browser.ts'

const panelOf = (page: Page) => page.getByRole('dialog', { name: 'Assistant', exact: true })

async function openPanel(page: Page) {
  await page.getByRole('button', { name: 'Ask the assistant' }).click()
  const panel = panelOf(page)
  await panel.getByLabel('Ask or tell me what to do').waitFor()
  return panel
}

async function say(page: Page, text: string): Promise<void> {
  const input = panelOf(page).getByLabel('Ask or tell me what to do')
  await input.fill(text)
  await input.press('Enter')
}

const plain = await openPortalBrowser('mo@molen.example')
const model = await openStreamingModel()
// The first question builds the search index, so that no page of a test waits for it.
const warm_id = await plain.newProject('Warm')
const warm = await newSession(plain.fixture, 'mo@molen.example')
const asked = await warm.call(`POST /projects/${warm_id}/portal-assistant/messages`, {
  body: { text: 'Create a webhook' },
})
assert.equal(asked.status, 200, asked.text)
const thinking = await openPortalBrowser('mi@molen.example', model.settings)

describe('the panel without a language model', () => {
  const { newProject, open, visit, fixture } = plain

  for (const width of widthsOfStates) {
    longTest(`fits ${width}: empty, a form, a proposal, and the list`, async (t) => {
      const project_id = await newProject('Molen')
      const { page, faults } = await open(t, width)
      await visit(page, `/projects/${project_id}/webhooks?mode=test`)
      const panel = await openPanel(page)
      await panel.getByText('No language model is configured').waitFor()
      await saveScreenshot(page, `panel-empty-${width}`)
      await assertFit(page, width)
      await panel.getByRole('button', { name: /^Create a webhook to/ }).click()
      const form = panel.getByRole('group', { name: 'Webhooks: create' })
      await form.getByRole('button', { name: 'Continue' }).waitFor()
      assert.equal(await form.getByLabel('Url').inputValue(), 'https://example.com/hooks')
      assert.equal(await form.getByLabel('Events').inputValue(), 'call.completed')
      await saveScreenshot(page, `panel-form-${width}`)
      await assertFit(page, width)
      await form.getByLabel('Url').fill('http://127.0.0.1:9/')
      await form.getByRole('button', { name: 'Continue' }).click()
      await panel.getByRole('button', { name: 'Run', exact: true }).waitFor()
      await saveScreenshot(page, `panel-proposal-${width}`)
      await assertFit(page, width)
      await panel.getByRole('button', { name: 'Run', exact: true }).click()
      await panel.getByText('Done', { exact: true }).waitFor()
      await panel
        .getByText(/whsec_/)
        .first()
        .waitFor()
      await saveScreenshot(page, `panel-result-${width}`)
      await assertFit(page, width)
      await panel.getByRole('button', { name: 'Conversations' }).click()
      await panel.getByRole('button', { name: /^Create a webhook to/ }).waitFor()
      await saveScreenshot(page, `panel-list-${width}`)
      await assertFit(page, width)
      assert.deepEqual(faults, [])
    })
  }

  test('opens with the shortcut, returns the focus, and keeps the conversation on the next page', async (t) => {
    const project_id = await newProject('Molen')
    const key = await fixture.newKey({ project_id })
    await fixture.call('POST /collections', { key, body: { name: 'bookings', title: 'Bookings' } })
    const { page, faults } = await open(t, 1440)
    await visit(page, `/projects/${project_id}/webhooks?mode=test`)
    const button = page.getByRole('button', { name: 'Ask the assistant' })
    await button.focus()
    await page.keyboard.press('Control+j')
    const panel = panelOf(page)
    await panel.getByLabel('Ask or tell me what to do').waitFor()
    await say(page, 'open the bookings collection')
    await panel.getByRole('status').filter({ hasText: 'These records match.' }).waitFor()
    await panel.getByRole('link', { name: /^Bookings/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Bookings' }).waitFor()
    await panel.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+j')
    await panel.getByText('open the bookings collection').waitFor()
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    assert.deepEqual(faults, [])
  })

  longTest('shows a refused field at its place, and speaks Dutch', async (t) => {
    const project_id = await newProject('Molen')
    const { page } = await open(t, 1024)
    await visit(page, `/projects/${project_id}/data?mode=test`)
    const panel = await openPanel(page)
    await say(page, 'Create a collection named "Bad Name!"')
    const form = panel.getByRole('group', { name: 'Collections: create' })
    await form.getByLabel('Name', { exact: true }).fill('Bad Name!')
    await form.getByRole('button', { name: 'Continue' }).click()
    await form.getByRole('alert').waitFor()
    assert.equal(
      await form.getByLabel('Name', { exact: true }).getAttribute('aria-invalid'),
      'true',
    )
    await page.evaluate("localStorage.setItem('homeport.language', 'nl')")
    await visit(page, `/projects/${project_id}/data?mode=test`)
    await page.getByRole('button', { name: 'Vraag de assistent' }).click()
    await page.getByText('Er is geen taalmodel ingesteld').waitFor()
    await page.getByRole('button', { name: 'Gesprekken' }).click()
    await page.getByRole('button', { name: /^Verwijderen: Create a coll/ }).click()
    await page.getByText('Nog geen gesprekken.').waitFor()
    await assertFit(page, 1024)
  })
})

describe('the panel with a language model', () => {
  const { newProject, open, visit, fixture } = thinking
  const run = (operation: string, given: object) => ({
    tool: 'run_operation',
    input: { operation, arguments: given },
  })

  test('streams, proposes, edits, runs and declines', async (t) => {
    const project_id = await newProject('Molen')
    const key = await fixture.newKey({ project_id })
    const names = async (): Promise<string[]> => {
      const { body } = await fixture.call('GET /collections', { key })
      return body.data.map(({ name }: { name: string }) => name)
    }
    const { page, faults } = await open(t, 1440)
    await visit(page, `/projects/${project_id}/data?mode=test`)
    const panel = await openPanel(page)
    await panel.getByText('Nothing is done without your click').waitFor()
    model.script(
      { calls: [{ tool: 'search_docs', input: { query: 'collections' } }] },
      {
        calls: [
          run('collections.create', { name: 'draft' }),
          run('collections.create', { name: 'unwanted' }),
        ],
      },
      { text: 'I would create two collections.' },
    )
    await say(page, 'Create two collections')
    await panel.getByText('I would create two collections.').first().waitFor()
    const cards = panel.getByRole('group', { name: 'Collections: create' })
    await cards.nth(1).waitFor()
    assert.equal(await cards.count(), 2)
    assert.deepEqual(await names(), [])
    await saveScreenshot(page, 'panel-model')
    await assertFit(page, 1440)
    await cards.first().getByRole('button', { name: 'Edit' }).click()
    await cards.first().getByLabel('Name', { exact: true }).fill('final')
    await cards.first().getByRole('button', { name: 'Save changes' }).click()
    await cards.first().getByRole('button', { name: 'Run', exact: true }).click()
    await cards.first().getByText('Done', { exact: true }).waitFor()
    await cards.last().getByRole('button', { name: 'Decline' }).click()
    await cards.last().getByText('Declined', { exact: true }).waitFor()
    assert.deepEqual(await names(), ['final'])
    await panel.getByRole('list', { name: 'Sources' }).waitFor()
    assert.deepEqual(faults, [])
  })

  longTest(
    'stops an answer, shows what was said, and shows a refusal of the balance',
    async (t) => {
      const project_id = await newProject('Molen')
      const { page } = await open(t, 1440)
      await visit(page, `/projects/${project_id}/data?mode=test`)
      const panel = await openPanel(page)
      model.script({ text: 'It begins with bread', stalls: true })
      await say(page, 'Tell me a story')
      await panel.getByText('It begins with bread').waitFor()
      await panel.getByRole('button', { name: 'Stop' }).click()
      await panel.getByText('Stopped.').waitFor()
      await panel.getByText('It begins with bread').first().waitFor()
      await visit(page, `/projects/${project_id}/data?mode=live`)
      await openPanel(page)
      await say(page, 'Hello')
      await panel
        .getByText(/balance/i)
        .first()
        .waitFor()
      await panel.getByRole('button', { name: 'Try again' }).waitFor()
      await saveScreenshot(page, 'panel-refused')
      await assertFit(page, 1440)
    },
  )
})
