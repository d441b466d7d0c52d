/**
 * Reads amounts that people enter. They must be whole cents, because a card is charged in cents.
 */
import { Problem } from '../../contract/errors.ts'
import { microFromEuro, type MicroEuro } from '../../kernel/values/money.ts'
import { isWholeCents } from '../../providers/payments/payment-contract.ts'

export function readCents(path: string, euro: number): MicroEuro {
  const micro = microFromEuro(euro)
  if (isWholeCents(micro)) return micro
  const message = 'must be in whole cents'
  throw new Problem('validation_failed', `${path} ${message}.`, { errors: [{ path, message }] })
}
