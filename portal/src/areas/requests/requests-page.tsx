/** The request log of a project: filters, a live tail, and details of one request. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Activity, Pause, Play, Radio, SearchX } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useProjectScope } from '../../api/project-scope.tsx'
import { ProblemState } from '../../api/query-state.tsx'
import { useFormat } from '../../language/format.ts'
import { useTexts } from '../../language/texts.ts'
import { countFirstPage, OtherMode, useOtherMode } from '../../shell/other-mode.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { cx } from '../../ui/class-names.ts'
import { Badge } from '../../ui/display/badge.tsx'
import { Card } from '../../ui/display/card.tsx'
import { Moment } from '../../ui/display/moment.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import { Table, type Column } from '../../ui/display/table.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { SkeletonRows } from '../../ui/states/skeleton.tsx'
import { requestsQuery, type LoggedRequest, type RequestFilter } from './queries.ts'
import { RequestDrawer } from './request-drawer.tsx'
import { RequestFilters } from './request-filters.tsx'
import { StatusBadge } from './status-badge.tsx'
import { requestTexts } from './texts.ts'

export function Page() {
  const t = useTexts(requestTexts)
  const [filter, setFilter] = useState<RequestFilter>({})
  const [tail, setTail] = useState(true)
  return (
    <>
      <title>{t('title')}</title>
      <PageHeader title={t('title')} about={t('about')} />
      <Others filter={filter} tail={tail} />
      <Card flush title={<TailState tail={tail} />} aside={<TailButton {...{ tail, setTail }} />}>
        <RequestFilters filter={filter} onChange={setFilter} />
        <RequestList filter={filter} tail={tail} onClear={() => setFilter({})} />
      </Card>
    </>
  )
}

function Others({ filter, tail }: Pick<RequestListProps, 'filter' | 'tail'>) {
  const { other, has_both } = useOtherMode()
  const { data } = useInfiniteQuery({ ...requestsQuery(other, filter, tail), enabled: has_both })
  return <OtherMode count={countFirstPage(data)} />
}

function TailState({ tail }: { tail: boolean }) {
  const t = useTexts(requestTexts)
  return (
    <span className="flex items-center gap-1.5 text-sm font-normal text-muted">
      <Radio className={cx('size-4', tail && 'text-info')} aria-hidden="true" />
      {t(tail ? 'tail' : 'paused')}
    </span>
  )
}

function TailButton({ tail, setTail }: { tail: boolean; setTail(tail: boolean): void }) {
  const t = useTexts(requestTexts)
  const Icon = tail ? Pause : Play
  return (
    <Button size="sm" onClick={() => setTail(!tail)}>
      <Icon aria-hidden="true" />
      {t(tail ? 'tail_pause' : 'tail_resume')}
    </Button>
  )
}

interface RequestListProps {
  filter: RequestFilter
  tail: boolean
  onClear(): void
}

function RequestList({ filter, tail, onClear }: RequestListProps) {
  const t = useTexts(requestTexts)
  const [open, setOpen] = useState<LoggedRequest | null>(null)
  const query = useInfiniteQuery(requestsQuery(useProjectScope(), filter, tail))
  const rows = useMemo(() => query.data?.pages.flatMap(({ data }) => data), [query.data])
  if (rows === undefined) {
    if (query.error === null) return <SkeletonRows />
    return (
      <div className="p-5">
        <ProblemState error={query.error} onRetry={() => void query.refetch()} />
      </div>
    )
  }
  if (rows.length === 0) return <NoRequests filter={filter} onClear={onClear} />
  return (
    <>
      <RequestTable rows={rows} onOpen={setOpen} />
      {query.hasNextPage && (
        <p className="border-t border-line px-3 py-2">
          <Button
            kind="ghost"
            size="sm"
            busy={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {t('more')}
          </Button>
        </p>
      )}
      <RequestDrawer request={open} onClose={() => setOpen(null)} />
    </>
  )
}

function NoRequests({ filter, onClear }: Pick<RequestListProps, 'filter' | 'onClear'>) {
  const t = useTexts(requestTexts)
  const { mode } = useProjectScope()
  if (Object.keys(filter).length > 0) {
    return (
      <EmptyState
        icon={<SearchX aria-hidden="true" />}
        title={t('none')}
        about={t('none_about')}
        action={<Button onClick={onClear}>{t('clear')}</Button>}
      />
    )
  }
  return (
    <EmptyState
      icon={<Activity aria-hidden="true" />}
      title={t(`empty_${mode}`)}
      about={t('empty_about')}
      sentence={t('sentence')}
    />
  )
}

interface RequestTableProps {
  rows: readonly LoggedRequest[]
  onOpen(row: LoggedRequest): void
}

function RequestTable({ rows, onOpen }: RequestTableProps) {
  const t = useTexts(requestTexts)
  const format = useFormat()
  const columns: Column<LoggedRequest>[] = [
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
  return (
    <Table
      label={t('title')}
      columns={columns}
      rows={rows}
      keyOf={({ id }) => id}
      onOpen={onOpen}
    />
  )
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
