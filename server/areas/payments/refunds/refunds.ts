/**
 * Refunds. One is accepted under the lock of its order, so that refunds together never exceed what was
 * paid; a job then makes it at the provider, with the id of the refund as idempotency key.
 */
import type { Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { note } from '../orders/advance.ts'
import { centsFromEuro, euroFromCents } from '../orders/amounts.ts'
import type { Refund, RefundInput } from '../orders/order-schema.ts'
import * as orders from '../orders/order-store.ts'
import { presentRefund } from '../orders/present.ts'
import { isRefundable } from '../orders/transitions.ts'
import { enqueueRefund } from './jobs.ts'
import * as store from './refund-store.ts'

export function refund(caller: Caller, id: string, input: RefundInput): Promise<Refund> {
  const { runtime, project, db } = caller
  return db.transact(async (tx) => {
    const order = await orders.lock(tx, { project_id: project.id, id })
    if (!order) throw new Problem('not_found', 'This project has no order with this id.')
    if (caller.mode === 'test' && !order.test) {
      throw new Problem('forbidden', 'A test key cannot refund a real order.')
    }
    const amount_cents = await readAmount(tx, order, input)
    const row = await store.insert(tx, {
      project_id: project.id,
      id: newId(runtime.clock),
      order_id: id,
      amount_cents,
      reason: input.reason ?? null,
      status: 'pending',
      created_at: runtime.clock.now(),
    })
    await note(tx, runtime, { row: order, event: 'refund_requested', amount_cents })
    await enqueueRefund(tx, runtime, row)
    const reply = presentRefund(row)
    if (caller.idempotency_key !== null) await caller.remember(tx, reply)
    return reply
  })
}

async function readAmount(
  tx: Transaction,
  order: orders.OrderRow,
  { amount_eur }: RefundInput,
): Promise<bigint> {
  if (!isRefundable(order.status)) {
    throw new Problem('conflict', `An order with the status ${order.status} cannot be refunded.`)
  }
  const refunds = await store.list(tx, order)
  if (refunds.length >= limits.order_refunds_max) {
    throw new Problem('conflict', `This order has ${refunds.length} refunds already.`)
  }
  const waiting = refunds.filter(({ status }) => status === 'pending')
  const waiting_cents = waiting.reduce((sum, { amount_cents }) => sum + amount_cents, 0n)
  const left_cents = order.amount_cents - order.refunded_cents - waiting_cents
  if (left_cents <= 0n) throw new Problem('conflict', 'Everything of this order is refunded.')
  if (amount_eur === undefined) return left_cents
  const cents = centsFromEuro(amount_eur)
  if (cents === null) throw refuse('must be in whole cents')
  if (BigInt(cents) > left_cents) {
    throw refuse(
      `must be at most ${euroFromCents(left_cents).toFixed(2)}, which is left of the order`,
    )
  }
  return BigInt(cents)
}

function refuse(message: string): Problem {
  return new Problem('validation_failed', `/amount_eur ${message}.`, {
    errors: [{ path: '/amount_eur', message }],
  })
}
