/**
 * Sealed values and MACs of the master key. A rotation rewrites the declared columns only, so a
 * sealed column that no area declares would become unreadable; a MAC whose purpose is in neither
 * list below would change with the master key unnoticed.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sealedColumns } from '../../../server/app.ts'
import { lastingPurposes } from '../../../server/kernel/secrets/lasting-mac-keys.ts'
import { withoutComments } from '../code.ts'
import { filesOf, isTest, readTree } from '../tree.ts'

/** Files that seal values, with the columns that store them; none: the value is not stored. */
const sealers: Record<string, readonly string[]> = {
  'server/areas/apps/database/app-database.ts': ['apps.sealed_database_password'],
  'server/areas/apps/secrets.ts': ['app_secrets.sealed_value'],
  'server/areas/connections/credentials.ts': ['oauth_records.sealed'],
  'server/areas/email/domains/domains.ts': [
    'sending_domains.sealed_dkim_key',
    'sending_domains.next_sealed_dkim_key',
  ],
  'server/areas/payments/account/account.ts': [
    'payment_accounts.sealed_key',
    'payment_accounts.sealed_callback_secret',
  ],
  'server/areas/people/factors/second-factor.ts': ['people.sealed_totp_secret'],
  'server/areas/people/sign-up/invitations.ts': ['jobs.payload'],
  'server/areas/verification/documents/declaration.ts': [
    'verification_declarations.sealed_content',
  ],
  'server/areas/verification/documents/encryption.ts': ['verification_documents.sealed_key'],
  'server/areas/webhooks/listener.ts': [],
  'server/areas/webhooks/service.ts': [
    'webhook_endpoints.sealed_secret',
    'webhook_endpoints.previous_sealed_secret',
  ],
  'server/kernel/secrets/lasting-mac-keys.ts': ['mac_keys.sealed_key'],
  'server/kernel/database/sealed/rotate-sealed.ts': [],
  // In tokens of links, and in no column.
  'server/kernel/secrets/sealed-links.ts': [],
}

/** Files whose MACs are accepted under the previous key until it is removed. */
const acceptedUnderBothKeys = [
  'server/areas/apps/users/sign-in.ts',
  'server/areas/calls/live/addresses.ts',
  'server/areas/messages/incoming/callback-url.ts',
  'server/areas/conversations/guests/conversation-token.ts',
  'server/areas/data/public/forms.ts',
  'server/areas/media/link.ts',
  'server/areas/credentials/passkey-challenge.ts',
  'server/areas/people/own/email-code.ts',
  'server/areas/verification/phone/phone.ts',
  'server/edges/mcp/questions/consent.ts',
  'server/edges/oauth/provider/provider.ts',
  'server/edges/portal/known-browser.ts',
  'server/edges/sites/password-gate.ts',
  'server/kernel/database/page.ts',
  'server/kernel/challenge.ts',
  'server/providers/checkout/builtin-checkout.ts',
]

const sources = filesOf(readTree(), /^server\/.*\.ts$/)
  .filter(([path]) => !isTest(path))
  .map(([path, text]) => ({ path, text, code: withoutComments(text) }))
const declared = new Set(sealedColumns.map(({ table, column }) => `${table}.${column}`))

test('every column named as sealed is declared by its area', () => {
  const tables = sources.find(({ path }) => path === 'server/kernel/database/tables.ts')
  assert.ok(tables)
  const found: string[] = []
  let table = ''
  for (const line of tables.text.split('\n')) {
    const name = /^export interface (\w+)Table/.exec(line)?.[1]
    if (name !== undefined) table = name.replaceAll(/(?<!^)(?=[A-Z])/g, '_').toLowerCase()
    const column = /^ {2}(\w*sealed\w*):/.exec(line)?.[1]
    if (column !== undefined) found.push(`${table}.${column}`)
  }
  assert.ok(found.length >= 4, 'The columns of tables.ts were not found.')
  assert.deepEqual(
    found.filter((column) => !declared.has(column)),
    [],
    'Declare the column in the manifest of its area: sealed: [{ table, column, purpose }].',
  )
})

test('every file that seals is listed with the declared columns of its values', () => {
  const sealing = sources.filter(({ code }) => /\bseal\.seal\(/.test(code))
  assert.deepEqual(
    sealing.map(({ path }) => path).toSorted(),
    Object.keys(sealers).toSorted(),
    'Declare where the sealed value is stored, and list the file above.',
  )
  const columns = Object.values(sealers).flat()
  assert.deepEqual(columns.toSorted(), [...declared].toSorted())
})

test('every MAC either outlives a rotation or is accepted under both keys', () => {
  const lasting = lastingPurposes.map((purpose) => `'${purpose}'`)
  const unknown = sources.filter(({ path, text, code }) => {
    if (path.startsWith('server/kernel/secrets/') && !path.endsWith('challenge.ts')) return false
    if (!/\.mac\(/.test(code) || acceptedUnderBothKeys.includes(path)) return false
    return !lasting.some((purpose) => text.includes(purpose))
  })
  assert.deepEqual(
    unknown.map(({ path }) => path),
    [],
    'Check the MAC with holdsUnderAnyKey, or add its purpose to lasting-mac-keys.ts.',
  )
})
