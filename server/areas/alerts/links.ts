/** The page that shows an operator the cause of an alert. */
import { toPortalUrl } from '../../contract/manifest/portal-pages.ts'
import type { Config } from '../../kernel/config/config-types.ts'
import type { AlertKind } from './condition.ts'

/** Paths in the operator console; null means the guide. */
const pages: Readonly<Record<AlertKind, string | null>> = {
  provider: '/operator',
  queue: '/operator',
  failed_jobs: '/operator',
  disk: null,
  certificate: null,
  backup: '/operator/backups',
}

export function pageOf(kind: AlertKind, config: Pick<Config, 'public_url'>): string {
  const page = pages[kind]
  return page === null
    ? `${config.public_url}/docs/guides/operating#alerts`
    : toPortalUrl(config, page)
}
