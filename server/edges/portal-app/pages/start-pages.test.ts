/** The way from no project to the first request, and the page of the company, in a real browser. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { connect } from '../../../../test/fixtures/portal/oauth.ts'
import { longTest } from '../../../../test/fixtures/depth.ts'
import { assertFit } from '../../../../test/fixtures/portal/fit.ts'
import {
  openPortalBrowser,
  saveScreenshot,
  widthsOfStates,
} from '../../../../test/fixtures/portal/portal-browser.ts'
import {
  createSignInPath,
  createOwnedProject,
  signIn,
} from '../../../../test/fixtures/portal/portal.ts'
import { newSession } from '../../../../test/fixtures/portal/sessions.ts'

const owner = 'ida@keramiek.example'
const { fixture, newProject, open, visit } = await openPortalBrowser(owner)

describe('the way to the first request', () => {
  test('leads by keyboard from no project over a test key to its request', async (t) => {
    await newProject('Keramiek')
    const { page, faults } = await open(t, 1440)
    const newcomer = 'new@keramiek.example'
    const first_id = await createOwnedProject(fixture, newcomer)
    const session = await newSession(fixture, newcomer)
    await session.call(`DELETE /projects/${first_id}?confirm=Test`)
    // Ends the requests of the page, which would be refused without the cookie.
    await page.goto('about:blank')
    await page.context().clearCookies()
    await page.goto(fixture.url + (await createSignInPath(fixture, newcomer)))
    await visit(page, '')
    await page.getByText('Create your first project').waitFor()
    await saveScreenshot(page, 'projects-empty')
    await assertFit(page, 1440)
    await page.getByRole('button', { name: 'Create a project' }).last().press('Enter')
    await page.getByLabel('Name of the business').fill('Keramiek Ida')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Get started' }).waitFor()
    await page.getByText('Waiting for the first request…').waitFor()
    await saveScreenshot(page, 'start-assistant')
    await assertFit(page, 1440)
    await page.getByRole('radio', { name: /With code/ }).focus()
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Create a test key' }).press('Enter')
    const key = (await page.getByTestId('new-key').textContent()) ?? ''
    assert.match(key, /^hm_test_\w{32}$/)
    await saveScreenshot(page, 'start-key')
    await assertFit(page, 1440)
    assert.equal((await fixture.call('GET /project', { key })).status, 200)
    await page.getByText('The first request has arrived.').waitFor()
    await page.getByRole('heading', { name: 'What to build next' }).waitFor()
    await saveScreenshot(page, 'start-done')
    await assertFit(page, 1440)
    await page.reload()
    await page.getByText('The first request has arrived.').waitFor()
    assert.deepEqual(faults, [])
  })

  longTest('remembers a connected assistant when the page is opened again', async (t) => {
    const project_id = await newProject('Atelier')
    const { page, faults } = await open(t, 390)
    await visit(page, `/projects/${project_id}/start?mode=test`)
    assert.equal(await page.getByRole('img', { name: 'Done' }).count(), 1)
    await saveScreenshot(page, 'start-390')
    await assertFit(page, 390)
    await connect(fixture, await signIn(fixture, owner), { project_id, scopes: ['project:read'] })
    await page.goto(`${fixture.url}/portal/app/projects/${project_id}?mode=test`)
    await page.getByRole('link', { name: 'Step by step' }).click()
    await page.getByRole('img', { name: 'Done' }).nth(1).waitFor()
    assert.equal(await page.locator('[aria-current=step]').count(), 1)
    assert.deepEqual(faults, [])
  })

  longTest('renames a project from the list of projects', async (t) => {
    const project_id = await newProject('Oude naam')
    const { page } = await open(t, 1024)
    await visit(page, '')
    await page.getByRole('button', { name: 'Rename Oude naam' }).click()
    await page.getByLabel('Name of the business').fill('Nieuwe naam')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: /Nieuwe naam/ }).waitFor()
    const key = await fixture.newKey({ project_id })
    assert.equal((await fixture.call('GET /project', { key })).body.name, 'Nieuwe naam')
  })
})

const company = {
  account_type: 'business',
  company_name: 'Keramiek Ida',
  kvk_number: '12345678',
  address: {
    street: 'Kade',
    house_number: '1',
    postal_code: '2011 AA',
    city: 'Haarlem',
    country: 'NL',
  },
  contact: { name: 'Ida', phone: '+31612345678' },
}

describe('the page of the company', () => {
  for (const width of widthsOfStates) {
    longTest(`fits ${width}`, async (t) => {
      const project_id = await newProject('Keramiek Ida')
      const key = await fixture.newKey({ project_id })
      await fixture.call('PUT /project/company', { key, body: company })
      const { page, faults } = await open(t, width)
      await visit(page, `/projects/${project_id}/company?mode=test`)
      await page.getByText('Complete', { exact: true }).waitFor()
      await saveScreenshot(page, `company-${width}`)
      await assertFit(page, width)
      assert.deepEqual(faults, [])
    })
  }

  test('says what is missing, shows faults at their fields and saves', async (t) => {
    const project_id = await newProject('Keramiek Ida')
    const key = await fixture.newKey({ project_id })
    const { page } = await open(t, 1440)
    await visit(page, `/projects/${project_id}/company?mode=test`)
    await page.getByText(/^Missing: company name, register number, address, contact$/).waitFor()
    await saveScreenshot(page, 'company-empty')
    await assertFit(page, 1440)
    const fill = (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text)
    await fill('Company name', 'Keramiek Ida')
    await fill('Number in the business register', '123')
    await fill('Street', 'Kade')
    await fill('House number', '1')
    await fill('Postal code', '2011 AA')
    await fill('City', 'Haarlem')
    await page.getByLabel('Country').selectOption('NL')
    await fill('Name', 'Ida')
    await fill('Phone', '06 12345678')
    await page.getByText('Read as +31 6 12345678.').waitFor()
    await page.getByRole('button', { name: 'Save company' }).click()
    const register = page.getByLabel('Number in the business register')
    await page.getByRole('alert').first().waitFor()
    assert.equal(await register.getAttribute('aria-invalid'), 'true')
    await saveScreenshot(page, 'company-refused')
    await assertFit(page, 1440)
    await register.fill('12345678')
    await page.getByRole('button', { name: 'Save company' }).click()
    await page.getByText('Complete', { exact: true }).waitFor()
    const { body } = await fixture.call('GET /project/company', { key })
    assert.deepEqual(
      [body.company_name, body.kvk_number, body.address.country, body.contact.phone],
      ['Keramiek Ida', '12345678', 'NL', '+31612345678'],
    )
  })

  test('keeps what is typed while it saves', async (t) => {
    const project_id = await newProject('Keramiek Ida')
    const key = await fixture.newKey({ project_id })
    await fixture.call('PUT /project/company', { key, body: company })
    const { page } = await open(t, 1440)
    await visit(page, `/projects/${project_id}/company?mode=test`)
    const fieldOf = (label: string) => page.getByLabel(label, { exact: true })
    const save = page.getByRole('button', { name: 'Save company' })
    await fieldOf('Company name').fill('Keramiek Ida BV')
    const held = Promise.withResolvers<void>()
    await page.route(/\/company$/, async (route) => {
      if (route.request().method() === 'PUT') await held.promise
      await route.continue()
    })
    await save.click()
    await fieldOf('City').fill('Leiden')
    const read = page.waitForResponse(
      (reply) => reply.url().endsWith('/company') && reply.request().method() === 'GET',
    )
    held.resolve()
    await (await read).finished()
    assert.deepEqual(
      [await fieldOf('Company name').inputValue(), await fieldOf('City').inputValue()],
      ['Keramiek Ida BV', 'Leiden'],
    )
    await save.click()
    await page.locator('button:disabled:not([aria-busy])', { hasText: 'Save company' }).waitFor()
    const { body } = await fixture.call('GET /project/company', { key })
    assert.deepEqual([body.company_name, body.address.city], ['Keramiek Ida BV', 'Leiden'])
  })

  longTest('leads to the verification, which shows what the levels unlock', async (t) => {
    const project_id = await newProject('Keramiek Ida')
    const { page } = await open(t, 1440)
    await visit(page, `/projects/${project_id}/company?mode=test`)
    await page.getByRole('link', { name: 'Open verification' }).click()
    await page.getByText('National phone numbers').waitFor()
  })
})
