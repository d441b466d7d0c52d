/**
 * Tests that no step of a sign-up does more work for an address that has an account or an invitation
 * than for any other: the duration of a reply depends on the statements before it.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  newVisitor,
  createOwnedProject,
  signIn,
} from '../../../../../test/fixtures/portal/portal.ts'
import { openTestRuntime } from '../../../../../test/fixtures/runtime.ts'
import { openMeter, type StatementMeter } from '../../../../../test/fixtures/statement-meter.ts'
import * as people from '../../../../areas/people/service.ts'

async function openCounted(mode: string) {
  let meter: StatementMeter | null = null
  const fixture = await openTestRuntime({
    work: false,
    settings: { HOMEPORT_SIGNUP: mode },
    relay: async (database) => (meter = await openMeter(database)),
  })
  const counting = (): StatementMeter => meter ?? assert.fail('There is no relay.')
  return { fixture, counting }
}

const installations = { open: await openCounted('open'), invite: await openCounted('invite') }

for (const [mode, { fixture, counting }] of Object.entries(installations)) {
  /** The statements of each step of a visitor. */
  const statementsOf = async (email: string): Promise<string[][]> => {
    const visitor = newVisitor(fixture)
    const steps = [
      () => visitor.post('/portal/sign-up', { email, terms: 'accepted' }),
      () => visitor.get('/portal/sign-up/code'),
      () => visitor.post('/portal/sign-up/code', { code: '1234 5678' }),
      () => visitor.post('/portal/sign-up/code/send'),
    ]
    const all: string[][] = []
    for (const step of steps) {
      const { statements } = await counting().count(async () => void (await step()))
      all.push(statements)
    }
    return all
  }

  test(`runs the same statements for every address: ${mode}`, async () => {
    const [known, invited] = ['known@bakery.example', 'invited@bakery.example']
    await createOwnedProject(fixture, known)
    await signIn(fixture, known)
    const given = { email: invited, language: 'en', public_url: fixture.url } as const
    await people.inviteToSignUp(fixture.runtime, given)
    const unknown = await statementsOf('unknown@bakery.example')
    assert.ok(unknown.flat().length > 5)
    assert.deepEqual(await statementsOf(known), unknown)
    assert.deepEqual(await statementsOf(invited), unknown)
  })
}
