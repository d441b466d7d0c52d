/** The settings of automatic top-up and its card. */
import assert from 'node:assert/strict'
import type { Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import type { MicroEuro } from '../../../kernel/values/money.ts'
import { isWholeCents } from '../../../providers/payments/payment-contract.ts'
import * as projects from '../../projects/service.ts'
import { enqueueCardReading, enqueueReload } from '../jobs.ts'
import * as store from './reload-store.ts'

/** Permitted values. Amounts are in whole cents, because cards are charged in cents. */
export const autoReloadBounds = {
  threshold_micro: { min: 0n, max: 10_000_000_000n },
  amount_micro: { min: 5_000_000n, max: 10_000_000_000n },
  max_per_month: { min: 1, max: 100 },
} as const

export interface AutoReloadChanges {
  /** True also clears the reason why it was disabled. */
  enabled?: boolean | undefined
  threshold_micro?: MicroEuro | undefined
  amount_micro?: MicroEuro | undefined
  max_per_month?: number | undefined
  /** The ids of the card and its customer at the payment provider; null removes the card. */
  card?: { payment_method: string; customer: string | null } | null | undefined
}

/**
 * Changes the given settings of a project, which must be the live project of a pair. Stores only
 * the id of a card; jobs read its details from the provider and check whether the balance is low.
 * The flag that the bank confirmed a payment is stored separately and stays unchanged.
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
    await enqueueCardReading(tx, runtime, { project_id, payment_method: card.payment_method })
  }
  await enqueueReload(tx, runtime, project_id)
}

/** Returns the columns for the given changes. */
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

/** The displayed card details stay null until the provider has been asked. */
function cardSettings(card: { payment_method: string; customer: string | null } | null) {
  return {
    payment_method: card?.payment_method ?? null,
    customer: card?.customer ?? null,
    card: null,
  }
}
