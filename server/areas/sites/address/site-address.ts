/**
 * Public tokens follow their site: when the address of a site changes, tokens that allow the old
 * address allow the new one instead, and a token of a deleted site is revoked.
 */
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import * as publicTokens from '../../public-tokens/service.ts'
import { toSiteUrl } from './slug.ts'
import * as store from '../store.ts'

type Addressed = Pick<store.SiteRow, 'project_id' | 'id' | 'slug' | 'label'>

/** Must be called in the transaction that changes the address. */
export async function moveTokens(
  tx: Transaction,
  { config }: Runtime,
  { before, after }: { before: Addressed; after: Addressed },
): Promise<void> {
  if (before.label === after.label) return
  await publicTokens.moveOrigin(tx, after.project_id, {
    from: toSiteUrl(config, before.label),
    to: toSiteUrl(config, after.label),
  })
}

/** Must be called in the transaction that publishes a page with the token of the site. */
export function insertTokenOfSite(
  tx: Transaction,
  runtime: Runtime,
  { site, ...token }: { site: Addressed; token: string; has_chat: boolean; test: boolean },
): Promise<void> {
  return publicTokens.insertSiteToken(tx, runtime, {
    project_id: site.project_id,
    site_id: site.id,
    ...token,
    name: `Site ${site.slug}`,
    origin: toSiteUrl(runtime.config, site.label),
  })
}

export interface SiteOfOrigin {
  project_id: string
  id: string
  /** Origin of the main address of the site, also for a request to a version address. */
  origin: string
}

/** Finds the site by the origin of its main address or of a version address. */
export async function findSiteOfOrigin(
  db: Reader,
  { config }: Runtime,
  origin: string,
): Promise<SiteOfOrigin | null> {
  const end = `.${config.sites_domain}`
  const [, host = ''] = origin.split('://')
  if (!host.endsWith(end)) return null
  const label = host.slice(0, -end.length)
  if (toSiteUrl(config, label) !== origin) return null
  const site = await store.findByAnyLabel(db, label)
  if (!site) return null
  return { project_id: site.project_id, id: site.id, origin: toSiteUrl(config, site.label) }
}
