/** The page of one site: its overview, its versions and its settings. */
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { ExternalLink } from 'lucide-react'
import { useProjectScope } from '../../api/project-scope.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { ButtonAnchor } from '../../ui/actions/button.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import { Tabs } from '../../ui/display/tabs.tsx'
import { useTab } from '../../ui/display/use-tab.ts'
import { DropArea } from '../../ui/forms/drop-area.tsx'
import { ErrorState } from '../../ui/states/error-state.tsx'
import { DeployDialog } from './deploy/deploy-dialog.tsx'
import { usePick } from './deploy/draft.ts'
import { PickButtons } from './deploy/pick-buttons.tsx'
import { siteQuery, type Site } from './queries.ts'
import { SiteBadges } from './site-badges.tsx'
import { SiteOverview } from './site-overview.tsx'
import { SiteSettings } from './site-settings.tsx'
import { useSiteTexts } from './texts.ts'
import { Versions } from './versions/versions.tsx'

export function Page() {
  const { id } = useParams({ strict: false })
  const query = useQuery(siteQuery(useProjectScope(), id ?? ''))
  return <QueryState query={query}>{(site) => <SiteView site={site} />}</QueryState>
}

function SiteView({ site }: { site: Site }) {
  const t = useSiteTexts()
  const scope = useProjectScope()
  const { onDrop } = usePick()
  const [tab, setTab] = useTab(['overview', 'versions', 'settings'])
  const { title, url, status, status_reason } = site
  const mayDeploy = scope.may('member') && status === 'live'
  const settings = {
    value: 'settings',
    title: t('settings'),
    body: <SiteSettings site={site} />,
  } as const
  return (
    <DropArea label={t('drop_version')} disabled={!mayDeploy} onDrop={onDrop}>
      <title>{title}</title>
      <PageHeader
        title={
          <span className="flex flex-wrap items-center gap-3">
            {title}
            <SiteBadges site={site} />
          </span>
        }
        actions={
          <>
            <ButtonAnchor href={url} target="_blank" rel="noreferrer">
              <ExternalLink aria-hidden="true" />
              {t('visit')}
            </ButtonAnchor>
            {mayDeploy && <PickButtons />}
          </>
        }
      />
      {status !== 'live' && (
        <div className="mb-5">
          <ErrorState
            user_message={t(`${status}_about`)}
            next_step={status_reason}
            request_id={null}
          />
        </div>
      )}
      <Tabs
        label={t('parts')}
        value={tab}
        onChange={setTab}
        tabs={[
          {
            value: 'overview',
            title: t('overview'),
            body: <SiteOverview site={site} onVersions={() => setTab('versions')} />,
          },
          { value: 'versions', title: t('versions'), body: <Versions site={site} /> },
          ...(scope.may('member') ? [settings] : []),
        ]}
      />
      <DeployDialog sites={[site]} mayCreate={false} />
    </DropArea>
  )
}
