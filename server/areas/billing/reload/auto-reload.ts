/** The settings of automatic top-up, and the card that pays: what the owner decides. */
import assert from 'node:assert/strict'
import type { Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import type { MicroEuro } from '../../../kernel/values/money.ts'
import { isWholeCents } from '../../../providers/payments/payment-contract.ts'
import * as projects from '../../projects/service.ts'
import { orderCardReading, orderReload } from '../jobs.ts'
import * as store from './reload-store.ts'

/** What may be set. Amounts are in whole cents, because cards are charged in them. */
export const autoReloadBounds = {
  threshold_micro: { min: 0n, max: 10_000_000_000n },
  amount_micro: { min: 5_000_000n, max: 10_000_000_000n },
  max_per_month: { min: 1, max: 100 },
} as const

export interface AutoReloadChanges {
  /** True also forgets why it was turned off. */
  enabled?: boolean | undefined
  threshold_micro?: MicroEuro | undefined
  amount_micro?: MicroEuro | undefined
  max_per_month?: number | undefined
  /** The card, and whom it belongs to, as the payment provider names them; null takes it away. */
  card?: { payment_method: string; customer: string | null } | null | undefined
}

/**
 * Changes what is given. The project is one that pays for itself. A card is saved by its name
 * alone; the provider is asked about it by a job, and whether the balance is low already is seen
 * by another. That a card was confirmed with the bank is a fact of its own and stays as it is.
 */
export async function setAutoReload(
  tx: Transaction,
  runtime: Runtime,
  { project_id, ...changes }: AutoReloadChanges & { project_id: string },
): Promise<void> {
  const { card } = changes
  const settings = settingsOf(changes)
  if (Object.keys(settings).length === 0) return
  if (card !== undefined) await projects.setCard(tx, project_id, card !== null)
  await store.saveSettings(tx, project_id, settings)
  if (card) {
    await orderCardReading(tx, runtime, { project_id, payment_method: card.payment_method })
  }
  await orderReload(tx, runtime, project_id)
}

/** The columns of what is given. */
function settingsOf(changes: AutoReloadChanges): store.ReloadSettings {
  const { enabled, threshold_micro, amount_micro, max_per_month, card } = changes
  if (threshold_micro !== undefined) requireBounds('threshold_micro', threshold_micro)
  if (amount_micro !== undefined) {
    requireBounds('amount_micro', amount_micro)
    assert(isWholeCents(amount_micro), 'Cards are charged in cents.')
  }
  if (max_per_month !== undefined) requireBounds('max_per_month', max_per_month)
  return {
    ...(enabled === undefined ? {} : { reload_enabled: enabled }),
    ...(enabled === true ? { reload_disabled_reason: null } : {}),
    ...(threshold_micro === undefined ? {} : { reload_threshold_micro: threshold_micro }),
    ...(amount_micro === undefined ? {} : { reload_amount_micro: amount_micro }),
    ...(max_per_month === undefined ? {} : { reload_max_per_month: max_per_month }),
    ...(card === undefined ? {} : cardSettings(card)),
  }
}

function requireBounds(name: keyof typeof autoReloadBounds, value: bigint | number): void {
  const { min, max } = autoReloadBounds[name]
  assert(value >= min && value <= max, `${name} is from ${min} to ${max}.`)
}

/** What people see of a card is only known once the provider has been asked. */
function cardSettings(card: { payment_method: string; customer: string | null } | null) {
  return {
    payment_method: card?.payment_method ?? null,
    customer: card?.customer ?? null,
    card: null,
  }
}
