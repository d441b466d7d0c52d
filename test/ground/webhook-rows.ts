/** Rows of webhooks for tests that begin behind the front door: none, or endpoints where nobody is. */
import { sql, type Insertable } from 'kysely'
import { insertEndpoint } from '../../server/areas/webhooks/store.ts'
import type { Transaction } from '../../server/kernel/database.ts'
import type { House } from '../../server/kernel/house.ts'
import { newId } from '../../server/kernel/ids.ts'
import type { WebhookEndpointsTable } from '../../server/kernel/tables.ts'

type Row = Insertable<WebhookEndpointsTable>

/** Takes away every endpoint, delivery and event. */
export async function emptyWebhooks(tx: Transaction): Promise<void> {
  await sql`truncate webhook_endpoints, webhook_deliveries, webhook_attempts, events`.execute(tx)
}

export function putEndpoint(
  tx: Transaction,
  { clock, seal }: Pick<House, 'clock' | 'seal'>,
  row: Partial<Row> & Pick<Row, 'project_id' | 'events'>,
) {
  return insertEndpoint(tx, {
    id: newId(clock),
    url: 'http://127.0.0.1:9/hooks',
    sealed_secret: seal.seal('whsec_x', 'webhook-secret'),
    secret_prefix: 'whsec_x',
    created_at: clock.now(),
    ...row,
  })
}
