/** The names that the portal has for what the activity records. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { areas, operations, operatorOperations, peopleOperations } from '../../server/app.ts'

const folder = new URL('../../portal/src/areas/activity/', import.meta.url)

test('every change that the activity records has a name in words', () => {
  const named = ['operation-texts.ts', 'job-texts.ts']
    .map((file) => readFileSync(new URL(file, folder), 'utf8'))
    .join('')
  // They belong to no project, or derive texts from a change that is recorded itself.
  const unrecorded =
    /^(?:public_|me\.|own_invitations|sessions|passkeys|totp|recovery_codes|portal_|assistant\.try|jobs\.retry|people\.|status\.|backups\.|alerts\.|assistant\.read_website)/
  const changes = [...operations, ...peopleOperations, ...operatorOperations]
    .filter(({ effect }) => effect !== 'read')
    .map(({ name }) => name)
  const jobs = areas.flatMap((area) => (area.jobs ?? []).map(({ name }) => name))
  const nameless = [...changes, ...jobs].filter(
    (name) => !unrecorded.test(name) && !named.includes(`'${name.replace('.', '/')}'`),
  )
  assert.deepEqual(nameless, [])
})
