/** The activity of a project: filters, a live tail, and details of one change. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { History, Pause, Play, Radio, SearchX } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useProjectScope } from '../../api/project-scope.tsx'
import { ProblemState } from '../../api/query-state.tsx'
import { useTexts } from '../../language/texts.ts'
import { countFirstPage, OtherMode, useOtherMode } from '../../shell/other-mode.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { cx } from '../../ui/class-names.ts'
import { Card } from '../../ui/display/card.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { SkeletonRows } from '../../ui/states/skeleton.tsx'
import { ActivityDrawer } from './activity-drawer.tsx'
import { ActivityFilters } from './activity-filters.tsx'
import { ActivityTable } from './activity-table.tsx'
import { activityQuery, type ActivityEntry, type ActivityFilter } from './queries.ts'
import { activityTexts } from './texts.ts'

export function Page() {
  const t = useTexts(activityTexts)
  const [filter, setFilter] = useState<ActivityFilter>({})
  const [tail, setTail] = useState(true)
  return (
    <>
      <title>{t('title')}</title>
      <PageHeader title={t('title')} about={t('about')} />
      <Others filter={filter} tail={tail} />
      <Card flush title={<TailState tail={tail} />} aside={<TailButton {...{ tail, setTail }} />}>
        <ActivityFilters filter={filter} onChange={setFilter} />
        <ActivityList filter={filter} tail={tail} onFilter={setFilter} />
      </Card>
    </>
  )
}

function Others({ filter, tail }: Pick<ActivityListProps, 'filter' | 'tail'>) {
  const { other, has_both } = useOtherMode()
  const { data } = useInfiniteQuery({ ...activityQuery(other, filter, tail), enabled: has_both })
  // Changes without a mode are shown in both.
  return <OtherMode count={countFirstPage(data, ({ mode }) => mode === other.mode)} />
}

function TailState({ tail }: { tail: boolean }) {
  const t = useTexts(activityTexts)
  return (
    <span className="flex items-center gap-1.5 text-sm font-normal text-muted">
      <Radio className={cx('size-4', tail && 'text-info')} aria-hidden="true" />
      {t(tail ? 'tail' : 'paused')}
    </span>
  )
}

function TailButton({ tail, setTail }: { tail: boolean; setTail(tail: boolean): void }) {
  const t = useTexts(activityTexts)
  const Icon = tail ? Pause : Play
  return (
    <Button size="sm" onClick={() => setTail(!tail)}>
      <Icon aria-hidden="true" />
      {t(tail ? 'tail_pause' : 'tail_resume')}
    </Button>
  )
}

interface ActivityListProps {
  filter: ActivityFilter
  tail: boolean
  onFilter(filter: ActivityFilter): void
}

function ActivityList({ filter, tail, onFilter }: ActivityListProps) {
  const t = useTexts(activityTexts)
  const [open, setOpen] = useState<ActivityEntry | null>(null)
  const query = useInfiniteQuery(activityQuery(useProjectScope(), filter, tail))
  const rows = useMemo(() => query.data?.pages.flatMap(({ data }) => data), [query.data])
  if (rows === undefined) {
    if (query.error === null) return <SkeletonRows />
    return (
      <div className="p-5">
        <ProblemState error={query.error} onRetry={() => void query.refetch()} />
      </div>
    )
  }
  if (rows.length === 0) return <NoChanges filter={filter} onClear={() => onFilter({})} />
  const follow = (next: ActivityFilter) => {
    setOpen(null)
    onFilter(next)
  }
  return (
    <>
      <ActivityTable rows={rows} onOpen={setOpen} />
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
      <ActivityDrawer entry={open} onClose={() => setOpen(null)} onFilter={follow} />
    </>
  )
}

function NoChanges({ filter, onClear }: { filter: ActivityFilter; onClear(): void }) {
  const t = useTexts(activityTexts)
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
      icon={<History aria-hidden="true" />}
      title={t(`empty_${mode}`)}
      about={t('empty_about')}
      sentence={t('sentence')}
    />
  )
}
