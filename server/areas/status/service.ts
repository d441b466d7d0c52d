/**
 * The state of the service: what the public status page reports, if one is configured and answers,
 * and otherwise the service's own check.
 */
import type { Visitor } from '../../contract/caller.ts'
import { checkComponents, type ComponentHealths } from './own-check.ts'
import { componentIds, componentNames, type ComponentId, type Status } from './schema.ts'
import { readStatusPage } from './status-page.ts'

export { checkComponents } from './own-check.ts'

type Overall = Status['status']

export async function showStatus({ runtime }: Visitor): Promise<Status> {
  const [page, own] = await Promise.all([readStatusPage(runtime), checkComponents(runtime)])
  const healths = { ...own, ...page?.healths }
  const status = overall(healths)
  return {
    status,
    source: page ? 'status_page' : 'own_check',
    components: componentIds.map((id) => ({ id, name: componentNames[id], status: healths[id] })),
    incidents: page?.incidents ?? [],
    status_page: runtime.config.status_url || `${runtime.config.public_url}/api/v1/status`,
    checked_at: runtime.clock.now().toISOString(),
    ...adviceFor(
      status,
      componentIds.filter((id) => isFaulty(healths, id)),
    ),
  }
}

const isFaulty = (healths: ComponentHealths, id: ComponentId) =>
  healths[id] === 'degraded' || healths[id] === 'down'

function overall(healths: ComponentHealths): Overall {
  if (healths.api === 'down') return 'down'
  return componentIds.some((id) => isFaulty(healths, id)) ? 'degraded' : 'operational'
}

function adviceFor(
  status: Overall,
  faulty: readonly ComponentId[],
): Pick<Status, 'user_message' | 'next_step'> {
  const names = faulty.map((id) => componentNames[id]).join(', ')
  switch (status) {
    case 'operational':
      return {
        user_message: 'Everything works as far as the service can tell.',
        next_step:
          'If a request fails all the same, look at the type of its problem; a blocked network on your side is not an outage.',
      }
    case 'degraded':
      return {
        user_message: `Not everything works at the moment: ${names}.`,
        next_step:
          'Tell the user if what they want needs one of these, and try that again in a few minutes. Everything else can go on.',
      }
    case 'down':
      return {
        user_message: 'The service has a problem at the moment and is being brought back.',
        next_step: 'Wait a few seconds, then try again.',
      }
  }
}
