/** An overview of a site: its picture, its addresses and its live version. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ExternalLink, TriangleAlert } from 'lucide-react'
import { useProjectScope } from '../../api/project-scope.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { useFormat } from '../../language/format.ts'
import { useServerText } from '../../language/texts.ts'
import { Button } from '../../ui/actions/button.tsx'
import { CopyButton } from '../../ui/actions/copy-button.tsx'
import { Badge } from '../../ui/display/badge.tsx'
import { Card } from '../../ui/display/card.tsx'
import { Facts } from '../../ui/display/facts.tsx'
import { Moment } from '../../ui/display/moment.tsx'
import { versionsQuery, type Site } from './queries.ts'
import { hostOf } from './site-badges.tsx'
import { useSiteTexts } from './texts.ts'
import { SiteVisits } from './visits.tsx'

export interface SiteOverviewProps {
  site: Site
  onVersions(): void
}

export function SiteOverview({ site, onVersions }: SiteOverviewProps) {
  const t = useSiteTexts()
  const format = useFormat()
  const { url, preview_url, visibility, version, files_count, bytes, domains } = site
  return (
    <div className="grid gap-6 lg:grid-cols-2 lg:items-start">
      <Card title={t('live_version')}>
        <Facts
          facts={[
            [t('address'), <Address key="url" url={url} />],
            ...domains.map((name) => [t('domain'), name] as const),
            [t('preview'), <Address key="preview" url={preview_url} />],
            [t('visibility'), t(visibility)],
            [t('version'), format.number(version)],
            [t('files'), `${t('files_count', { count: files_count })} · ${format.bytes(bytes)}`],
            [t('deployed'), <Moment key="at" at={site.deployed_at} />],
            [t('created_at'), format.date(site.created_at)],
            [t('forms'), <Collections key="forms" names={site.collections} />],
          ]}
        />
      </Card>
      <div className="flex flex-col gap-6">
        <History site={site} onVersions={onVersions} />
        <Warnings site={site} />
      </div>
      <div className="min-w-0 lg:col-span-2">
        <SiteVisits site={site} />
      </div>
    </div>
  )
}

function Address({ url }: { url: string }) {
  return (
    <span className="-my-1.5 flex items-center gap-1">
      <a
        href={url}
        target="_blank"
        rel="noreferrer"
        className="min-w-0 truncate text-accent hover:underline"
      >
        {hostOf(url)}
      </a>
      <CopyButton text={url} />
    </span>
  )
}

/** Lists the collections to which the forms of the site post. */
function Collections({ names }: { names: readonly string[] }) {
  const t = useSiteTexts()
  const { link } = useProjectScope()
  if (names.length === 0) return <span className="text-faint">{t('no_forms')}</span>
  return (
    <span className="flex flex-wrap gap-x-3">
      {names.map((name) => (
        <Link key={name} to={link(`/data/${name}`)} className="text-accent hover:underline">
          {name}
        </Link>
      ))}
    </span>
  )
}

const SHOWN_MAX = 4

/** Lists the newest versions. */
function History({ site, onVersions }: SiteOverviewProps) {
  const t = useSiteTexts()
  const query = useQuery(versionsQuery(useProjectScope(), site.id))
  return (
    <Card
      title={t('history')}
      aside={
        <Button size="sm" onClick={onVersions}>
          {t('all_versions')}
        </Button>
      }
    >
      <QueryState query={query}>
        {(versions) => (
          <ol className="flex flex-col gap-3">
            {versions.slice(0, SHOWN_MAX).map(({ version, live, created_at, preview_url }) => (
              <li key={version} className="flex items-center gap-3">
                <span className="flex min-w-0 flex-1 items-center gap-2.5">
                  {t('version_short', { version })}
                  {live && (
                    <Badge tone="good" dot>
                      {t('status_live')}
                    </Badge>
                  )}
                </span>
                <span className="text-sm text-muted">
                  <Moment at={created_at} />
                </span>
                <a
                  href={preview_url}
                  target="_blank"
                  rel="noreferrer"
                  aria-label={t('preview_version', { version })}
                  className="text-faint hover:text-accent"
                >
                  <ExternalLink className="size-4" aria-hidden="true" />
                </a>
              </li>
            ))}
          </ol>
        )}
      </QueryState>
    </Card>
  )
}

function Warnings({ site }: { site: Site }) {
  const t = useSiteTexts()
  const said = useServerText()
  const { data } = useQuery(versionsQuery(useProjectScope(), site.id))
  const warnings = data?.find(({ live }) => live)?.warnings ?? []
  if (warnings.length === 0) return null
  return (
    <Card title={t('warnings')} about={t('warnings_about')}>
      <ul className="flex flex-col gap-2.5 text-sm">
        {warnings.map((warning) => (
          <li key={warning} className="flex gap-2.5">
            <TriangleAlert className="mt-0.5 size-4 shrink-0 text-warn" aria-hidden="true" />
            {said(warning)}
          </li>
        ))}
      </ul>
    </Card>
  )
}
