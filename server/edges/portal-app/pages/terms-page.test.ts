/** Accepting the terms of use in the portal, in a real browser. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertFit } from '../../../../test/fixtures/portal/fit.ts'
import {
  openPortalBrowser,
  saveScreenshot,
  widthsOfStates,
} from '../../../../test/fixtures/portal/portal-browser.ts'
import { createOwnedProject } from '../../../../test/fixtures/portal/portal.ts'

const { fixture, open, visit } = await openPortalBrowser('olga@homeport.example', {
  HOMEPORT_SIGNUP: 'invite',
})

describe('a person who has not accepted the terms', () => {
  for (const width of widthsOfStates) {
    test(`accepts them before any page at ${width}`, async (t) => {
      const email = `anna-${width}@bakkerij.example`
      const id = await createOwnedProject(fixture, email)
      const { page, faults } = await open(t, width, { as: email })
      await visit(page, `/projects/${id}/settings?mode=test`)
      await page.getByRole('heading', { name: 'Accept the terms of use' }).waitFor()
      const terms = page.getByRole('link', { name: 'Read the terms (version 1)' })
      assert.equal(await terms.getAttribute('href'), '/portal/terms')
      await saveScreenshot(page, `terms-${width}`)
      await assertFit(page, width)
      await page.getByRole('button', { name: 'Accept' }).click()
      await page.getByRole('heading', { name: 'Settings' }).waitFor()
      assert.deepEqual(faults, [])
    })
  }
})
