/** The runs of an agent, newest first. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { History } from 'lucide-react'
import { InfiniteList } from '../../../api/infinite-list.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { useTexts } from '../../../language/texts.ts'
import { Badge } from '../../../ui/display/badge.tsx'
import { Moment } from '../../../ui/display/moment.tsx'
import { Table, type Column } from '../../../ui/display/table.tsx'
import { EmptyState } from '../../../ui/states/empty-state.tsx'
import { runsQuery, type ListedRun } from '../queries.ts'
import { RunBadge } from '../state.tsx'
import { agentTexts } from '../texts.ts'
import { secondsOf } from './run-facts.ts'

export interface RunListProps {
  agent_id: string
  onOpen(id: string): void
}

export function RunList({ agent_id, onOpen }: RunListProps) {
  const t = useTexts(agentTexts)
  const query = useInfiniteQuery(runsQuery(useProjectScope(), agent_id))
  const empty = (
    <EmptyState
      icon={<History aria-hidden="true" />}
      title={t('runs_empty')}
      about={t('runs_empty_about')}
    />
  )
  return (
    <InfiniteList query={query} more={t('more')} empty={empty}>
      {(rows) => <RunTable rows={rows} onOpen={onOpen} />}
    </InfiniteList>
  )
}

function RunTable({ rows, onOpen }: { rows: readonly ListedRun[]; onOpen(id: string): void }) {
  const t = useTexts(agentTexts)
  const columns: Column<ListedRun>[] = [
    {
      id: 'when',
      title: t('when'),
      sortBy: ({ created_at }) => created_at,
      cell: ({ id, created_at }) => (
        <button type="button" onClick={() => onOpen(id)} className="font-medium hover:text-accent">
          <Moment at={created_at} />
        </button>
      ),
    },
    { id: 'by', title: t('by'), from: 'sm', cell: ({ trigger }) => t(`by_${trigger.type}`) },
    {
      id: 'status',
      title: t('status'),
      sortBy: ({ status }) => status,
      cell: ({ status, dry_run }) => (
        <span className="flex flex-wrap gap-2">
          <RunBadge status={status} />
          {dry_run && <Badge>{t('dry_run')}</Badge>}
        </span>
      ),
    },
    {
      id: 'took',
      title: t('took'),
      align: 'right',
      from: 'md',
      cell: (row) => {
        const value = secondsOf(row)
        return (
          <span className="tabular-nums">{value === null ? '–' : t('seconds', { value })}</span>
        )
      },
    },
  ]
  return (
    <Table
      label={t('runs')}
      columns={columns}
      rows={rows}
      keyOf={({ id }) => id}
      onOpen={({ id }) => onOpen(id)}
    />
  )
}
