/**
 * The state of the service. This version reads no outside status page, so it always makes its own
 * check: whether the database answers. It says so, and calls nothing operational that this
 * installation does not offer.
 */
import type { Visitor } from '../../contract/caller.ts'
import { isReachable } from '../../kernel/database/database.ts'
import { componentIds, type Status } from './schema.ts'

type ComponentId = (typeof componentIds)[number]

const names: Record<ComponentId, string> = {
  sites: 'Sites and apps',
  api: 'API',
  portal: 'Portal',
  phone: 'Phone',
  ai: 'Assistant',
  mail: 'Email',
  payments: 'Payments',
}
/** What works in this version; each area adds itself when it lands. */
const offered: ReadonlySet<ComponentId> = new Set(['api', 'phone', 'ai'])

export async function check({ runtime, db }: Visitor): Promise<Status> {
  const answers = await isReachable(db)
  const status = answers ? 'operational' : 'down'
  return {
    status,
    source: 'own_check',
    components: componentIds.map((id) => ({
      id,
      name: names[id],
      status: offered.has(id) ? status : 'not_in_use',
    })),
    incidents: [],
    status_page: runtime.config.status_url || `${runtime.config.public_url}/api/v1/status`,
    checked_at: runtime.clock.now().toISOString(),
    user_message: answers
      ? 'Everything works as far as the service can tell.'
      : 'The service has a problem at the moment and is being brought back.',
    next_step: answers
      ? 'If a request fails all the same, look at the type of its problem; a blocked network on your side is not an outage.'
      : 'Wait a few seconds, then try again.',
  }
}
