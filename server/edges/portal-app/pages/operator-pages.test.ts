/** The operator console in a browser: who sees it, each page, and taking a project offline. */
import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import { longTest } from '../../../../test/fixtures/depth.ts'
import { assertFit } from '../../../../test/fixtures/portal/fit.ts'
import {
  openPortalBrowser,
  saveScreenshot,
  widthsOfStates,
} from '../../../../test/fixtures/portal/portal-browser.ts'
import * as people from '../../../areas/people/service.ts'

const owner = 'olga@homeport.example'
const { fixture, newProject, open, visit } = await openPortalBrowser(owner, {
  HOMEPORT_SIGNUP: 'invite',
})
const project_id = await newProject('Bakkerij De Molen')
await newProject('Fietsen van Noor')

const makeOperator = (is_operator: boolean) =>
  people.setOperator(fixture.runtime, { email: owner, is_operator })

/** Two weeks of samples, in which work waits now and then. */
async function addSamples(): Promise<void> {
  const now = fixture.clock.now_ms()
  const values = Array.from({ length: 300 }, (_, back) => ({
    sampled_at: new Date(now - back * 3_600_000),
    jobs_due: (back * 7) % 13,
    jobs_oldest_s: (back * 37) % 900,
    jobs_failed: back % 40 === 0 ? 2 : 0,
    deliveries_due: (back * 5) % 17,
    deliveries_oldest_s: (back * 53) % 1200,
    deliveries_failed: back % 30 === 0 ? 4 : 0,
  }))
  await fixture.runtime.db.transact((tx) =>
    tx
      .insertInto('queue_samples')
      .values(values)
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  )
}

/** The store of files does not answer, so that probes do not withdraw the proposal about sites. */
function breakSites(t: TestContext): void {
  const { blobs } = fixture.runtime
  t.after(() => (fixture.runtime.blobs = blobs))
  fixture.runtime.blobs = { ...blobs, size: () => Promise.reject(new Error('The disk is away.')) }
  // The result of the last check is shared for 30 seconds.
  fixture.passes('31 seconds')
}

async function addProposal(): Promise<void> {
  const now = fixture.clock.now()
  const row = { id: crypto.randomUUID(), kind: 'report' } as const
  const open = { incident_id: null, decided_at: null, decision: null }
  const values = { ...row, components: ['sites'], ...open, since: now, created_at: now }
  await fixture.runtime.db.transact((tx) =>
    tx
      .insertInto('status_proposals')
      .values({ ...values, impact: 'major' })
      .execute(),
  )
}

describe('the operator console', () => {
  test('does not exist for other people', async (t) => {
    const { page } = await open(t, 1440)
    await makeOperator(false)
    await page.goto(`${fixture.url}/portal/app/operator`)
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.getByText('This page does not exist').waitFor()
  })

  test('takes a project offline with a reason, puts it back, and records both', async (t) => {
    const { page, faults } = await open(t, 1440)
    await makeOperator(true)
    await visit(page, '/operator/projects')
    await page.getByRole('searchbox').fill('molen')
    await page.getByText('Fietsen van Noor').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /Bakkerij De Molen/ }).press('Enter')
    const drawer = page.getByRole('dialog', { name: 'Bakkerij De Molen' })
    await drawer.getByLabel('Reason').fill('Phishing reported by a bank.')
    await saveScreenshot(page, 'operator-project')
    await assertFit(page, 1440)
    await drawer.getByRole('button', { name: 'Take offline' }).press('Enter')
    await drawer.getByRole('button', { name: 'Put back online' }).waitFor()
    await saveScreenshot(page, 'operator-project-offline')
    await visit(page, `/projects/${project_id}/team`)
    await page.getByText('This project is offline.').waitFor()
    await visit(page, `/projects/${project_id}`)
    await page.getByText('This project is offline: Phishing reported by a bank.').waitFor()
    assert.equal(await page.locator('.animate-pulse').count(), 0)
    await saveScreenshot(page, 'home-offline')
    await visit(page, '/operator/projects')
    await page.getByRole('button', { name: /Bakkerij De Molen/ }).click()
    await drawer.getByRole('button', { name: 'Put back online' }).click()
    await drawer.getByRole('button', { name: 'Take offline' }).waitFor()
    await drawer.getByLabel('Plan').press('Enter')
    await page.getByRole('option', { name: 'Business' }).press('Enter')
    await drawer.getByRole('button', { name: 'Set the plan' }).press('Enter')
    await page.getByText('The plan is set.').waitFor()
    await drawer.getByRole('button', { name: 'Confirm the phone' }).press('Enter')
    await drawer.getByRole('button', { name: 'Withdraw the confirmation' }).waitFor()
    await saveScreenshot(page, 'operator-plan')
    await visit(page, '/operator/acts')
    await page.getByText('Set the plan of the project').waitFor()
    await page.getByText('Put the project back online').waitFor()
    await page.getByText('Phishing reported by a bank.').waitFor()
    await saveScreenshot(page, 'operator-acts')
    await page.getByRole('button', { name: /Took the project offline/ }).press('Enter')
    const act = page.getByRole('dialog', { name: 'Took the project offline' })
    await act.getByText('projects.offline_reason').waitFor()
    await act.getByText('127.0.0.1').waitFor()
    await saveScreenshot(page, 'operator-act')
    await page.keyboard.press('Escape')
    await page.getByLabel('Operator', { exact: true }).fill('nobody@nowhere.example')
    await page.getByText('No act matches').waitFor()
    await saveScreenshot(page, 'operator-acts-none')
    await page.getByLabel('Operator', { exact: true }).fill('')
    const saving = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export as CSV' }).press('Enter')
    assert.equal((await saving).suggestedFilename(), 'audit-log.csv')
    const refusals = /403/
    assert.deepEqual(
      faults.filter((fault) => !refusals.test(fault)),
      [],
    )
  })

  longTest(
    'reports an incident, updates and removes it, plans maintenance, and shows the work over time',
    async (t) => {
      const { page, faults } = await open(t, 1440)
      await makeOperator(true)
      await visit(page, '/operator/incidents')
      await page.getByText('No incident yet').waitFor()
      await saveScreenshot(page, 'operator-incidents-empty')
      await page.getByRole('button', { name: 'Report an incident' }).press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Report an incident' })
      await dialog.getByLabel('Title').fill('Calls <b>connect</b> slowly')
      await dialog.getByLabel('Text for readers').fill('We look for the cause.')
      await dialog.getByLabel('Phone').check()
      await saveScreenshot(page, 'operator-incident-form')
      await dialog.getByRole('button', { name: 'Publish' }).press('Enter')
      const row = page.getByRole('button', { name: 'Calls <b>connect</b> slowly' })
      await row.press('Enter')
      const drawer = page.getByRole('dialog', { name: /Calls/ })
      await drawer.getByLabel('Text for readers').fill('A cable was cut.')
      await drawer.getByRole('button', { name: 'Publish the update' }).press('Enter')
      await drawer.waitFor({ state: 'detached' })
      await visit(page, `/projects/${project_id}`)
      await page.getByText('Homeport has a problem at the moment.').waitFor()
      await saveScreenshot(page, 'home-incident')
      await visit(page, '/operator/incidents')
      await row.click()
      await drawer.getByText('A cable was cut.').waitFor()
      await saveScreenshot(page, 'operator-incident')
      await assertFit(page, 1440)
      await drawer.getByRole('button', { name: 'Edit' }).click()
      await drawer.getByLabel('Title').fill('Calls connect late')
      await drawer.getByLabel('Email').check()
      await saveScreenshot(page, 'operator-incident-edit')
      await assertFit(page, 1440)
      await drawer.getByRole('button', { name: 'Save' }).click()
      await page
        .getByRole('dialog', { name: 'Calls connect late' })
        .getByText('Phone, Email')
        .waitFor()
      await drawer.getByRole('button', { name: 'Remove' }).click()
      await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
      await page.getByText('No incident yet').waitFor()
      await page.getByRole('button', { name: 'Plan maintenance' }).click()
      const plan = page.getByRole('dialog', { name: 'Plan maintenance' })
      await plan.getByLabel('Title').fill('New disks')
      await plan.getByLabel('Text for readers').fill('Sites may be slow.')
      const ends = await plan.getByLabel('Ends').inputValue()
      await plan.getByLabel('Ends').fill(`1${ends}`)
      await plan.getByRole('button', { name: 'Publish' }).click()
      await plan.getByText('Choose a day and a time.').waitFor()
      await plan.getByLabel('Ends').fill(ends)
      await plan.getByRole('button', { name: 'Publish' }).click()
      await page.getByText('Scheduled').first().waitFor()
      await page.getByRole('button', { name: 'New disks' }).press('Enter')
      const planned = page.getByRole('dialog', { name: 'New disks' })
      await planned.getByRole('button', { name: 'Edit' }).click()
      await planned.getByLabel('Begins').fill('')
      await planned.getByRole('button', { name: 'Save' }).click()
      await planned.getByText('Choose a day and a time.').waitFor()
      await addSamples()
      breakSites(t)
      await addProposal()
      await visit(page, '/operator')
      await page.getByText('1 proposed incident').waitFor()
      assert.equal(await page.title(), 'Operator console')
      await page.locator('.recharts-bar-rectangle').first().waitFor()
      await saveScreenshot(page, 'operator-work-history')
      await page.getByRole('link', { name: 'Review', exact: true }).press('Enter')
      await page.getByRole('button', { name: 'Review and publish' }).press('Enter')
      assert.equal(await dialog.getByLabel('Title').inputValue(), 'Sites and apps: not available')
      await dialog.getByRole('button', { name: 'Publish' }).press('Enter')
      await page.getByRole('button', { name: 'Sites and apps: not available' }).waitFor()
      await page.getByText('Proposed by failed checks').waitFor({ state: 'detached' })
      assert.deepEqual(faults, [])
    },
  )

  longTest(
    'invites an address to create an account, shows the link once, and withdraws it',
    async (t) => {
      const { page, faults } = await open(t, 1440)
      await makeOperator(true)
      await visit(page, '/operator/invitations')
      await page.getByText('No open invitation').waitFor()
      await page.getByRole('button', { name: 'Invite' }).press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Invite' })
      await dialog.getByLabel('Email address').fill('guest@bakery.example')
      await dialog.getByRole('button', { name: 'Create the invitation' }).press('Enter')
      const created = page.getByRole('dialog', { name: 'The invitation is created' })
      await created.getByText(/\/portal\/sign-up\/invitation\//).waitFor()
      await saveScreenshot(page, 'operator-invitation')
      await assertFit(page, 1440)
      await created.getByRole('button', { name: 'Close' }).last().press('Enter')
      await page.getByRole('button', { name: /Withdraw the invitation: guest@/ }).press('Enter')
      await page.getByText('No open invitation').waitFor()
      assert.deepEqual(faults, [])
    },
  )

  for (const width of widthsOfStates) {
    longTest(`shows each page at ${width}`, async (t) => {
      const { page, faults } = await open(t, width)
      await makeOperator(true)
      for (const path of ['', '/incidents', '/projects', '/reviews', '/invitations', '/acts']) {
        await visit(page, `/operator${path}`)
        await saveScreenshot(page, `operator-${width}${path.replaceAll('/', '-')}`)
        await assertFit(page, width)
      }
      assert.deepEqual(faults, [])
    })
  }
})
