/** The page of verification in a real browser: phone, documents, review and decision. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { businessDetails } from '../../../../test/fixtures/live-projects.ts'
import { longTest } from '../../../../test/fixtures/depth.ts'
import { assertFit } from '../../../../test/fixtures/portal/fit.ts'
import {
  openPortalBrowser,
  saveScreenshot,
  widthsOfStates,
} from '../../../../test/fixtures/portal/portal-browser.ts'
import { createOwnedProject } from '../../../../test/fixtures/portal/portal.ts'
import { pdf } from '../../../../test/fixtures/verification/pdf.ts'
import { verificationFixture } from '../../../../test/fixtures/verification/owners.ts'
import * as people from '../../../areas/people/service.ts'
import * as projects from '../../../areas/projects/service.ts'

const owner = 'vera@demolen.example'
const operator = 'olga@operators.example'
const { fixture, newProject, open, visit } = await openPortalBrowser(owner)
const { runtime } = fixture
const { lastCode } = verificationFixture(fixture)
const project_id = await newProject('Bakkerij De Molen')
const path = `/projects/${project_id}/verification?mode=live`

describe('the page of verification', () => {
  for (const width of widthsOfStates) {
    longTest(`fits ${width}`, async (t) => {
      const { page, faults } = await open(t, width)
      await visit(page, path)
      await page.getByRole('heading', { name: 'Documents for numbers' }).waitFor()
      await saveScreenshot(page, `verification-${width}`)
      await assertFit(page, width)
      assert.deepEqual(faults, [])
    })
  }

  test('leads from a phone number to an approved level', async (t) => {
    const { page, faults } = await open(t, 390)
    await visit(page, path)
    await page.getByLabel('Phone number').fill('+31 6 1234 5678')
    await page.getByRole('button', { name: 'Text me the code' }).click()
    await page.getByText(/The code was sent to/).waitFor()
    await saveScreenshot(page, 'verification-code')
    await page.getByLabel('Code').fill((await lastCode()).code)
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText(/^Verified:/).waitFor()
    await projects.change(runtime.db, project_id, { card: true })
    const key = await fixture.newKey({ project_id })
    await fixture.call('PUT /project/company', { key, body: businessDetails })
    await visit(page, path)
    await page.getByRole('button', { name: 'Check the company' }).click()
    await page.getByText('2 of 4 levels approved').waitFor({ timeout: 30_000 })
    assert.deepEqual(faults, [])
  })

  longTest('says in Dutch why something is refused', async (t) => {
    const other_id = await newProject('Slagerij Jansen')
    const { page } = await open(t, 390)
    const level = 'company' as const
    const why =
      'The business register has another name for 12345678 than "Slagerij". Enter the statutory name or a trade name as registered.'
    const refused = { project_id: other_id, level, status: 'rejected', reason: why } as const
    await runtime.db.transact((tx) => projects.setLevel(tx, refused))
    await visit(page, `/projects/${other_id}/verification?mode=live`)
    await page.evaluate(`localStorage.setItem('homeport.language', 'nl')`)
    await page.reload()
    await page.getByText('Het handelsregister heeft bij 12345678 een andere naam').waitFor()
    await page.getByLabel('Telefoonnummer').fill('020 123 4567')
    await page.getByText('Gelezen als +31 20 123 4567.').waitFor()
    await page.getByRole('button', { name: 'Sms mij de code' }).click()
    await page.getByText('Een vast nummer krijgt geen sms.').waitFor()
    await assertFit(page, 390)
  })

  longTest('sends documents for review, which an operator rejects with a reason', async (t) => {
    const level = 'company' as const
    await projects.setVerification(runtime.db, { project_id, level, status: 'approved' })
    const { page, faults } = await open(t, 1440)
    await visit(page, path)
    const kinds = ['Proof of address', 'Identity document', 'Extract of the business register']
    const inputs = page.locator('input[type=file]')
    await inputs.first().setInputFiles({
      name: 'statement.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('<html>no document</html>'),
    })
    await page.getByText('Upload a PDF, or a picture as JPEG, PNG or WebP.').waitFor()
    for (const [index, kind] of kinds.entries()) {
      const file = { name: `${kind}.pdf`, mimeType: 'application/pdf', buffer: pdf }
      await inputs.nth(index).setInputFiles(file)
      await page.getByText(`${kind}.pdf`, { exact: true }).waitFor()
    }
    await page.getByRole('button', { name: 'Send for review' }).first().click()
    await page.getByText('In review').waitFor()
    await saveScreenshot(page, 'verification-pending')

    await createOwnedProject(fixture, operator)
    const console = await open(t, 1440, { as: operator })
    await people.setOperator(runtime, { email: operator, is_operator: true })
    await visit(console.page, '/operator')
    await console.page.getByRole('link', { name: 'Verifications 1 waits' }).click()
    await console.page.getByRole('button', { name: /Bakkerij De Molen/ }).click()
    await console.page.getByRole('heading', { name: 'Decision' }).waitFor()
    await saveScreenshot(console.page, 'operator-verification')
    await assertFit(console.page, 1440)
    const saving = console.page.waitForEvent('download')
    const download = console.page.getByRole('button', { name: 'Download: Identity document' })
    await download.click()
    assert.equal((await saving).suggestedFilename(), 'Identity document.pdf')
    const blobs = await Array.fromAsync(runtime.blobs.list(`${project_id}/`))
    await runtime.blobs.remove(blobs.map(({ key }) => key))
    await download.click()
    await console.page.getByText('This document was deleted.').waitFor()
    await console.page.getByLabel('Reason').fill('The statement is too old.')
    await console.page.getByRole('checkbox', { name: 'Identity document' }).uncheck()
    await console.page.getByRole('checkbox', { name: 'Extract of the business register' }).uncheck()
    await console.page.getByRole('button', { name: 'Reject' }).click()
    await console.page.getByText('No verifications are waiting').waitFor()
    await console.page.getByRole('link', { name: 'Verifications', exact: true }).waitFor()

    await visit(page, path)
    await page.getByText('The statement is too old.').waitFor()
    await saveScreenshot(page, 'verification-rejected')
    await assertFit(page, 1440)
    const refusals = /404|422/
    assert.deepEqual(
      [...faults, ...console.faults].filter((text) => !refusals.test(text)),
      [],
    )
  })
})
