/** Backups of the installation: the newest, the next, restore tests, and all of them. */
import { useQuery } from '@tanstack/react-query'
import { DatabaseBackup } from 'lucide-react'
import { useAct } from '../../../api/mutations.tsx'
import { QueryState } from '../../../api/query-state.tsx'
import { useFormat } from '../../../language/format.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { Card } from '../../../ui/display/card.tsx'
import { Chart } from '../../../ui/display/chart.tsx'
import { PageHeader } from '../../../ui/display/page-header.tsx'
import { StatCard } from '../../../ui/display/stat-card.tsx'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import { BackupTable } from './backup-table.tsx'
import { backUpNow, backupsKey, backupsQuery, testNewest, type Backups } from './queries.ts'
import { useBackupTexts } from './texts.ts'

const DAY_MS = 86_400_000
const BARS = 30

export function Page() {
  const t = useBackupTexts()
  const query = useQuery(backupsQuery)
  return (
    <>
      <PageHeader
        title={t('title')}
        about={t('about')}
        actions={query.data?.enabled === true && <Actions />}
      />
      <QueryState query={query}>
        {(backups) => (backups.enabled ? <Content backups={backups} /> : <Off />)}
      </QueryState>
    </>
  )
}

function Actions() {
  const t = useBackupTexts()
  const back_up = useAct({ run: backUpNow, done: t('asked'), refresh: [backupsKey] })
  const test = useAct({ run: testNewest, done: t('verify_asked'), refresh: [backupsKey] })
  return (
    <>
      <Button busy={test.isPending} onClick={() => test.mutate(undefined)}>
        {t('verify')}
      </Button>
      <Button kind="primary" busy={back_up.isPending} onClick={() => back_up.mutate(undefined)}>
        {t('now')}
      </Button>
    </>
  )
}

function Off() {
  const t = useBackupTexts()
  return (
    <Card flush>
      <EmptyState
        icon={<DatabaseBackup aria-hidden="true" />}
        title={t('off')}
        about={t('off_about')}
      />
    </Card>
  )
}

function Content({ backups }: { backups: Backups }) {
  const t = useBackupTexts()
  if (backups.data.length === 0)
    return (
      <Card flush>
        <EmptyState
          icon={<DatabaseBackup aria-hidden="true" />}
          title={t('none')}
          about={t('none_about')}
        />
      </Card>
    )
  return (
    <div className="flex flex-col gap-6">
      <Figures backups={backups} />
      <Sizes backups={backups} />
      <Card title={t('list')} flush>
        <BackupTable backups={backups.data} />
      </Card>
    </div>
  )
}

function Figures({ backups: { data, next_at, test_days } }: { backups: Backups }) {
  const t = useBackupTexts()
  const format = useFormat()
  const newest = data.find(({ state }) => state === 'complete')
  const tested = data.find(({ tested_at }) => tested_at !== null)
  const is_overdue = newest === undefined || Date.now() - Date.parse(newest.started_at) > DAY_MS
  const result = tested?.test_error === null ? t('test_passed') : t('test_failed')
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      <StatCard
        label={t('newest')}
        value={newest === undefined ? t('newest_none') : format.ago(newest.started_at)}
        note={
          is_overdue ? (
            <span className="text-bad">{t('overdue')}</span>
          ) : (
            format.bytes(newest.bytes ?? 0)
          )
        }
      />
      <StatCard
        label={t('next')}
        value={next_at === null ? '–' : format.time(next_at)}
        note={next_at === null ? undefined : format.date(next_at)}
      />
      <StatCard
        label={t('test')}
        value={tested === undefined ? t('test_none') : result}
        note={
          tested?.test_error ??
          (test_days === 0 ? t('test_off') : t('test_every', { count: test_days }))
        }
      />
    </div>
  )
}

function Sizes({ backups: { data } }: { backups: Backups }) {
  const t = useBackupTexts()
  const format = useFormat()
  const bars = data
    .filter(({ bytes }) => bytes !== null)
    .slice(0, BARS)
    .toReversed()
    .map(({ started_at, bytes }) => ({ name: format.date(started_at), bytes: bytes ?? 0 }))
  if (bars.length < 2) return null
  return (
    <Card title={t('sizes')}>
      <Chart
        label={t('sizes')}
        bars={bars}
        series={[{ key: 'bytes', name: t('size') }]}
        format={format.bytes}
      />
    </Card>
  )
}
