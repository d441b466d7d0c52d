/** The backups, newest first. */
import { useFormat } from '../../../language/format.ts'
import { Badge } from '../../../ui/display/badge.tsx'
import { Moment } from '../../../ui/display/moment.tsx'
import { Table, type Column } from '../../../ui/display/table.tsx'
import type { Backup } from './queries.ts'
import { useBackupTexts } from './texts.ts'

const tones = { complete: 'good', running: 'info', failed: 'bad' } as const

export function BackupTable({ backups }: { backups: readonly Backup[] }) {
  const t = useBackupTexts()
  const format = useFormat()
  const columns: Column<Backup>[] = [
    {
      id: 'name',
      title: t('name'),
      cell: ({ name, started_at, error }) => (
        <>
          <Moment at={started_at} />
          <span className="block font-mono text-xs wrap-anywhere text-muted">{name}</span>
          {error !== null && <span className="block text-sm text-bad">{error}</span>}
        </>
      ),
      sortBy: ({ started_at }) => started_at,
    },
    {
      id: 'state',
      title: t('state'),
      cell: ({ state }) => <Badge tone={tones[state]}>{t(state)}</Badge>,
    },
    {
      id: 'size',
      title: t('size'),
      align: 'right',
      cell: ({ bytes }) => (bytes === null ? '–' : format.bytes(bytes)),
      sortBy: ({ bytes }) => bytes ?? 0,
    },
    {
      id: 'took',
      title: t('took'),
      align: 'right',
      from: 'md',
      cell: ({ started_at, finished_at }) =>
        finished_at === null ? '–' : writeSeconds(started_at, finished_at),
    },
    {
      id: 'tested',
      title: t('tested'),
      from: 'md',
      cell: ({ tested_at, test_error }) =>
        tested_at !== null && (
          <>
            <Badge tone={test_error === null ? 'good' : 'bad'}>
              {t(test_error === null ? 'test_passed' : 'test_failed')}
            </Badge>
            {test_error !== null && <span className="block text-sm text-bad">{test_error}</span>}
          </>
        ),
    },
  ]
  return <Table label={t('list')} columns={columns} rows={backups} keyOf={({ name }) => name} />
}

function writeSeconds(started_at: string, finished_at: string): string {
  const seconds = (Date.parse(finished_at) - Date.parse(started_at)) / 1000
  return seconds < 60 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`
}
