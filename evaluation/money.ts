/** Money for stages: a prepaid balance that somebody paid for. */
import { randomUUID } from 'node:crypto'
import { microFromEuro } from '../server/kernel/money.ts'
import * as billing from '../server/areas/billing/service.ts'
import type { TestHouse } from '../test/ground/house.ts'

export async function topUp({ house, project_id }: TestHouse, euro: number): Promise<void> {
  await house.db.transact((tx) =>
    billing.topUp(tx, house, {
      project_id,
      amount_micro: microFromEuro(euro),
      source: 'payment',
      description: 'Top-up',
      reference: randomUUID(),
    }),
  )
}
