/** SQL of second factors. */
import type { Transaction } from '../../../kernel/database/database.ts'

export async function setTotp(
  tx: Transaction,
  totp: { person_id: string; sealed_totp_secret: Buffer; totp_since: Date; totp_step: bigint },
): Promise<boolean> {
  const { person_id, ...set } = totp
  const row = await tx
    .updateTable('people')
    .set(set)
    .where('id', '=', person_id)
    .where('totp_since', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function clearTotp(tx: Transaction, person_id: string): Promise<void> {
  await tx
    .updateTable('people')
    .set({ sealed_totp_secret: null, totp_since: null, totp_step: null })
    .where('id', '=', person_id)
    .execute()
  await tx.deleteFrom('recovery_codes').where('person_id', '=', person_id).execute()
}

/** Consumes a TOTP time step. Returns false if this or a later step was consumed before. */
export async function consumeTotpStep(
  tx: Transaction,
  { person_id, step }: { person_id: string; step: bigint },
): Promise<boolean> {
  const row = await tx
    .updateTable('people')
    .set({ totp_step: step })
    .where('id', '=', person_id)
    .where('totp_step', '<', step)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export async function replaceRecoveryCodes(
  tx: Transaction,
  { person_id, macs }: { person_id: string; macs: readonly Buffer[] },
): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('person_id', '=', person_id).execute()
  await tx
    .insertInto('recovery_codes')
    .values(macs.map((mac) => ({ person_id, mac })))
    .execute()
}

/** Consumes a recovery code. Exactly one of two concurrent callers gets true. */
export async function consumeRecoveryCode(
  tx: Transaction,
  { person_id, mac, now }: { person_id: string; mac: Buffer; now: Date },
): Promise<boolean> {
  const row = await tx
    .updateTable('recovery_codes')
    .set({ used_at: now })
    .where('person_id', '=', person_id)
    .where('mac', '=', mac)
    .where('used_at', 'is', null)
    .returning('person_id')
    .executeTakeFirst()
  return row !== undefined
}
