/** The runs of an agent, newest first. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { History } from 'lucide-react'
import { ListTable } from '../../../api/list-table.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { Badge } from '../../../ui/display/badge.tsx'
import { Moment } from '../../../ui/display/moment.tsx'
import type { Column } from '../../../ui/display/table.tsx'
import { runsQuery, type ListedRun } from '../queries.ts'
import { RunBadge } from '../state.tsx'
import { useAgentTexts } from '../texts.ts'
import { secondsOf } from './run-facts.ts'

export interface RunListProps {
  agent_id: string
  onOpen(id: string): void
}

export function RunList({ agent_id, onOpen }: RunListProps) {
  const t = useAgentTexts()
  const query = useInfiniteQuery(runsQuery(useProjectScope(), agent_id))
  return (
    <ListTable
      query={query}
      label={t('runs')}
      more={t('more')}
      columns={useColumns(onOpen)}
      icon={<History aria-hidden="true" />}
      empty={{ title: t('runs_empty'), about: t('runs_empty_about') }}
      onOpen={({ id }) => onOpen(id)}
    />
  )
}

function useColumns(onOpen: (id: string) => void): Column<ListedRun>[] {
  const t = useAgentTexts()
  return [
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
}
