/** Incidents and maintenance of the public status page. */
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { CalendarClock, ExternalLink, Megaphone, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { ListTable } from '../../../api/list-table.tsx'
import { Button, ButtonAnchor } from '../../../ui/actions/button.tsx'
import { Card } from '../../../ui/display/card.tsx'
import { Moment } from '../../../ui/display/moment.tsx'
import { PageHeader } from '../../../ui/display/page-header.tsx'
import type { Column } from '../../../ui/display/table.tsx'
import { IncidentDrawer, type Prepared } from './incident-drawer.tsx'
import { Proposals } from './proposals.tsx'
import { incidentsQuery, statusPageQuery, type Incident, type NewIncident } from './queries.ts'
import { emptyIncident, PlanDialog, ReportDialog } from './report-dialog.tsx'
import { StateBadge } from './state-badge.tsx'
import { useIncidentTexts } from './texts.ts'

interface Opened {
  id: string
  prepared: Prepared | null
}

export function Page() {
  const t = useIncidentTexts()
  const [report, setReport] = useState<NewIncident | null>(null)
  const [isPlanning, setPlanning] = useState(false)
  const [opened, setOpened] = useState<Opened | null>(null)
  const query = useInfiniteQuery(incidentsQuery)
  const rows = query.data?.pages.flatMap(({ data }) => data)
  const open = ({ id }: Incident) => setOpened({ id, prepared: null })
  return (
    <>
      <PageHeader
        title={t('title')}
        about={t('about')}
        actions={
          <>
            <Button onClick={() => setPlanning(true)}>
              <CalendarClock aria-hidden="true" />
              {t('plan')}
            </Button>
            <Button kind="primary" onClick={() => setReport(emptyIncident)}>
              <Megaphone aria-hidden="true" />
              {t('report')}
            </Button>
          </>
        }
      />
      <div className="flex flex-col gap-6">
        <PublicPage />
        <Proposals onReport={setReport} onResolve={(id, prepared) => setOpened({ id, prepared })} />
        <Card flush title={t('all')}>
          <ListTable
            query={query}
            label={t('all')}
            more={t('more')}
            columns={useColumns(open)}
            icon={<Megaphone aria-hidden="true" />}
            empty={{ title: t('none'), about: t('none_about') }}
            onOpen={open}
          />
        </Card>
      </div>
      <ReportDialog first={report} onClose={() => setReport(null)} />
      <PlanDialog open={isPlanning} onClose={() => setPlanning(false)} />
      <IncidentDrawer
        key={opened?.id}
        incident={rows?.find(({ id }) => id === opened?.id) ?? null}
        prepared={opened?.prepared ?? null}
        onClose={() => setOpened(null)}
      />
    </>
  )
}

/** Links to the public status page, and warns if the settings name an external one. */
function PublicPage() {
  const t = useIncidentTexts()
  const { data } = useQuery(statusPageQuery)
  if (data === undefined) return null
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      {!data.is_own && (
        <p className="flex basis-full items-start gap-2 rounded-lg bg-warn-soft px-4 py-3 text-warn">
          <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden="true" />
          {t('external')}
        </p>
      )}
      <ButtonAnchor href={data.url} target="_blank" rel="noreferrer" size="sm">
        <ExternalLink aria-hidden="true" />
        {t('open_page')}
      </ButtonAnchor>
      <span className="text-muted">{t('subscribers', { count: data.subscribers })}</span>
    </div>
  )
}

function useColumns(onOpen: (row: Incident) => void): Column<Incident>[] {
  const t = useIncidentTexts()
  return [
    {
      id: 'incident',
      title: t('incident'),
      cell: (row) => (
        <button type="button" onClick={() => onOpen(row)} className="group text-left">
          <span className="block font-medium break-words group-hover:text-accent">{row.title}</span>
          <span className="block text-sm text-muted">
            {row.kind === 'maintenance' ? t('maintenance') : t(`impact_${row.impact}`)}
          </span>
        </button>
      ),
    },
    { id: 'state', title: t('state'), cell: (row) => <StateBadge incident={row} /> },
    {
      id: 'began',
      title: t('began'),
      align: 'right',
      from: 'sm',
      cell: ({ started_at }) => <Moment at={started_at} />,
    },
  ]
}
