/**
 * The data of the balance events. Each is built from immutable columns of the row that caused the
 * event, so a retry two days later sends the same data.
 */
import assert from 'node:assert/strict'
import { event } from '../../contract/events.ts'
import { presentLow, presentReloadFailed, presentToppedUp } from './present.ts'
import { BalanceLow, BalanceReloadFailed, BalanceToppedUp } from './schema.ts'
import * as reloads from './reload/reload-store.ts'
import * as store from './store.ts'

export const balanceLow = event({
  type: 'balance.low',
  data: BalanceLow,
  load: async (db, project_id, { transaction_id }: { transaction_id: string }) => {
    const row = await store.findTransaction(db, project_id, transaction_id)
    assert(row && row.crossed_threshold_micro !== null, 'Entries of the ledger stay as they are.')
    return presentLow(row, row.crossed_threshold_micro)
  },
})

export const balanceToppedUp = event({
  type: 'balance.topped_up',
  data: BalanceToppedUp,
  load: async (db, project_id, { transaction_id }: { transaction_id: string }) => {
    const row = await store.findTransaction(db, project_id, transaction_id)
    assert(row, 'Entries of the ledger stay as they are.')
    return presentToppedUp(row)
  },
})

export const balanceReloadFailed = event({
  type: 'balance.reload_failed',
  data: BalanceReloadFailed,
  load: async (db, project_id, { reload_id }: { reload_id: string }) => {
    const row = await reloads.findReload(db, project_id, reload_id)
    assert(row?.ended_at, 'A reload that failed stays there.')
    const { amount_micro, ended_at } = row
    // The reason is cleared only if a top-up that was given up is paid late.
    const failed_reason = row.failed_reason ?? 'provider_unavailable'
    return presentReloadFailed({ amount_micro, failed_reason, ended_at })
  },
})
