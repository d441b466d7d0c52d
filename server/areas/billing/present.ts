/** Presenters of billing: each field of a reply is named here. */
import { euroFromMicro } from '../../kernel/values/money.ts'
import { autoReloadDefaults, sumSpent } from './ledger/ledger.ts'
import { mayReload } from './reload/reload.ts'
import type {
  Balance,
  BalanceLow,
  BalanceReloadFailed,
  BalanceToppedUp,
  LedgerTransaction,
} from './schema.ts'
import type { BalanceRow, TransactionRow } from './store.ts'

export function presentTransaction(row: TransactionRow): LedgerTransaction {
  const isTopUp = row.kind === 'top_up'
  return {
    id: row.id,
    type: isTopUp ? 'top_up' : 'charge',
    source: row.source,
    amount_eur: euroFromMicro(isTopUp ? row.amount_micro : -row.amount_micro),
    balance_after_eur: euroFromMicro(row.balance_after_micro),
    description: row.description,
    quantity: row.quantity,
    unit: row.unit,
    reference_id: row.reference_id,
    created_at: row.created_at.toISOString(),
  }
}

export interface BalanceFacts {
  balance: BalanceRow
  transactions: readonly TransactionRow[]
  /** Whether payments are possible: a payment provider is configured. */
  can_take: boolean
  test: boolean
}

export function presentBalance({
  balance: row,
  transactions,
  can_take,
  test,
}: BalanceFacts): Balance {
  const spent_micro = sumSpent({
    charged_micro: row.charged_micro ?? 0n,
    held_micro: row.held_micro ?? 0n,
  })
  return {
    balance_eur: euroFromMicro(row.prepaid_micro ?? 0n),
    currency: 'EUR',
    spent_this_month_eur: euroFromMicro(spent_micro),
    spend_cap_eur: row.cap_micro === null ? null : euroFromMicro(row.cap_micro),
    auto_reload: presentAutoReload(row, can_take),
    transactions: transactions.map(presentTransaction),
    test,
  }
}

function presentAutoReload(row: BalanceRow, can_take: boolean): Balance['auto_reload'] {
  const { card } = row
  return {
    enabled: row.reload_enabled ?? autoReloadDefaults.enabled,
    active: can_take && mayReload(row),
    threshold_eur: euroFromMicro(row.reload_threshold_micro ?? autoReloadDefaults.threshold_micro),
    amount_eur: euroFromMicro(row.reload_amount_micro ?? autoReloadDefaults.amount_micro),
    max_per_month: row.reload_max_per_month ?? autoReloadDefaults.max_per_month,
    used_this_month: Number(row.reloads_used ?? 0n),
    disabled_reason: row.reload_disabled_reason,
    card: card && { brand: card.brand, last4: card.last4, expiry: card.expiry },
  }
}

export function presentLow(row: TransactionRow, threshold_micro: bigint): BalanceLow {
  return {
    balance_eur: euroFromMicro(row.balance_after_micro),
    currency: 'EUR',
    threshold_eur: euroFromMicro(threshold_micro),
    transaction: presentTransaction(row),
  }
}

export function presentToppedUp(row: TransactionRow): BalanceToppedUp {
  return {
    balance_eur: euroFromMicro(row.balance_after_micro),
    currency: 'EUR',
    transaction: presentTransaction(row),
  }
}

export interface FailedReload {
  amount_micro: bigint
  failed_reason: BalanceReloadFailed['reason']
  ended_at: Date
}

export function presentReloadFailed(failed: FailedReload): BalanceReloadFailed {
  return {
    amount_eur: euroFromMicro(failed.amount_micro),
    currency: 'EUR',
    reason: failed.failed_reason,
    occurred_at: failed.ended_at.toISOString(),
  }
}
