/** The outside services of an installation, by its settings. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { listRecipients } from './recipients.ts'

const fixture = await openTestRuntime({ work: false })
const { config } = fixture.runtime

test('lists no recipient if the installation uses no outside service', async () => {
  assert.deepEqual((await fixture.call('GET /retention')).body.recipients, [])
})

test('lists each service outside with what it gets', () => {
  const outside = {
    ...config,
    model: { ...config.model, provider: 'anthropic' as const },
    carrier: { ...config.carrier, provider: 'telnyx' as const },
    mail: { ...config.mail, provider: 'smtp' as const },
    payments: { ...config.payments, provider: 'stripe' as const },
    vat: { ...config.vat, provider: 'vies' as const },
    challenge: { ...config.challenge, provider: 'turnstile' as const },
    blobs: { ...config.blobs, address: 's3://files' },
  }
  assert.deepEqual(
    listRecipients(outside).map(({ provider }) => provider),
    ['anthropic', 'telnyx', 'smtp', 'stripe', 'vies', 'turnstile', 's3'],
  )
  assert.ok(listRecipients(outside).every(({ gets }) => gets.endsWith('.')))
})

test('names no address, account or key of a service', () => {
  const sent = { ...config.mail, provider: 'smtp' as const, url: 'smtp://user:secret@host.test' }
  assert.doesNotMatch(JSON.stringify(listRecipients({ ...config, mail: sent })), /secret|host/)
})
