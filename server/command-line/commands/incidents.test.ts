/** Tests of the commands for incidents: publishing, updates, maintenance, refusals and the audit log. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { movableClock } from '../../kernel/clock.ts'
import { databaseUrl, runInProcess, temporaryFolder } from '../../../test/fixtures/command-line.ts'

const runtime = await openTestRuntime({ clock: movableClock(), work: false })
const settings = {
  HOMEPORT_DATA_DIR: temporaryFolder(),
  DATABASE_URL: databaseUrl(runtime.connection),
}

async function answer(...argv: string[]) {
  const { code, json, said } = await runInProcess([...argv, '--json'], settings)
  assert.deepEqual([code, said], [0, ''])
  return json
}

async function refusal(...argv: string[]): Promise<string> {
  const { code, said } = await runInProcess(argv, settings)
  assert.equal(code, 1)
  return said
}

const given = ['--title', 'Calls connect slowly', '--message', 'We look for the cause.']

describe('incidents', () => {
  it('publishes an incident and its updates, which the server reports', async () => {
    const affects = ['--impact', 'major', '--components', 'phone,ai']
    const made = await answer('incidents', 'create', ...given, ...affects)
    assert.deepEqual([made.state, made.components], ['investigating', ['phone', 'ai']])
    const { body } = await runtime.call('GET /status', { key: null })
    assert.deepEqual(
      body.incidents.map(({ title }: any) => title),
      ['Calls connect slowly'],
    )
    const done = ['--state', 'resolved', '--message', 'Repaired.']
    const resolved = await answer('incidents', 'update', '--id', made.id, ...done)
    assert.deepEqual([resolved.state, resolved.updates.length], ['resolved', 2])
    const { incidents, proposals } = await answer('incidents', 'list')
    assert.deepEqual([incidents.length, proposals], [1, []])
    assert.deepEqual((await answer('incidents', 'list', '--open')).incidents, [])
    assert.equal((await answer('incidents', 'delete', '--id', made.id)).deleted, true)
    assert.match(await refusal('incidents', 'delete', '--id', made.id), /no incident/)
    const acts = await runtime.runtime.db.selectFrom('activity').select('operation').execute()
    assert.deepEqual(
      acts.map(({ operation }) => operation).filter((name) => name.startsWith('incidents')),
      ['incidents create', 'incidents update', 'incidents delete'],
    )
  })

  it('plans maintenance, and refuses a window in the past and an unclear time', async () => {
    const at = (hours: number) => new Date(runtime.clock.now_ms() + hours * 3_600_000).toISOString()
    const plan = (from: string, to: string) =>
      ['incidents', 'plan', ...given, '--starts-at', from, '--ends-at', to] as const
    const [begins, ends] = [at(1), at(2)]
    const made = await answer(...plan(begins, ends))
    assert.deepEqual(
      [made.kind, made.state, made.planned_until],
      ['maintenance', 'scheduled', ends],
    )
    assert.match(await refusal(...plan(at(-2), at(-1))), /starts_at: must not be in the past/)
    assert.match(await refusal(...plan('tomorrow', '10:00')), /time with its offset.*time with/)
  })
})
