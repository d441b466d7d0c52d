/** What customers paid and got back, by day, for the chart of the owner. */
import { Type, type Static } from 'typebox'
import type { Caller } from '../../../contract/caller.ts'
import { nameSchema } from '../../../contract/schema/named.ts'
import { euroFromCents } from './amounts.ts'
import { closed, money } from './order-schema.ts'
import { readDays } from './revenue-store.ts'

const DAYS_SHOWN = 30
const DAY_MS = 86_400_000

export const RevenueQuery = closed({
  test: Type.Optional(
    Type.Boolean({ description: 'true: test orders. Default: those of the mode of the caller.' }),
  ),
})

export const Revenue = nameSchema(
  'Revenue',
  Type.Object({
    data: Type.Array(
      Type.Object({
        day: Type.String({ format: 'date', description: 'The day.', examples: ['2026-11-29'] }),
        orders: Type.Integer({ description: 'Orders that were paid.', examples: [12] }),
        paid_eur: money('What they paid, with VAT.', 108),
        refunded_eur: money('What of it was refunded since.', 9),
      }),
      { description: 'The days of the last 30 on which orders were paid, oldest first.' },
    ),
  }),
)
export type Revenue = Static<typeof Revenue>

export async function showRevenue(
  { db, project, mode, runtime }: Caller,
  { test = mode === 'test' }: Static<typeof RevenueQuery>,
): Promise<Revenue> {
  const { clock, config } = runtime
  const since = new Date(clock.now_ms() - DAYS_SHOWN * DAY_MS)
  const place = { project_id: project.id, test, since, timezone: config.billing_timezone }
  const rows = await readDays(db, place)
  return {
    data: rows.map(({ day, orders, paid_cents, refunded_cents }) => ({
      day,
      orders,
      paid_eur: euroFromCents(paid_cents),
      refunded_eur: euroFromCents(refunded_cents),
    })),
  }
}
