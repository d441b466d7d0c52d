/** The page of the sites of a project. A folder dropped on the page is published. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Globe, Upload } from 'lucide-react'
import { useProjectScope } from '../../api/project-scope.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { Card } from '../../ui/display/card.tsx'
import { Moment } from '../../ui/display/moment.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import { DropArea } from '../../ui/forms/drop-area.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { DeployDialog } from './deploy/deploy-dialog.tsx'
import { usePick } from './deploy/draft.ts'
import { PickButtons, PickUnlisted } from './deploy/pick-buttons.tsx'
import { PublicNotice, useCannotBePublic } from './publish-public.tsx'
import { sitesQuery, type Site } from './queries.ts'
import { hostOf, SiteBadges } from './site-badges.tsx'
import { useSiteTexts } from './texts.ts'

export function Page() {
  const t = useSiteTexts()
  const scope = useProjectScope()
  const query = useQuery(sitesQuery(scope))
  const { onDrop } = usePick()
  const mayWrite = scope.may('member')
  const mayCreate = mayWrite && scope.project.access === null
  const cannotBePublic = useCannotBePublic()
  const isEmpty = query.data?.length === 0
  return (
    <DropArea label={t('drop')} disabled={!mayWrite} onDrop={onDrop}>
      <PageHeader
        title={t('title')}
        about={t('about')}
        actions={mayWrite && !isEmpty && <PickButtons />}
      />
      {mayCreate && cannotBePublic && (
        <div className="mb-6">
          <PublicNotice unlisted={<PickUnlisted />} />
        </div>
      )}
      <QueryState query={query}>
        {(sites) =>
          sites.length === 0 ? (
            <Card flush>
              <EmptyState
                icon={<Globe aria-hidden="true" />}
                title={t('empty')}
                about={t('empty_about')}
                action={mayCreate && <PickButtons />}
                sentence={t('sentence')}
              />
            </Card>
          ) : (
            <>
              <ul className="grid gap-5 sm:grid-cols-2 xl:grid-cols-3">
                {sites.map((site) => (
                  <SiteCard key={site.id} site={site} />
                ))}
              </ul>
              {mayWrite && (
                <p className="mt-6 flex items-center justify-center gap-2 text-sm text-faint max-lg:hidden">
                  <Upload className="size-4" aria-hidden="true" />
                  {t('drop_hint')}
                </p>
              )}
            </>
          )
        }
      </QueryState>
      <DeployDialog sites={query.data ?? []} mayCreate={mayCreate} />
    </DropArea>
  )
}

function SiteCard({ site }: { site: Site }) {
  const t = useSiteTexts()
  const { link } = useProjectScope()
  const { id, title, url, version, deployed_at, files_count } = site
  return (
    <li className="relative flex min-w-0 flex-col gap-5 rounded-xl border border-line bg-surface p-5 shadow-card transition-colors hover:border-line-strong">
      <div className="flex items-start gap-3.5">
        <span
          aria-hidden="true"
          className="grid size-10 shrink-0 place-items-center rounded-lg bg-accent-soft text-lg font-semibold text-accent uppercase"
        >
          {title.slice(0, 1)}
        </span>
        <div className="min-w-0 flex-1">
          <h2 className="truncate text-lg font-semibold tracking-tight">
            <Link
              to={link(`/sites/${id}`)}
              className="text-fg no-underline outline-none after:absolute after:inset-0 after:rounded-xl focus-visible:after:outline-2 focus-visible:after:outline-accent"
            >
              {title}
            </Link>
          </h2>
          <a
            href={url}
            target="_blank"
            rel="noreferrer"
            className="relative z-10 block truncate text-sm text-muted hover:text-accent"
          >
            {hostOf(url)}
          </a>
        </div>
      </div>
      <SiteBadges site={site} />
      <p className="mt-auto flex flex-wrap gap-x-2 border-t border-line pt-4 text-sm text-muted">
        {t('version_short', { version })}
        <span aria-hidden="true">·</span>
        {t('files_count', { count: files_count })}
        <span aria-hidden="true">·</span>
        <Moment at={deployed_at} />
      </p>
    </li>
  )
}
