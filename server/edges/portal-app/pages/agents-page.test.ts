/** Tests of the page of agents in a real browser, at every width. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventually } from '../../../../test/fixtures/eventually.ts'
import { longTest } from '../../../../test/fixtures/depth.ts'
import { assertFit } from '../../../../test/fixtures/portal/fit.ts'
import {
  openPortalBrowser,
  saveScreenshot,
  widthsOfStates,
} from '../../../../test/fixtures/portal/portal-browser.ts'

const owner = 'lea@bakery.example'
const { fixture, newProject, open, visit } = await openPortalBrowser(owner)
const timeout = 60_000

/** A project with an agent, a completed run and a run that waits for a person. */
async function newBusy(): Promise<{ list: string; one: string }> {
  const project_id = await newProject('Bakery Lea')
  const key = await fixture.newKey({ project_id })
  const made = async (route: string, body: object) => {
    const answer = await fixture.call(route, { key, body })
    assert.ok(answer.status < 300, answer.text)
    return answer.body
  }
  await made('POST /collections', { name: 'bookings' })
  const agent = await made('POST /agents', {
    name: 'Log of large bookings of the restaurant at the harbour',
    instructions: 'Write every booking of more than six guests into the log.',
    trigger: { type: 'schedule', cron: '0 8 * * 1-5', timezone: 'Europe/Amsterdam' },
    steps: [
      { name: 'note', action: 'documents.create', input: { name: 'bookings', body: { n: 1 } } },
      {
        when: 'input.remove = true',
        action: 'documents.delete',
        input: { name: 'bookings', id: '{{steps.note.reply.id}}' },
      },
    ],
  })
  for (const [remove, status] of [
    [false, 'completed'],
    [true, 'waiting_approval'],
  ] as const) {
    const run = await made(`POST /agents/${agent.id}/run`, { input: { remove } })
    const path = `GET /agents/${agent.id}/runs/${run.id}`
    await eventually(async () => (await fixture.look(path, project_id)).body.status === status)
  }
  const list = `/projects/${project_id}/agents`
  return { list: `${list}?mode=test`, one: `${list}/${agent.id}?mode=test` }
}

const busy = await newBusy()

describe('the page of agents', () => {
  test('creates a first agent, runs it, and switches it off', async (t) => {
    const project_id = await newProject('Bakery of Kim')
    const { page, faults } = await open(t, 1440)
    await visit(page, `/projects/${project_id}/agents?mode=test`)
    await page.getByText('No agent yet').waitFor({ timeout })
    await saveScreenshot(page, 'agents-empty')
    await page.getByRole('button', { name: 'New agent' }).click()
    const form = page.getByRole('dialog')
    await form.getByRole('button', { name: 'Create the agent' }).click({ timeout })
    await form.getByText('Give the agent a name.').waitFor({ timeout })
    await form.getByRole('textbox', { name: 'Name', exact: true }).fill('Morning mail')
    await form.getByRole('textbox', { name: 'Subject' }).fill('Good morning')
    await form.getByRole('textbox', { name: 'Text' }).fill('It is {{today}}.')
    await saveScreenshot(page, 'agents-builder')
    await form.getByRole('button', { name: 'Create the agent' }).click()
    await page.getByRole('heading', { name: 'Morning mail' }).waitFor({ timeout })
    await page.getByRole('button', { name: 'Run now' }).click()
    const drawer = page.getByRole('dialog', { name: 'Run', exact: true })
    await drawer.getByText('Completed').waitFor({ timeout })
    await drawer.getByText('Good morning').waitFor({ timeout })
    await saveScreenshot(page, 'agents-run')
    await drawer.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Switch off' }).click({ timeout })
    await page.getByText('The agent is off. It starts nothing').waitFor({ timeout })
    assert.deepEqual(faults, [])
  })

  test('describes an agent, tries it on past events, and edits the values of its request', async (t) => {
    const project_id = await newProject('Bakery of Noor')
    const key = await fixture.newKey({ project_id })
    const make = (route: string, body: object) => fixture.call(route, { key, body })
    await make('POST /collections', { name: 'bookings', webhook_on_insert: true })
    for (const name of ['old', 'older']) await make('POST /collections', { name })
    for (const guests of [8, 9]) await make('POST /collections/bookings/documents', { guests })
    const { page, faults } = await open(t, 1440)
    await visit(page, `/projects/${project_id}/agents?mode=test`)
    const wish = page.getByRole('textbox', { name: 'Describe an agent' })
    await wish.fill('Tell me about bookings of more than 6 guests')
    await page.getByRole('button', { name: 'Propose' }).click()
    await page.getByText('The agent is off. It starts nothing').waitFor({ timeout })
    await page.getByText('document.data.guests > 6').first().waitFor({ timeout })
    await page.getByRole('button', { name: 'Try' }).click()
    const drawer = page.getByRole('dialog', { name: 'Run', exact: true })
    await drawer.getByText('with the 2 newest events').waitFor({ timeout })
    await drawer.getByText('Would run').nth(1).waitFor({ timeout })
    await saveScreenshot(page, 'agents-trial')
    await drawer.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Switch on' }).click()
    await page.getByRole('button', { name: 'Run now' }).waitFor({ timeout })
    const steps = [{ action: 'collections.delete', input: { name: 'old' } }]
    for (const name of ['Tidy', 'Clean']) {
      const { body } = await make('POST /agents', { name, trigger: { type: 'manual' }, steps })
      await make(`POST /agents/${body.id}/run`, {})
    }
    await visit(page, `/projects/${project_id}/agents?mode=test`)
    await page.getByRole('link', { name: 'Tidy' }).click({ timeout })
    await page.getByRole('button', { name: 'More actions' }).click({ timeout })
    await page.getByRole('menuitem', { name: 'Approve in advance' }).click({ timeout })
    await page.getByText('No step of this agent can be').waitFor({ timeout })
    await page.getByRole('button', { name: 'Close' }).click()
    const waiting = async () => (await fixture.look('GET /approvals', project_id)).body.data.length
    await eventually(async () => (await waiting()) === 2)
    await visit(page, `/projects/${project_id}/approvals?mode=test`)
    await page.getByRole('button', { name: 'Review' }).first().click({ timeout })
    const request = page.getByRole('dialog', { name: 'Request' })
    await request.getByRole('button', { name: 'Change the values' }).click({ timeout })
    await request.getByRole('textbox', { name: 'What exactly' }).fill('{"names":5}')
    await request.getByRole('button', { name: 'Save the values' }).click()
    await request.getByText('names is not an argument').waitFor({ timeout })
    await request.getByRole('textbox', { name: 'What exactly' }).fill('{"name":"older"}')
    await request.getByRole('button', { name: 'Save the values' }).click()
    await request.getByText('Changed by a person').waitFor({ timeout })
    await request.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Decide several at once' }).click()
    const several = page.getByRole('dialog', { name: 'Decide several at once' })
    for (const at of [0, 1]) await several.getByRole('checkbox').nth(at).check({ timeout })
    await saveScreenshot(page, 'approvals-batch')
    await several.getByRole('button', { name: 'Reject 2' }).click()
    await page.getByText('Nothing waits for you').waitFor({ timeout })
    // The refused values.
    assert.deepEqual(
      faults.filter((one) => !one.includes('422')),
      [],
    )
  })

  test('adds a ready-made agent, tries it, and switches it on', async (t) => {
    const project_id = await newProject('Bakery of Mia')
    const key = await fixture.newKey({ project_id })
    await fixture.call('POST /collections', { key, body: { name: 'contact' } })
    const { page, faults } = await open(t, 1440)
    await visit(page, `/projects/${project_id}/agents?mode=test`)
    const use = page.getByRole('button', { name: 'Use this one: Daily summary of a form' })
    await use.click({ timeout })
    const form = page.getByRole('dialog')
    await form.getByRole('button', { name: 'Add the agent' }).click({ timeout })
    await form.getByText('Fill this in.').waitFor({ timeout })
    await form.getByRole('combobox', { name: 'Collection' }).click({ timeout })
    await page.getByRole('option', { name: 'contact' }).click({ timeout })
    await saveScreenshot(page, 'agents-ready-made')
    await form.getByRole('button', { name: 'Add the agent' }).click()
    await page.getByText('The agent is off. It starts nothing').waitFor({ timeout })
    await page.getByRole('button', { name: 'Try' }).click({ timeout })
    const drawer = page.getByRole('dialog', { name: 'Run', exact: true })
    await drawer.getByText('Completed').waitFor({ timeout })
    await drawer.getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: 'Switch on' }).click({ timeout })
    await page.getByRole('button', { name: 'Run now' }).waitFor({ timeout })
    assert.deepEqual(faults, [])
  })

  longTest('shows the approval that a run waits for', async (t) => {
    const { page, faults } = await open(t, 1440)
    await visit(page, busy.one)
    await page.getByText('Waiting for approval').first().waitFor({ timeout })
    await page.getByRole('row').nth(1).getByRole('button').click()
    await page.getByRole('button', { name: 'Review and decide' }).click({ timeout })
    await page.getByRole('button', { name: 'Approve' }).waitFor({ timeout })
    assert.deepEqual(faults, [])
  })

  longTest('saves changed steps of an agent as a new version', async (t) => {
    const { page, faults } = await open(t, 1440)
    await visit(page, busy.one)
    await page.getByRole('button', { name: 'Edit' }).click({ timeout })
    const form = page.getByRole('dialog')
    await form.getByRole('button', { name: 'Add a step' }).click({ timeout })
    const third = form.getByRole('group', { name: 'Step 3' })
    await third.getByRole('textbox', { name: 'Subject' }).fill('Done')
    await third.getByRole('textbox', { name: 'Text' }).fill('All is done.')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Version 2').waitFor({ timeout })
    assert.deepEqual(faults, [])
  })

  for (const width of widthsOfStates) {
    longTest(`fits a width of ${width} in both languages`, async (t) => {
      const { page, faults } = await open(t, width)
      for (const language of ['en', 'nl'] as const) {
        await page.evaluate(`localStorage.setItem('homeport.language', '${language}')`)
        for (const [name, path] of Object.entries(busy)) {
          await visit(page, path)
          await page.getByText('Log of large bookings').first().waitFor({ timeout })
          await assertFit(page, width)
          await saveScreenshot(page, `agents-${name}-${language}-${width}`)
        }
        await page.getByRole('row').nth(1).getByRole('button').click()
        await page.getByRole('dialog').getByRole('list').waitFor({ timeout })
        await assertFit(page, width)
        await saveScreenshot(page, `agents-run-${language}-${width}`)
      }
      assert.deepEqual(faults, [])
    })
  }
})
