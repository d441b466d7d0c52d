/**
 * Addresses that pages of the portal had before. They lead to the page of today, because mails, chats
 * and bookmarks still contain them.
 */
import { PORTAL_APP_PATH } from '../../contract/manifest/portal-pages.ts'
import { isUuid } from '../../kernel/values/ids.ts'
import { readParameters, type Portal, type PortalVisit } from './visit.ts'

/** Pages that have another address than before. */
const renamed: Readonly<Record<string, string>> = { connections: 'keys#connections' }

/** Pages whose records have a page of their own. */
const withRecords: ReadonlySet<string> = new Set(['calls'])

export function addMovedPages(portal: Portal): void {
  portal.person('GET /portal', async () => ({ to: `${PORTAL_APP_PATH}/` }))
  for (const path of ['/portal/account', '/portal/account/*'] as const) {
    portal.open(`GET ${path}`, async () => ({ to: `${PORTAL_APP_PATH}/account` }))
  }
  for (const path of ['/portal/projects/:id', '/portal/projects/:id/*'] as const) {
    portal.open(`GET ${path}`, async (visit) => ({ to: toPresentPath(visit) }))
  }
}

/** The path of a project's page today, with the query of the request. */
function toPresentPath({ request, query }: PortalVisit): string {
  const { id = '', '*': rest = '' } = readParameters(request)
  if (!isUuid(id)) return `${PORTAL_APP_PATH}/`
  const [page = '', record = ''] = rest.split('/')
  const [name = '', hash] = (renamed[page] ?? page.replaceAll(/[^\w-]/g, '')).split('#')
  const kept = withRecords.has(page) && isUuid(record) ? [name, record] : [name]
  const path = ['', 'projects', id, ...kept.filter((part) => part !== '')].join('/')
  const asked = query.size === 0 ? '' : `?${query.toString()}`
  return `${PORTAL_APP_PATH}${path}${asked}${hash === undefined ? '' : `#${hash}`}`
}
