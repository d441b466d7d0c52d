/**
 * Attempts an emitted event at once and ignores the pauses of a failing endpoint, so tests reach
 * any streak without moving the clock.
 */
import type { EventSource } from '../../../contract/events.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { attemptAndRecord } from './deliver.ts'
import { webhookTest } from '../events.ts'
import { createLease } from '../queue/claim.ts'
import * as store from '../store.ts'

const type = 'document.created'
const source: EventSource = { ...webhookTest, type }

interface Of {
  project_id: string
  endpoint_id: string
}

/** Makes the attempt. Does nothing if the endpoint is disabled. */
export async function attemptNow(runtime: Runtime, { project_id, endpoint_id }: Of): Promise<void> {
  const now = runtime.clock.now()
  const lease = createLease(now)
  const subject = { endpoint_id }
  const delivery = { id: newId(runtime.clock), endpoint_id }
  const claimed = await runtime.db.transact(async (tx) => {
    const endpoint = await store.lockEndpoint(tx, project_id, endpoint_id)
    if (!endpoint?.active) return null
    const event = {
      project_id,
      id: `evt_${newId(runtime.clock).replaceAll('-', '')}`,
      type,
      subject,
      subject_key: '[]',
      call_id: null,
      app_id: null,
      cause: [],
      created_at: now,
    } as const
    await store.insertLeased(tx, { event, delivery, lease })
    const { url, active, sealed_secret, previous_sealed_secret, previous_secret_until } = endpoint
    const sealed = { sealed_secret, previous_sealed_secret, previous_secret_until }
    const ids = { ...delivery, project_id, event_id: event.id, lease_token: lease.lease_token }
    return { ...ids, type, subject, created_at: now, url, active, ...sealed }
  })
  if (claimed) await attemptAndRecord(runtime, claimed, source)
}
