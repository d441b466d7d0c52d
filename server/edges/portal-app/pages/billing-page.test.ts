/** The page of billing in a real browser: warnings, days, transactions and statements. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { longTest } from '../../../../test/fixtures/depth.ts'
import { assertFit } from '../../../../test/fixtures/portal/fit.ts'
import {
  openPortalBrowser,
  saveScreenshot,
  widthsOfStates,
} from '../../../../test/fixtures/portal/portal-browser.ts'
import { newSession } from '../../../../test/fixtures/portal/sessions.ts'
import { spendMoney } from '../../../../test/fixtures/portal/portal-app.ts'
import * as billing from '../../../areas/billing/service.ts'
import { microFromEuro } from '../../../kernel/values/money.ts'

const { fixture, newProject, open, visit } = await openPortalBrowser('kim@kapsalon.example')
const { runtime } = fixture
const project_id = await newProject('Kapsalon Kim')
await spendMoney(fixture, project_id)
const path = `/projects/${project_id}/billing?mode=live`

const order = (id: string, euro: number) => ({
  project_id: id,
  amount_micro: microFromEuro(euro),
  reference: randomUUID(),
  reference_id: randomUUID(),
})

/** A project with this balance, of which everything else is spent. */
async function newProjectWith(euro: number): Promise<string> {
  const id = await newProject('Bijna leeg')
  await runtime.db.transact(async (tx) => {
    const paid = { ...order(id, 10), source: 'payment', description: 'Top-up by card' } as const
    await billing.topUp(tx, runtime, paid)
    const sms = { ...order(id, 10 - euro), source: 'sms', description: '=1+1, "quoted"' } as const
    await billing.charge(tx, runtime, sms)
  })
  return id
}

/** Clicks a button, and returns the file that it saves. */
async function download(page: Page, button: string): Promise<{ name: string; bytes: Buffer }> {
  const saving = page.waitForEvent('download', { timeout: 60_000 })
  await page.getByRole('button', { name: button }).click()
  const saved = await saving
  return { name: saved.suggestedFilename(), bytes: readFileSync(await saved.path()) }
}

describe('the page of billing', () => {
  for (const width of widthsOfStates) {
    longTest(`fits ${width}`, async (t) => {
      const { page, faults } = await open(t, width)
      await visit(page, path)
      await page.getByRole('img', { name: /^Spending by day/ }).waitFor()
      await saveScreenshot(page, `billing-${width}`)
      await assertFit(page, width)
      assert.deepEqual(faults, [])
    })
  }

  test('filters the transactions of a month, and shows another month', async (t) => {
    const { page, faults } = await open(t, 1440)
    await visit(page, path)
    const table = page.getByRole('table', { name: 'Transactions' })
    await table.getByText('Top-up by card').waitFor()
    await table.getByText('Text messages').waitFor()
    // The charts above move the table when they appear.
    await page.getByRole('img', { name: /^Usage by month/ }).waitFor()
    await page.getByRole('img', { name: /^Spending by day/ }).waitFor()
    await page.getByRole('combobox', { name: 'Type' }).click()
    await page.getByRole('option', { name: 'Spent' }).click()
    await table.getByText('Top-up by card').waitFor({ state: 'detached' })
    await page.getByRole('combobox', { name: 'Category' }).click()
    await page.getByRole('option', { name: 'Text messages' }).click()
    await table.getByText('Calls').waitFor({ state: 'detached' })
    await table.getByText('Text messages').waitFor()
    await saveScreenshot(page, 'billing-filtered')
    await assertFit(page, 1440)
    await page.getByRole('combobox', { name: 'Month' }).click()
    await page.getByRole('option').nth(1).click()
    await table.getByText('Top-up by card').waitFor()
    assert.deepEqual(faults, [])
  })

  longTest('shows a new project its transactions only, without empty charts', async (t) => {
    const id = await newProject('Nieuw')
    const { page, faults } = await open(t, 390)
    await visit(page, `/projects/${id}/billing?mode=live`)
    await page.getByText('No transaction yet').waitFor()
    await page.getByText('Language models').waitFor({ state: 'detached' })
    assert.equal(await page.getByText('Nothing was spent yet').count(), 0)
    await page.getByRole('combobox', { name: 'Month' }).waitFor()
    await saveScreenshot(page, 'billing-new')
    await assertFit(page, 390)
    assert.deepEqual(faults, [])
  })

  longTest('names transactions in Dutch, with readable dates', async (t) => {
    const id = await newProjectWith(8)
    const description = 'Plan Reachable from 2026-11-28, 3 of 30 days'
    const plan = { ...order(id, 2.9), source: 'plan', description } as const
    await runtime.db.transact((tx) => billing.charge(tx, runtime, plan))
    const { page, faults } = await open(t, 390)
    await visit(page, `/projects/${id}/billing?mode=live`)
    const table = page.getByRole('table')
    await table.getByText('Plan Reachable from 28 Nov 2026, 3 of 30 days').waitFor()
    await page.evaluate(`localStorage.setItem('homeport.language', 'nl')`)
    await page.reload()
    await table.getByText('Abonnement Reachable vanaf 28 nov 2026, 3 van 30 dagen').waitFor()
    await table.getByText('Opwaardering met kaart').waitFor()
    await assertFit(page, 390)
    assert.deepEqual(faults, [])
  })

  longTest('warns of a low balance, and offers a top-up', async (t) => {
    const low_id = await newProjectWith(2)
    const { page } = await open(t, 390)
    await visit(page, `/projects/${low_id}/billing?mode=live`)
    const warning = page.getByRole('status').filter({ hasText: 'The balance is running low' })
    await warning.waitFor()
    await saveScreenshot(page, 'billing-low')
    await assertFit(page, 390)
    await warning.getByRole('button', { name: 'Top up' }).click()
    await page.getByRole('dialog', { name: 'Top up' }).waitFor()
  })

  test('refuses a small top-up at its amount, and shows the outcome of a payment', async (t) => {
    const id = await newProject('Terug van de bank')
    const owner = await newSession(fixture, 'kim@kapsalon.example')
    const { page, faults } = await open(t, 390)
    await visit(page, `/projects/${id}/billing?mode=live#new`)
    const dialog = page.getByRole('dialog', { name: 'Top up' })
    await dialog.getByRole('textbox').fill('3')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByText('An amount from €5 to €10,000.').waitFor()
    await dialog.getByRole('textbox').fill('1.000')
    await dialog.getByText(/This could be €1\.00 or €1,000\.00\./).waitFor()
    await dialog.getByRole('textbox').fill('1,000')
    await dialog.getByText('Read as €1,000.00.').waitFor()
    const body = { amount_eur: 30 }
    const { body: ordered } = await owner.call(`POST /projects/${id}/top-ups`, { body })
    await visit(page, `/projects/${id}/billing?mode=live&top_up=${ordered.id}`)
    const notice = page.getByRole('status')
    await notice.getByText('Your payment of €30.00 is being processed.').waitFor()
    const card = new URLSearchParams({ card: 'pm_card_visa' })
    await fetch(ordered.url, { method: 'POST', body: card, redirect: 'manual' })
    await notice.getByText('€30.00 was added to the balance.').waitFor()
    await page.getByText('€30.00', { exact: true }).first().waitFor()
    await saveScreenshot(page, 'billing-returned')
    await assertFit(page, 390)
    assert.deepEqual(
      faults.filter((fault) => !fault.includes('422')),
      [],
    )
  })

  longTest('saves the month as CSV without formulas, and as PDF', async (t) => {
    const id = await newProjectWith(8)
    const { page, faults } = await open(t, 1024)
    await visit(page, `/projects/${id}/billing?mode=live`)
    const csv = await download(page, 'CSV')
    assert.match(csv.name, /^Bijna leeg \d{4}-\d{2}\.csv$/)
    const lines = csv.bytes.toString('utf8').trim().split('\r\n')
    assert.equal(lines.length, 3)
    assert.match(lines[0] ?? '', /created_at,type,source,description/)
    assert.match(lines[1] ?? '', /,top_up,payment,Top-up by card,.*,10,10,/)
    assert.match(lines[2] ?? '', /,charge,sms,"'=1\+1, ""quoted""",.*,-2,8,/)
    const pdf = await download(page, 'PDF statement')
    assert.match(pdf.name, /\.pdf$/)
    assert.equal(pdf.bytes.subarray(0, 5).toString(), '%PDF-')
    assert.deepEqual(faults, [])
  })
})
