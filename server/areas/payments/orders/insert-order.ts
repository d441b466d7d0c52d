/** Stores a new order with its number, its timeline and its expiry. */
import type { Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { requireProvider } from '../account/account.ts'
import { enqueueExpiry } from '../pay/jobs.ts'
import { note } from './advance.ts'
import type { Draft } from './draft.ts'
import * as store from './order-store.ts'

export interface NewOrderFacts {
  project_id: string
  test: boolean
  draft: Draft
  payment_link_id?: string
  subscription_id?: string
  /** The language of the customer, if an earlier order of the subscription has it. */
  customer_language?: store.OrderRow['customer_language']
  /** Set for the order of a visitor, which holds its pieces in stock. */
  public_token_id?: string
}

/** Throws payment_account_missing if nobody can pay the order. */
export async function insertOrder(
  tx: Transaction,
  runtime: Runtime,
  { project_id, test, draft, ...from }: NewOrderFacts,
): Promise<store.OrderRow> {
  const { payment_link_id, subscription_id, public_token_id, customer_language } = from
  const mode = { project_id, test }
  const provider = await requireProvider(tx, mode)
  const row = await store.insert(tx, {
    ...mode,
    ...draft,
    items: JSON.stringify(draft.items),
    metadata: JSON.stringify(draft.metadata),
    id: newId(runtime.clock),
    number: await store.takeNumber(tx, mode),
    status: 'open',
    provider,
    payment_link_id: payment_link_id ?? null,
    subscription_id: subscription_id ?? null,
    public_token_id: public_token_id ?? null,
    customer_language: customer_language ?? null,
    stock: public_token_id === undefined ? null : 'held',
    refunded_cents: 0n,
    created_at: runtime.clock.now(),
  })
  await note(tx, runtime, { row, event: 'created' })
  await enqueueExpiry(tx, runtime, row)
  return row
}
