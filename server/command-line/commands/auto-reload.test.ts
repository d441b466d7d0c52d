/**
 * Tests of `balance auto-reload` with a running server: the command stores the settings, and the
 * server asks the payment provider.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { movableClock } from '../../kernel/clock.ts'
import * as billing from '../../areas/billing/service.ts'
import {
  databaseUrl,
  runInProcess,
  runProcess,
  temporaryFolder,
} from '../../../test/fixtures/command-line.ts'

const database = await openTestRuntime({ clock: movableClock() })
const settings = {
  DATABASE_URL: databaseUrl(database.connection),
  HOMEPORT_DATA_DIR: temporaryFolder(),
}
const command = ['balance', 'auto-reload', '--project', database.project_id]

async function autoReload(...argv: string[]) {
  const { code, json, said } = await runInProcess([...command, ...argv, '--json'], settings)
  assert.equal(said, '')
  assert.equal(code, 0)
  return json
}

const shown = async () => (await database.call('GET /balance')).body.auto_reload

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise(setImmediate)
}

const patience = { timeout: 120_000 }

test('the command prints the settings without changes if no option is given', async () => {
  assert.deepEqual(await autoReload(), await shown())
  const { stdout } = await runInProcess(command, settings)
  assert.match(stdout, /enabled +false\n/)
  assert.match(stdout, /threshold_eur +5\n/)
  assert.match(stdout, /card +-\n$/)
})

test('the command sets the given options and keeps the others', async () => {
  const { json } = await runProcess(
    [...command, '--threshold-eur', '2.5', '--amount-eur', '12.34', '--json'],
    settings,
  )
  assert.deepEqual([json.threshold_eur, json.amount_eur, json.max_per_month], [2.5, 12.34, 5])
  const after = await autoReload('--max-per-month', '7')
  assert.deepEqual([after.threshold_eur, after.amount_eur, after.max_per_month], [2.5, 12.34, 7])
  assert.deepEqual(after, await shown())
})

test('the command saves a card that the running server then charges', patience, async () => {
  const saved = await autoReload('--card', 'pm_card_mastercard', '--enabled', 'yes')
  assert.deepEqual([saved.enabled, saved.card], [true, null])
  const { runtime, project_id } = database
  await until(
    async () => (await billing.readSpendableBalance(runtime.db, project_id)) === 12_340_000n,
  )
  const { card, active, used_this_month } = await autoReload()
  assert.deepEqual(
    [card.brand, card.last4, active, used_this_month],
    ['mastercard', '4444', true, 1],
  )
  const { stdout } = await runInProcess(command, settings)
  assert.match(stdout, /card +mastercard 4444, 12\/\d\d/)
})

test('the command removes the card with "none"', async () => {
  const { card, active, enabled } = await autoReload('--card', 'none')
  assert.deepEqual([card, active, enabled], [null, false, true])
})

test('the command applies to the live project of a pair for the id of the test project', async () => {
  const pair = await database.newProject({ shape: 'pair' })
  const argv = ['balance', 'auto-reload', '--json', '--project']
  await runInProcess([...argv, pair.test_project_id, '--enabled', 'yes'], settings)
  assert.equal((await runInProcess([...argv, pair.live_project_id], settings)).json.enabled, true)
})

const refused = [
  [['--amount-eur', '4.99'], /^--amount-eur must be from 5 to 10000 euro in whole cents, not/],
  [['--amount-eur', '10000.01'], /^--amount-eur must be from 5 to 10000 euro/],
  [['--amount-eur', '5.001'], /^--amount-eur must be from 5 to 10000 euro in whole cents/],
  [['--amount-eur', 'ten'], /^--amount-eur must be an amount of euro/],
  [['--threshold-eur', '10000.000001'], /^--threshold-eur must be from 0 to 10000 euro, not/],
  [['--max-per-month', '0'], /^--max-per-month must be a whole number from 1 to 100, not "0"/],
  [['--max-per-month', '101'], /^--max-per-month must be a whole number from 1 to 100/],
  [['--max-per-month', '1.5'], /^--max-per-month must be a whole number/],
  [['--enabled', 'true'], /^--enabled must be yes or no/],
  [['--card', '4242424242424242'], /^--card must be pm_… or none, not "4242424242424242"/],
  [['--card', 'pm_1', '--customer', 'pm_2'], /^--customer must be cus_…, not "pm_2"/],
  [['--customer', 'cus_1'], /^--customer belongs to a card/],
  [['--card', 'none', '--customer', 'cus_1'], /^--customer belongs to a card/],
] as const

for (const [argv, sentence] of refused) {
  test(`the command refuses ${argv.join(' ')}`, async () => {
    const { code, said } = await runInProcess([...command, ...argv], settings)
    assert.equal(code, 1)
    assert.match(said, sentence)
  })
}
