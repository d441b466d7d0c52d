/** Presenters of sites: each field of a reply is named here. */
import type { Config } from '../../kernel/config/config-types.ts'
import type { DeployedSite, Site } from './schema.ts'
import { toSiteUrl } from './address/slug.ts'
import type { ShownSite, SiteRow } from './store.ts'
import type { SiteFileList, Version } from './versions/version-schema.ts'
import type { VersionFile, VersionHead } from './versions/version-store.ts'

export function presentSite(row: ShownSite, config: Config): Site {
  return {
    id: row.id,
    slug: row.slug,
    url: toSiteUrl(config, row.label),
    preview_url: toSiteUrl(config, row.preview_label),
    title: row.title,
    status: row.status,
    status_reason: row.status_reason,
    visibility: row.visibility,
    spa: row.spa,
    version: row.live_version,
    revision: row.revision,
    files_count: row.files_count,
    bytes: Number(row.bytes),
    collections: row.collections,
    domains: [],
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    deployed_at: row.deployed_at.toISOString(),
    test: row.test,
  }
}

export function presentDeployed(row: ShownSite, config: Config): DeployedSite {
  return { ...presentSite(row, config), warnings: row.warnings }
}

export function presentVersion(
  row: VersionHead,
  { site, config }: { site: SiteRow; config: Config },
): Version {
  return {
    version: row.number,
    live: row.number === site.live_version,
    preview_url: toSiteUrl(config, row.preview_label),
    files_count: row.files_count,
    bytes: Number(row.bytes),
    collections: row.collections,
    warnings: row.warnings,
    created_at: row.created_at.toISOString(),
    test: row.test,
  }
}

export function presentFile(file: VersionFile): SiteFileList['data'][number] {
  return {
    path: file.path,
    sha256: file.sha256,
    bytes: file.bytes,
    content_type: file.content_type,
    media_id: file.media_id,
  }
}
