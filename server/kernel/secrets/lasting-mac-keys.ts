/**
 * Keys of MACs that outlive a rotation of the master key: their texts are stored as hashes only, or
 * are in pages and mails that nobody replaces, so they cannot be issued again under a new key. The
 * keys are derived from the first master key and stored sealed; a rotation seals them again. Every
 * other MAC changes with the master key.
 */
import type { Database } from '../database/database.ts'
import { createSeal, deriveMacKey, keyIdOf, type Seal } from './crypto.ts'
import { MissingMasterKey } from './missing-master-key.ts'
import type { SealedColumn } from '../database/sealed/sealed-columns.ts'

export const lastingPurposes = [
  // Recovery codes of the second factor are stored as MACs.
  'people.code',
  // The link in every mail to a subscriber of the status page.
  'status subscription',
  // The token is in published pages, and only its hash is stored.
  'site-public-token',
  // The link is in mails and replies, and only its hash is stored.
  'site-appeal',
  // Developers store the signing secret of `listen`.
  'webhook-listener',
  // Operators store the signing secret of alerts.
  'alert-webhook',
  // Recognizes a form that a visitor sends twice.
  'form-submission',
  // Recognizes an order that a visitor of a website sends twice.
  'shop-order',
  // The envelope sender of sent emails, to which bounces come for days.
  'email-return-path',
  // The link is in mails and on pages of the business.
  'checkout-page',
  // Other programs store the secret that signs their requests to an agent.
  'agent-url',
  // The link is printed as a QR code.
  'payment-link',
  // The links are in mails to customers.
  'invoice-page',
  'subscription-page',
  // Processes with the old and the new key wake each other during a rotation.
  'wakeup-channel',
] as const

export const sealedMacKeys: SealedColumn = {
  table: 'mac_keys',
  column: 'sealed_key',
  reads: ['purpose'],
  purpose: ({ purpose = '' }) => purposeOf(purpose),
}

const purposeOf = (purpose: string) => `mac-key ${purpose}`

export interface MasterSecrets {
  current: string
  /** Empty without a rotation. */
  previous: string
}

/** Opens the seal of an installation. Throws MissingMasterKey if a stored key needs another key. */
export async function openSeal(db: Database, { current, previous }: MasterSecrets): Promise<Seal> {
  const seal = createSeal(current, { previous })
  const known = await readKeys(db, seal)
  const missing = lastingPurposes.filter((purpose) => !known.has(purpose))
  if (missing.length > 0) {
    // Existing MACs are of the previous key, if this version is installed during a rotation.
    const first = previous || current
    await insertKeys(db, seal, new Map(missing.map((one) => [one, deriveMacKey(first, one)])))
  }
  const lasting = missing.length > 0 ? await readKeys(db, seal) : known
  return createSeal(current, { previous, lasting })
}

async function readKeys(db: Database, seal: Seal): Promise<Map<string, Buffer>> {
  const rows = await db.selectFrom('mac_keys').select(['purpose', 'sealed_key']).execute()
  return new Map(
    rows.map(({ purpose, sealed_key }) => {
      const key_id = keyIdOf(sealed_key) ?? ''
      if (key_id !== seal.key_id && key_id !== seal.previous?.key_id)
        throw new MissingMasterKey([key_id], rows.length)
      return [purpose, Buffer.from(seal.open(sealed_key, purposeOf(purpose)), 'hex')]
    }),
  )
}

/** Several processes may start at once: the first one decides. */
async function insertKeys(db: Database, seal: Seal, keys: Map<string, Buffer>): Promise<void> {
  const rows = [...keys].map(([purpose, key]) => ({
    purpose,
    sealed_key: seal.seal(key.toString('hex'), purposeOf(purpose)),
  }))
  await db.transact((tx) =>
    tx
      .insertInto('mac_keys')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute(),
  )
}
