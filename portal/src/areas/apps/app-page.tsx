/** The page of one app: its requests, code, log, database, users and settings. */
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { ChartColumn } from 'lucide-react'
import { useState } from 'react'
import { useProjectScope } from '../../api/project-scope.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { useFormat } from '../../language/format.ts'
import { UnsavedGuard } from '../../shell/unsaved-guard.tsx'
import { Badge } from '../../ui/display/badge.tsx'
import { Card } from '../../ui/display/card.tsx'
import { Chart } from '../../ui/display/chart.tsx'
import { Facts } from '../../ui/display/facts.tsx'
import { Moment } from '../../ui/display/moment.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import { Tabs } from '../../ui/display/tabs.tsx'
import { useTab } from '../../ui/display/use-tab.ts'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { CodeTab } from './code-tab.tsx'
import { DatabaseTab } from './database-tab.tsx'
import { LogTab } from './log-tab.tsx'
import { appQuery, hoursQuery, type AppModule, type AppWithCode } from './queries.ts'
import { SettingsTab } from './settings-tab.tsx'
import { useAppTexts } from './texts.ts'
import { UsersTab } from './users-tab.tsx'

const tabNames = ['overview', 'code', 'log', 'database', 'users', 'settings'] as const

export function Page() {
  const { id } = useParams({ strict: false })
  const query = useQuery(appQuery(useProjectScope(), id ?? ''))
  return <QueryState query={query}>{(app) => <AppView key={app.id} app={app} />}</QueryState>
}

function AppView({ app }: { app: AppWithCode }) {
  const t = useAppTexts()
  const [tab, setTab] = useTab(tabNames)
  // Kept here, because a tab that is left is unmounted.
  const [draft, setDraft] = useState<AppModule[] | null>(null)
  const [sql, setSql] = useState('')
  const { id, name, url, version, modules } = app
  const is_changed = draft?.some(({ text }, index) => text !== modules[index]?.text) ?? false
  return (
    <>
      <title>{name}</title>
      <UnsavedGuard active={is_changed} />
      <PageHeader
        title={
          <span className="flex flex-wrap items-center gap-3 wrap-anywhere">
            {name}
            <Badge>{t('version', { number: version })}</Badge>
          </span>
        }
        about={
          <a href={url} target="_blank" rel="noreferrer" className="wrap-anywhere">
            {url}
          </a>
        }
      />
      <Tabs
        label={name}
        value={tab}
        onChange={setTab}
        tabs={[
          { value: 'overview', title: t('overview'), body: <Overview app={app} /> },
          { value: 'code', title: t('code'), body: <CodeTab {...{ app, draft, setDraft }} /> },
          { value: 'log', title: t('log'), body: <LogTab id={id} /> },
          {
            value: 'database',
            title: t('database'),
            body: <DatabaseTab {...{ id, sql, setSql }} />,
          },
          ...(app.auth
            ? [{ value: 'users' as const, title: t('users'), body: <UsersTab id={id} /> }]
            : []),
          { value: 'settings', title: t('settings'), body: <SettingsTab app={app} /> },
        ]}
      />
    </>
  )
}

function Overview({ app }: { app: AppWithCode }) {
  const t = useAppTexts()
  const format = useFormat()
  const named = (names: readonly string[]) => (names.length === 0 ? t('none') : names.join(', '))
  return (
    <div className="flex flex-col gap-6">
      <Card title={t('requests')} about={t('requests_about')}>
        <Requests id={app.id} />
      </Card>
      <Card>
        <Facts
          facts={[
            [
              t('deployed'),
              app.deployed_at === null ? (
                t('not_deployed')
              ) : (
                <Moment key="at" at={app.deployed_at} />
              ),
            ],
            [t('size'), format.bytes(app.bytes)],
            [t('database_size'), format.bytes(app.database_bytes)],
            [t('hosts'), named(app.allowed_hosts)],
            [t('collections'), named(app.collections)],
            [t('services'), named(app.services.map((one) => t(`service_${one}`)))],
            [
              t('sign_in'),
              app.auth ? app.auth.methods.map((one) => t(`way_${one}`)).join(', ') : t('off'),
            ],
          ]}
        />
      </Card>
    </div>
  )
}

function Requests({ id }: { id: string }) {
  const t = useAppTexts()
  const format = useFormat()
  const query = useQuery(hoursQuery(useProjectScope(), id))
  return (
    <QueryState query={query}>
      {(hours) => {
        if (hours.length === 0) {
          return (
            <EmptyState
              icon={<ChartColumn aria-hidden="true" />}
              title={t('no_requests')}
              about={t('no_requests_about')}
            />
          )
        }
        const days = lastDays()
        for (const { hour, requests, errors } of hours) {
          const sum = days.get(hour.slice(0, 10))
          if (!sum) continue
          sum.requests += requests
          sum.errors += errors
        }
        return (
          <Chart
            label={t('requests_about')}
            bars={[...days].map(([day, counts]) => ({ name: format.day(day), ...counts }))}
            series={[
              { key: 'requests', name: t('requests') },
              { key: 'errors', name: t('errors') },
            ]}
            grouped
            format={format.number}
          />
        )
      }}
    </QueryState>
  )
}

const DAYS = 7
const DAY_MS = 86_400_000

/** The last days without requests, oldest first. */
function lastDays(): Map<string, { requests: number; errors: number }> {
  const today_ms = Date.now()
  const days = Array.from({ length: DAYS }, (_, index) => today_ms - (DAYS - 1 - index) * DAY_MS)
  return new Map(
    days.map((day_ms) => [new Date(day_ms).toISOString().slice(0, 10), { requests: 0, errors: 0 }]),
  )
}
