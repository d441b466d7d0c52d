/**
 * The addresses of the portal's pages, for links in mails, replies and texts. The pages themselves are
 * listed in portal/src/pages.ts.
 */
import type { Config } from '../../kernel/config/config-types.ts'

export const PORTAL_APP_PATH = '/portal/app'

type Installation = Pick<Config, 'public_url'>

/** The address of a page that belongs to no project, such as `/account`. */
export function toPortalUrl({ public_url }: Installation, page = '/'): string {
  return `${public_url}${PORTAL_APP_PATH}${page}`
}

/** The address of a page of a project, such as `/billing`; by default its home page. */
export function toProjectUrl(installation: Installation, project_id: string, page = ''): string {
  return toPortalUrl(installation, `/projects/${project_id}${page}`)
}
