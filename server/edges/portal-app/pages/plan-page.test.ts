/** The page of the plan in a real browser: plans, changes with their sums, and failed payments. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { planFixture } from '../../../../test/fixtures/plans/plans.ts'
import { longTest } from '../../../../test/fixtures/depth.ts'
import { assertFit } from '../../../../test/fixtures/portal/fit.ts'
import {
  openPortalBrowser,
  saveScreenshot,
  widthsOfStates,
} from '../../../../test/fixtures/portal/portal-browser.ts'
import * as projects from '../../../areas/projects/service.ts'
import type { SubscriptionRow } from '../../../areas/plans/store.ts'
import * as store from '../../../areas/plans/store.ts'
import type { Plan } from '../../../contract/plans.ts'
import { microFromEuro } from '../../../kernel/values/money.ts'

const owner = 'lies@bloemen.example'
const { fixture, newProject, open, visit } = await openPortalBrowser(owner)
const { runtime } = fixture
const { topUp, saveCard, moveTo } = planFixture(fixture)
// The middle of a month, so that no test runs on its last day.
moveTo({ months: 1, day: 16 })

async function newPlan({ plan = 'free' as Plan, euro = 0, card = '' } = {}): Promise<string> {
  const id = await newProject('Bloemen van Lies')
  await projects.change(runtime.db, id, { plan })
  if (euro > 0) await topUp(id, euro)
  if (card !== '') await saveCard(id, card)
  return id
}

/** Bills a project, as after an upgrade. */
const bill = (project_id: string, changes: Partial<SubscriptionRow>) =>
  runtime.db.transact((tx) =>
    store.saveSubscription(tx, {
      project_id,
      state: 'active',
      granted: false,
      price_micro: microFromEuro(9),
      month: runtime.clock.now().toISOString().slice(0, 8) + '01',
      next_plan: null,
      tries: 0,
      next_try_at: null,
      failure: null,
      failed_at: null,
      updated_at: runtime.clock.now(),
      ...changes,
    }),
  )

const show = (page: Page, id: string) => visit(page, `/projects/${id}/billing/plan`)
const dialogOf = (page: Page) => page.getByRole('dialog')

describe('the plan page', () => {
  for (const width of widthsOfStates) {
    longTest(`shows five plans and the use of the current one at ${width}`, async (t) => {
      const id = await newPlan({ plan: 'online', euro: 40 })
      await bill(id, {})
      const { page, faults } = await open(t, width)
      await show(page, id)
      assert.equal(await page.getByRole('heading', { level: 3 }).count(), 5)
      await page.getByRole('meter', { name: 'Collections' }).waitFor()
      const current = page.locator('li[aria-current]')
      assert.match((await current.textContent()) ?? '', /Online.*€9\.00.*Current plan/s)
      await saveScreenshot(page, `plan-${width}`)
      await assertFit(page, width)
      assert.deepEqual(faults, [])
    })
  }

  for (const width of widthsOfStates) {
    test(`upgrades after a confirmation with the sums at ${width}`, async (t) => {
      const id = await newPlan({ euro: 400 })
      const { page, faults } = await open(t, width)
      await show(page, id)
      await page.getByRole('button', { name: 'Upgrade to Business' }).click()
      const dialog = dialogOf(page)
      await dialog.getByText('Now, for the rest of the month').waitFor()
      await dialog.getByText('€99.00').waitFor()
      await dialog.getByText('20 → 200').waitFor()
      await dialog.getByText(/^Balance \(€\d+\.\d\d remaining\)$/).waitFor()
      await saveScreenshot(page, `plan-upgrade-${width}`)
      await assertFit(page, width)
      await dialog.getByRole('button', { name: /^Pay €\d+\.\d\d and upgrade$/ }).click()
      await page.getByRole('heading', { name: 'Your plan: Business' }).waitFor()
      await page.getByText('Active', { exact: true }).waitFor()
      assert.equal((await projects.find(runtime.db, id))?.plan, 'business')
      assert.deepEqual(faults, [])
    })
  }

  longTest('offers a top-up instead if neither the balance nor a card pays', async (t) => {
    const id = await newPlan()
    const { page } = await open(t, 390)
    await show(page, id)
    await page.getByRole('button', { name: 'Upgrade to Online' }).click()
    await dialogOf(page).getByText('The balance is too low, and no card is saved.').waitFor()
    await saveScreenshot(page, 'plan-no-money-390')
    await assertFit(page, 390)
    await dialogOf(page).getByRole('link', { name: 'Top up' }).click()
    await page.getByRole('dialog', { name: 'Top up' }).waitFor()
  })

  longTest('returns from a top-up to the upgrade that it was for', async (t) => {
    const id = await newPlan()
    const { page, faults } = await open(t, 1440)
    await show(page, id)
    await page.getByRole('button', { name: 'Upgrade to Online' }).click()
    await dialogOf(page).getByRole('link', { name: 'Top up' }).click()
    await page.getByRole('button', { name: 'Continue to payment' }).click()
    const returned = page.waitForRequest(/top_up=/)
    await page.getByRole('button', { name: 'Pay', exact: true }).click()
    // The payment page leads to the public host, where this browser is not signed in.
    const { pathname, search } = new URL((await returned).url())
    await visit(page, pathname.replace('/portal/app', '') + search)
    await page.getByRole('dialog', { name: 'Upgrade to Online' }).waitFor()
    await dialogOf(page)
      .getByText(/^Balance \(€\d+\.\d\d remaining\)$/)
      .waitFor()
    await dialogOf(page)
      .getByRole('button', { name: /^Pay €\d+\.\d\d and upgrade$/ })
      .click()
    await page.getByRole('heading', { name: 'Your plan: Online' }).waitFor()
    assert.deepEqual(faults, [])
  })

  longTest('shows in the dialog why the card was refused, and keeps the plan', async (t) => {
    const id = await newPlan({ card: 'chargeDeclined' })
    const { page } = await open(t, 1440)
    await show(page, id)
    await page.getByRole('button', { name: 'Upgrade to Online' }).click()
    await dialogOf(page)
      .getByText(/^Visa ending in \d{4}$/)
      .waitFor()
    await dialogOf(page).getByRole('button', { name: /^Pay/ }).click()
    await dialogOf(page)
      .getByRole('alert')
      .getByText(/The payment failed/)
      .waitFor()
    await saveScreenshot(page, 'plan-refused-1440')
    await assertFit(page, 1440)
    assert.equal((await projects.find(runtime.db, id))?.plan, 'free')
  })

  for (const width of widthsOfStates) {
    test(`plans a downgrade and keeps the plan after all at ${width}`, async (t) => {
      const id = await newPlan({ plan: 'business', euro: 200 })
      await bill(id, { price_micro: microFromEuro(99) })
      const { page, faults } = await open(t, width)
      await show(page, id)
      await page.getByRole('button', { name: 'Downgrade to Online' }).click()
      await dialogOf(page).getByText('200 → 50').waitFor()
      await saveScreenshot(page, `plan-downgrade-${width}`)
      await dialogOf(page)
        .getByRole('button', { name: /^Downgrade on/ })
        .click()
      const notice = page.getByRole('status').filter({ hasText: /^Online from/ })
      await notice.waitFor()
      await page.getByText(/^€99\.00 a month until /).waitFor()
      await saveScreenshot(page, `plan-planned-${width}`)
      await assertFit(page, width)
      await notice.getByRole('button', { name: 'Keep Business' }).click()
      await notice.waitFor({ state: 'detached' })
      assert.equal((await store.findSubscription(runtime.db, id))?.next_plan, null)
      assert.deepEqual(faults, [])
    })
  }

  longTest(
    'lists what does not fit a smaller plan, with a link to where it is changed',
    async (t) => {
      const id = await newPlan({ plan: 'online' })
      await projects.setRail(runtime.db, { project_id: id, rail: 'payments', mode: 'live' })
      const { page } = await open(t, 390)
      await show(page, id)
      assert.ok(await page.getByRole('button', { name: 'Downgrade to Free' }).isDisabled())
      await saveScreenshot(page, 'plan-no-fit-390')
      await assertFit(page, 390)
      await page.getByRole('link', { name: 'Payments are live' }).click()
      await page.waitForURL(/\/go-live/)
    },
  )

  for (const width of widthsOfStates) {
    longTest(`shows a failed payment with "pay now" at ${width}`, async (t) => {
      const id = await newPlan({ plan: 'online' })
      await bill(id, {
        state: 'past_due',
        tries: 2,
        next_try_at: new Date(runtime.clock.now_ms() + 86_400_000),
        failure: 'card_expired',
        failed_at: runtime.clock.now(),
      })
      const { page } = await open(t, width)
      await show(page, id)
      const notice = page
        .getByRole('status')
        .filter({ hasText: 'The payment for your plan failed' })
      await notice.getByText(/the card has expired\. We will try again on/).waitFor()
      await notice.getByText(/That is the last attempt/).waitFor()
      await saveScreenshot(page, `plan-failed-${width}`)
      await assertFit(page, width)
      await topUp(id, 20)
      await notice.getByRole('button', { name: 'Pay now' }).click()
      await page.getByText('The plan is paid.').waitFor()
      await notice.waitFor({ state: 'detached' })
      assert.equal((await store.findSubscription(runtime.db, id))?.state, 'active')
    })
  }

  longTest('is linked from an error that a larger plan resolves', async (t) => {
    const id = await newPlan()
    const { page } = await open(t, 1440)
    await visit(page, `/projects/${id}/team`)
    await page.getByRole('button', { name: 'Invite a person' }).click()
    await page.getByRole('textbox', { name: 'Email address' }).fill('guest@bloemen.example')
    await page.getByRole('button', { name: 'Send the invitation' }).click()
    const link = page.getByRole('link', { name: 'See plans' })
    await link.waitFor()
    await saveScreenshot(page, 'plan-limit-1440')
    await assertFit(page, 1440)
    await link.click()
    await page.getByRole('heading', { name: 'Your plan: Free' }).waitFor()
  })

  longTest('is linked from Billing when a payment failed', async (t) => {
    const id = await newPlan({ plan: 'online' })
    await bill(id, {
      state: 'past_due',
      tries: 1,
      next_try_at: new Date(runtime.clock.now_ms() + 86_400_000),
      failure: 'insufficient_balance',
      failed_at: runtime.clock.now(),
    })
    const { page } = await open(t, 390)
    await visit(page, `/projects/${id}/billing`)
    const notice = page.getByRole('status').filter({ hasText: 'The payment for your plan failed' })
    await saveScreenshot(page, 'plan-failed-billing-390')
    await assertFit(page, 390)
    await notice.getByRole('link', { name: 'Plan' }).click()
    await page.getByRole('heading', { name: 'Your plan: Online' }).waitFor()
    assert.ok(await page.getByRole('button', { name: 'Upgrade to Business' }).isDisabled())
  })

  longTest('shows a plan that ended and a pending payment, in Dutch', async (t) => {
    const id = await newPlan()
    await bill(id, {
      state: 'ended',
      price_micro: 0n,
      tries: 3,
      failure: 'billing_blocked',
      failed_at: runtime.clock.now(),
    })
    await runtime.db.transact((tx) =>
      store.insertPayment(tx, {
        project_id: id,
        id: crypto.randomUUID(),
        kind: 'upgrade',
        from_plan: 'free',
        plan: 'online',
        price_micro: microFromEuro(9),
        due_micro: microFromEuro(5),
        card_micro: microFromEuro(5),
        month: '2026-01-01',
        counts_as_try: false,
        state: 'pending',
        payment_method: 'pm_card_takenThenSilence',
        customer: null,
        description: 'Plan Online',
        created_at: new Date(runtime.clock.now_ms() + 3_600_000),
      }),
    )
    const { page } = await open(t, 1440)
    await page.addInitScript("localStorage.setItem('homeport.language', 'nl')")
    await show(page, id)
    await page.getByText('De betaling wordt bevestigd').waitFor()
    await saveScreenshot(page, 'plan-ended-1440')
    await assertFit(page, 1440)
    assert.equal(await page.getByRole('button', { name: /^Upgrade/ }).count(), 0)
  })

  longTest('shows an error with "retry" if the plan cannot be read', async (t) => {
    const id = await newPlan()
    const { page } = await open(t, 390)
    const isPlan = (path = '') => path.endsWith(`/projects/${id}/plan`)
    await page.route(/\/(?:batch|plan)$/, (route) => {
      const reads: { path: string }[] = route.request().postDataJSON() ?? []
      const isAsked = isPlan(route.request().url()) || reads.some(({ path }) => isPlan(path))
      return isAsked ? route.fulfill({ status: 503, body: '' }) : route.continue()
    })
    await page.goto(`${fixture.url}/portal/app/projects/${id}/billing/plan`)
    await page.getByRole('alert').getByRole('button').waitFor()
    await saveScreenshot(page, 'plan-error-390')
    await assertFit(page, 390)
  })
})
