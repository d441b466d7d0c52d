/** SQL of used passkey challenges. */
import type { Transaction } from '../../kernel/database/database.ts'

/** Marks a challenge as used. Exactly one of several concurrent calls returns true. */
export async function consumeChallenge(
  tx: Transaction,
  challenge: { hash: Buffer; expires_at: Date },
): Promise<boolean> {
  const row = await tx
    .insertInto('spent_passkey_challenges')
    .values(challenge)
    .onConflict((conflict) => conflict.doNothing())
    .returning('hash')
    .executeTakeFirst()
  return row !== undefined
}
