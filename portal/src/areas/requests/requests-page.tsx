/** The request log of a project: filters, a live tail, and details of one request. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Activity, SearchX } from 'lucide-react'
import { useState } from 'react'
import { ListTable } from '../../api/list-table.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useFormat } from '../../language/format.ts'
import { LogCard } from '../../shell/log-card.tsx'
import { countFirstPage, OtherMode, useOtherMode } from '../../shell/other-mode.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { Badge } from '../../ui/display/badge.tsx'
import { Moment } from '../../ui/display/moment.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import type { Column } from '../../ui/display/table.tsx'
import { requestsQuery, type LoggedRequest, type RequestFilter } from './queries.ts'
import { RequestDrawer } from './request-drawer.tsx'
import { RequestFilters } from './request-filters.tsx'
import { StatusBadge } from './status-badge.tsx'
import { useRequestTexts } from './texts.ts'

export function Page() {
  const t = useRequestTexts()
  const [filter, setFilter] = useState<RequestFilter>({})
  const [tail, setTail] = useState(true)
  return (
    <>
      <PageHeader title={t('title')} about={t('about')} />
      <Others filter={filter} tail={tail} />
      <LogCard tail={tail} setTail={setTail}>
        <RequestFilters filter={filter} onChange={setFilter} />
        <RequestList filter={filter} tail={tail} onClear={() => setFilter({})} />
      </LogCard>
    </>
  )
}

function Others({ filter, tail }: Pick<RequestListProps, 'filter' | 'tail'>) {
  const { other, has_both } = useOtherMode()
  const { data } = useInfiniteQuery({ ...requestsQuery(other, filter, tail), enabled: has_both })
  return <OtherMode count={countFirstPage(data)} />
}

interface RequestListProps {
  filter: RequestFilter
  tail: boolean
  onClear(): void
}

function RequestList({ filter, tail, onClear }: RequestListProps) {
  const t = useRequestTexts()
  const [open, setOpen] = useState<LoggedRequest | null>(null)
  const scope = useProjectScope()
  const query = useInfiniteQuery(requestsQuery(scope, filter, tail))
  const isFiltered = Object.keys(filter).length > 0
  const clear = <Button onClick={onClear}>{t('clear')}</Button>
  return (
    <>
      <ListTable
        query={query}
        label={t('title')}
        more={t('more')}
        columns={useColumns(setOpen)}
        icon={isFiltered ? <SearchX aria-hidden="true" /> : <Activity aria-hidden="true" />}
        empty={
          isFiltered
            ? { title: t('none'), about: t('none_about'), action: clear }
            : { title: t(`empty_${scope.mode}`), about: t('empty_about'), sentence: t('sentence') }
        }
        onOpen={(row) => setOpen(row)}
      />
      <RequestDrawer request={open} onClose={() => setOpen(null)} />
    </>
  )
}

function useColumns(onOpen: (row: LoggedRequest) => void): Column<LoggedRequest>[] {
  const t = useRequestTexts()
  const format = useFormat()
  return [
    {
      id: 'status',
      title: t('status'),
      cell: ({ status }) => <StatusBadge status={status} />,
    },
    {
      id: 'request',
      title: t('request'),
      cell: (row) => <RequestName row={row} onOpen={onOpen} />,
    },
    {
      id: 'by',
      title: t('by'),
      from: 'lg',
      cell: ({ actor, entry_point }) => (
        <span className="flex items-center gap-2">
          <Badge>{t(entry_point)}</Badge>
          <span className="max-w-48 truncate text-muted">{actor.name ?? t('gone')}</span>
        </span>
      ),
    },
    {
      id: 'duration',
      title: t('duration'),
      from: 'md',
      align: 'right',
      cell: ({ duration_ms }) => (
        <span className="text-muted tabular-nums">
          {t('took', { ms: format.number(duration_ms) })}
        </span>
      ),
    },
    {
      id: 'when',
      title: t('when'),
      align: 'right',
      from: 'sm',
      cell: ({ created_at }) => <Moment at={created_at} />,
    },
  ]
}

function RequestName({ row, onOpen }: { row: LoggedRequest; onOpen(row: LoggedRequest): void }) {
  const { method, path, operation, tool, message, error, entry_point } = row
  const isMcp = entry_point === 'mcp'
  const name = isMcp ? (operation ?? tool ?? message) : `${method} ${path}`
  const origin = isMcp && [tool, message].find((one) => one !== null && one !== name)
  return (
    <button type="button" onClick={() => onOpen(row)} className="group block max-w-full text-left">
      <span className="block font-mono text-sm break-all group-hover:text-accent">{name}</span>
      {(error !== null || origin) && (
        <span className="block text-xs text-faint">
          {[origin, error].filter(Boolean).join(' · ')}
        </span>
      )}
    </button>
  )
}
