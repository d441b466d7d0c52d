/** The operator console in a browser: who sees it, each page, and taking a project offline. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertFit } from '../../../test/fixtures/portal/fit.ts'
import {
  looks,
  openPortalBrowser,
  saveScreenshot,
} from '../../../test/fixtures/portal/portal-browser.ts'
import * as people from '../../areas/people/service.ts'

const owner = 'olga@homeport.example'
const { fixture, newProject, open, visit } = await openPortalBrowser(owner)
const project_id = await newProject('Bakkerij De Molen')
await newProject('Fietsen van Noor')

const makeOperator = (is_operator: boolean) =>
  people.setOperator(fixture.runtime, { email: owner, is_operator })

describe('the operator console', () => {
  test('does not exist for other people', async (t) => {
    const { page } = await open(t, 1440)
    await makeOperator(false)
    await page.goto(`${fixture.url}/portal/app/operator`)
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
    await visit(page, '/operator/acts')
    await page.getByText('Put the project back online').waitFor()
    await page.getByText('Phishing reported by a bank.').waitFor()
    await saveScreenshot(page, 'operator-acts')
    const refusals = /403/
    assert.deepEqual(
      faults.filter((fault) => !refusals.test(fault)),
      [],
    )
  })

  for (const { width, dark } of looks) {
    const look = `${width}-${dark ? 'dark' : 'light'}`
    test(`shows each page at ${look}`, async (t) => {
      const { page, faults } = await open(t, width, { dark })
      await makeOperator(true)
      for (const path of ['', '/projects', '/reviews', '/acts']) {
        await visit(page, `/operator${path}`)
        await saveScreenshot(page, `operator-${look}${path.replaceAll('/', '-')}`)
        await assertFit(page, width)
      }
      assert.deepEqual(faults, [])
    })
  }
})
