/** The page of backups in the operator console. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { assertFit } from '../../../../test/fixtures/portal/fit.ts'
import {
  openPortalBrowser,
  saveScreenshot,
  widthsOfStates,
} from '../../../../test/fixtures/portal/portal-browser.ts'
import * as people from '../../../areas/people/service.ts'

const owner = 'olga@homeport.example'
const folder = mkdtempSync(join(tmpdir(), 'homeport-backups-'))
after(() => rmSync(folder, { recursive: true, force: true }))
const { fixture, newProject, open, visit } = await openPortalBrowser(owner, {
  HOMEPORT_BACKUPS: `disk:${folder}`,
})
await newProject('Bakkerij De Molen')

test('the page writes and tests a backup on request, and lists it', async (t) => {
  const { page, faults } = await open(t, 1440)
  await people.setOperator(fixture.runtime, { email: owner, is_operator: true })
  await visit(page, '/operator/backups')
  await page.getByRole('button', { name: 'Back up now' }).press('Enter')
  await page.getByText('The backup begins within a minute.').first().waitFor()
  fixture.passes('5 minutes')
  await page.getByText('Complete').first().waitFor({ timeout: 120_000 })
  await page.getByRole('button', { name: 'Test the newest' }).press('Enter')
  fixture.passes('5 minutes')
  await page.getByText('Passed').first().waitFor({ timeout: 120_000 })
  for (const width of widthsOfStates) {
    await page.setViewportSize({ width, height: 900 })
    await saveScreenshot(page, `operator-backups-${width}`)
    await assertFit(page, width)
  }
  assert.deepEqual(faults, [])
})
