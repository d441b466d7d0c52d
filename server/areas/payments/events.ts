/** The payloads of order events, built at delivery. */
import { Type } from 'typebox'
import { Dropped, event, type SubjectInProject } from '../../contract/events.ts'
import type { EventType } from '../../contract/event-types.ts'
import { withDescription } from '../../contract/schema/shapes.ts'
import type { Reader } from '../../kernel/database/database.ts'
import { OrderFacts } from './orders/order-schema.ts'
import * as store from './orders/order-store.ts'
import { presentFacts } from './orders/present.ts'

type OrderSubject = { order_id: string }

function orderEvent(type: EventType, description: string) {
  return event({
    type,
    data: Type.Object({ order: withDescription(OrderFacts, description) }),
    async load(db: Reader, project_id: string, { order_id }: OrderSubject) {
      return dataOf(await store.find(db, { project_id, id: order_id }))
    },
    async loadMany(db: Reader, wanted: readonly SubjectInProject<OrderSubject>[]) {
      const keys = wanted.map(({ project_id, subject }) => ({ project_id, id: subject.order_id }))
      return (await store.findMany(db, keys)).map(dataOf)
    },
  })
}

function dataOf(row: store.OrderRow | undefined) {
  return row ? { order: presentFacts(row) } : new Dropped('order_deleted')
}

export const orderPaid = orderEvent('order.paid', 'The order that was paid.')
export const orderFailed = orderEvent('order.failed', 'The order that was not paid.')
export const orderExpired = orderEvent('order.expired', 'The order that was not paid in time.')
export const orderCanceled = orderEvent('order.canceled', 'The order that was not paid.')
export const orderRefunded = orderEvent('order.refunded', 'The order with what was refunded.')
export const orderChargedBack = orderEvent('order.charged_back', 'The order.')
