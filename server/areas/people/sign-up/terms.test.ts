/** Tests of the terms that people of an installation accept in the portal. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createOwnedProject } from '../../../../test/fixtures/portal/portal.ts'
import { newSession } from '../../../../test/fixtures/portal/sessions.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import * as people from '../service.ts'

const HOMEPORT_TERMS = 'https://homeport.example/terms'
const fixture = await openTestRuntime({
  work: false,
  settings: { HOMEPORT_TERMS, HOMEPORT_TERMS_VERSION: '2026-11' },
})
const { db } = fixture.runtime
let persons = 0

async function newMember() {
  const email = `member-${(persons += 1)}@bakery.example`
  await createOwnedProject(fixture, email)
  const session = await newSession(fixture, email)
  const termsOf = async () => (await session.call('GET /me')).body.terms
  return { email, termsOf, session }
}

describe('terms of the operator', () => {
  test('are to be accepted by a person who did not create their account', async () => {
    const { termsOf, session } = await newMember()
    const { version, url } = { version: '2026-11', url: HOMEPORT_TERMS }
    assert.deepEqual(await termsOf(), { version, url, accepted_before: false })
    const before_ms = fixture.clock.now_ms()
    const accepted = await session.call('PUT /me/terms', { body: { version } })
    assert.deepEqual([accepted.status, await termsOf()], [204, null])
    const { person } = (await session.call('GET /me')).body
    const row = await db
      .selectFrom('accepted_terms')
      .select(['version', 'accepted_at'])
      .where('person_id', '=', person.id)
      .executeTakeFirstOrThrow()
    assert.equal(row.version, version)
    assert.ok(row.accepted_at.getTime() >= before_ms)
  })

  test('are to be accepted again in a new version', async () => {
    const { termsOf, session } = await newMember()
    const { person } = (await session.call('GET /me')).body
    const before = { person_id: person.id, version: '2025-01', accepted_at: fixture.clock.now() }
    await db.transact((tx) => tx.insertInto('accepted_terms').values(before).execute())
    assert.equal((await termsOf()).accepted_before, true)
  })

  test('are not accepted in another version than the current one', async () => {
    const { termsOf, session } = await newMember()
    const answer = await session.call('PUT /me/terms', { body: { version: '2025-01' } })
    assert.deepEqual([answer.status, (await termsOf()).version], [409, '2026-11'])
  })

  test('do not apply to operators', async () => {
    const { email, termsOf } = await newMember()
    await people.setOperator(fixture.runtime, { email, is_operator: true })
    assert.equal(await termsOf(), null)
  })
})
