/** Sets up a prepaid balance. */
import { randomUUID } from 'node:crypto'
import { microFromEuro } from '../server/kernel/values/money.ts'
import * as billing from '../server/areas/billing/service.ts'
import type { TestRuntime } from '../test/fixtures/runtime.ts'

export async function topUp({ runtime, project_id }: TestRuntime, euro: number): Promise<void> {
  await runtime.db.transact((tx) =>
    billing.topUp(tx, runtime, {
      project_id,
      amount_micro: microFromEuro(euro),
      source: 'payment',
      description: 'Top-up',
      reference: randomUUID(),
    }),
  )
}
