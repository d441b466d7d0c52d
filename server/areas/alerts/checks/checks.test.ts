/** What the checks for alerts find. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:tls'
import { after, before, test } from 'node:test'
import { standingClock } from '../../../../test/fixtures/bare-runtime.ts'
import { eventually } from '../../../../test/fixtures/eventually.ts'
import { createAuthority } from '../../../../test/fixtures/external/certificate.ts'
import { newOperator } from '../../../../test/fixtures/portal/operator.ts'
import type { Session } from '../../../../test/fixtures/portal/sessions.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import type { AlertsConfig } from '../../../kernel/config/config-types.ts'
import {
  recordProviderFailure,
  recordProviderSuccess,
  listProviderResults,
} from '../../../kernel/provider-results.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { evaluate } from '../jobs.ts'

const fixture = await openTestRuntime({
  work: false,
  clock: standingClock(),
  settings: { HOMEPORT_BACKUPS: 'disk:/nonexistent', HOMEPORT_ALERT_DISK_PERCENT: '0' },
})
const { runtime, passes } = fixture
const operators = await newOperator(fixture)
let operator: Session

before(async () => {
  operator = await operators.fresh()
})

function set(change: Partial<AlertsConfig>): void {
  runtime.config = { ...runtime.config, alerts: { ...runtime.config.alerts, ...change } }
}

/** What an evaluation finds, as it is shown before or while it fires. */
async function found(kind: string, public_url = runtime.config.public_url): Promise<any[]> {
  passes('1 minute')
  await evaluate.run({ ...runtime, config: { ...runtime.config, public_url } })
  const { body } = await operator.call('GET /operator/alerts')
  return [...body.firing, ...body.watched].filter((one: { kind: string }) => one.kind === kind)
}

async function insertJob(state: 'due' | 'dead'): Promise<void> {
  const now = runtime.clock.now()
  const job = { id: newId(runtime.clock), kind: 'alerts.test', payload: '{}', run_at: now, state }
  const dead = state === 'dead' ? { dead_at: now, last_error: 'Error: No answer' } : {}
  await runtime.db.transact((tx) =>
    tx
      .insertInto('jobs')
      .values({ ...job, created_at: now, ...dead })
      .execute(),
  )
}

test('a due job that waits longer than ten minutes is found', async () => {
  await insertJob('due')
  passes('8 minutes')
  assert.deepEqual(await found('queue'), [])
  const [late] = await found('queue')
  assert.deepEqual(
    [late.subject, late.texts.en.about],
    ['jobs', 'The oldest has waited for 10 minutes.'],
  )
})

test('jobs that failed for good are found with the newest error, from the number set', async () => {
  await insertJob('dead')
  const [failed] = await found('failed_jobs')
  assert.match(failed.texts.en.about, /^One job has failed .* alerts\.test: Error: No answer$/)
  set({ failed_jobs: 2 })
  assert.deepEqual(await found('failed_jobs'), [])
})

test('an error is cut between characters, because half of one would stop all alerts', async () => {
  const last_error = `${'x'.repeat(199)}😀 cannot be read`
  await runtime.db.transact((tx) =>
    tx.updateTable('jobs').set({ last_error }).where('state', '=', 'dead').execute(),
  )
  set({ failed_jobs: 1 })
  const [failed] = await found('failed_jobs')
  assert.match(failed.texts.en.about, /x{199}$/)
  set({ failed_jobs: 2 })
})

test('a disk that is fuller than the limit is found, with the free space', async () => {
  const { data_dir } = runtime.config
  // On the disk of the checkout, because a temporary folder in memory may be less than 1 % full.
  runtime.config = { ...runtime.config, data_dir: import.meta.dirname }
  set({ disk_percent: 1 })
  const [disk] = await found('disk')
  assert.match(disk.subject, /^data@/)
  assert.match(disk.texts.en.about, / is on a disk that is \d+% full; [\d.,]+ GB are free\.$/)
  set({ disk_percent: 0 })
  assert.deepEqual(await found('disk'), [])
  runtime.config = { ...runtime.config, data_dir }
})

test('a certificate of the public address that expires within 14 days is found', async () => {
  const until = new Date(runtime.clock.now_ms() + 13 * 86_400_000)
  const time = `${until.toISOString().replaceAll(/[-:T]/g, '').slice(2, 14)}Z`
  const authority = createAuthority('Test')
  const server = createServer(authority.issue('localhost', ['200101000000Z', time]))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  after(() => server.close())
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const public_url = `https://localhost:${port}`
  const [certificate] = await found('certificate', public_url)
  assert.equal(certificate.texts.en.title, `The certificate of localhost:${port} expires soon`)
  set({ certificate_days: 7 })
  assert.deepEqual(await found('certificate', public_url), [])
})

test('a certificate that cannot be read is not reported', async () => {
  assert.deepEqual(await found('certificate', 'https://localhost:1'), [])
})

test('backups older than 36 hours and a failed restore test are found', async () => {
  operator = await operators.fresh()
  assert.deepEqual(await found('backup'), [])
  const now = runtime.clock.now()
  const row = { id: newId(runtime.clock), name: 'one', state: 'complete' } as const
  const times = { started_at: now, finished_at: now, tested_at: now, test_error: 'It is damaged.' }
  await runtime.db.transact((tx) =>
    tx
      .insertInto('backups')
      .values({ ...row, ...times })
      .execute(),
  )
  const [failed, ...none] = await found('backup')
  assert.deepEqual(none, [])
  assert.deepEqual([failed.subject, failed.texts.en.about], ['test', 'one: It is damaged.'])
  passes('36 hours')
  await evaluate.run(runtime)
  operator = await operators.fresh()
  const old = (await found('backup')).find(({ subject }) => subject === 'age')
  assert.match(old.texts.nl.about, /^De nieuwste is van .*, 36 uur geleden\.$/)
})

test('a provider that failed three times, without a success between, is found', async () => {
  const written = (failures: number) =>
    eventually(async () => {
      const results = await listProviderResults(runtime.db)
      return results.find((one) => one.provider === 'register')?.failures === failures
    })
  for (const time of [1, 2]) recordProviderFailure(runtime, 'register', `Failure ${time}.`)
  await written(2)
  assert.deepEqual(await found('provider'), [])
  recordProviderFailure(runtime, 'register', 'The register answered 401.')
  await written(3)
  const [failing] = await found('provider')
  assert.deepEqual(
    [failing.texts.en.title, failing.texts.en.about],
    ['The provider of the business register is failing', 'The register answered 401.'],
  )
  recordProviderSuccess(runtime, 'register')
  await written(0)
  assert.deepEqual(await found('provider'), [])
})
