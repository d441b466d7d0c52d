/** The service's own check of its components, used if no status page replies. */
import { isReachable } from '../../kernel/database/database.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { probeProviders } from '../../providers/reach.ts'
import { shareResult } from './shared.ts'
import type { ComponentId, Health } from './schema.ts'

export type ComponentHealths = Readonly<Record<ComponentId, Health>>

/** A key that does not exist, to probe the blob store. */
const PROBED_KEY = 'status-probe'

/**
 * Probes the blob store and the providers. The result is shared for a time, because probing costs
 * requests.
 */
const probeOutside = shareResult(async (runtime: Runtime) => {
  const [files, providers] = await Promise.all([filesAnswer(runtime), probeProviders(runtime)])
  return { files, providers }
})

/**
 * Checks the health of each component. The database is probed each time, because everything needs
 * it.
 */
export async function checkComponents(runtime: Runtime): Promise<ComponentHealths> {
  const [database, { files, providers }] = await Promise.all([
    isReachable(runtime.db),
    probeOutside(runtime),
  ])
  const own = database ? 'operational' : 'down'
  const needing = (health: Health | null): Health =>
    health === null ? 'not_in_use' : database ? health : 'down'
  return {
    sites: needing(files ? 'operational' : 'degraded'),
    api: own,
    portal: own,
    phone: needing(providers.phone),
    ai: needing(providers.ai),
    mail: needing(providers.mail),
    payments: needing(providers.payments),
  }
}

async function filesAnswer({ blobs, log }: Runtime): Promise<boolean> {
  try {
    await blobs.size(PROBED_KEY)
    return true
  } catch (error) {
    log.warn({ err: error }, 'the store of files does not answer')
    return false
  }
}
