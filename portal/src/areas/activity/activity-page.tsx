/** The activity of a project: filters, a live tail, and details of one change. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { History, SearchX } from 'lucide-react'
import { useState } from 'react'
import { ListTable } from '../../api/list-table.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { LogCard } from '../../shell/log-card.tsx'
import { countFirstPage, OtherMode, useOtherMode } from '../../shell/other-mode.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import { ActivityDrawer } from './activity-drawer.tsx'
import { ActivityFilters } from './activity-filters.tsx'
import { useActivityColumns } from './activity-columns.tsx'
import { activityQuery, type ActivityEntry, type ActivityFilter } from './queries.ts'
import { useActivityTexts } from './texts.ts'

export function Page() {
  const t = useActivityTexts()
  const [filter, setFilter] = useState<ActivityFilter>({})
  const [tail, setTail] = useState(true)
  return (
    <>
      <PageHeader title={t('title')} about={t('about')} />
      <Others filter={filter} tail={tail} />
      <LogCard tail={tail} setTail={setTail}>
        <ActivityFilters filter={filter} onChange={setFilter} />
        <ActivityList filter={filter} tail={tail} onFilter={setFilter} />
      </LogCard>
    </>
  )
}

function Others({ filter, tail }: Pick<ActivityListProps, 'filter' | 'tail'>) {
  const { other, has_both } = useOtherMode()
  const { data } = useInfiniteQuery({ ...activityQuery(other, filter, tail), enabled: has_both })
  // Changes without a mode are shown in both.
  return <OtherMode count={countFirstPage(data, ({ mode }) => mode === other.mode)} />
}

interface ActivityListProps {
  filter: ActivityFilter
  tail: boolean
  onFilter(filter: ActivityFilter): void
}

function ActivityList({ filter, tail, onFilter }: ActivityListProps) {
  const t = useActivityTexts()
  const [open, setOpen] = useState<ActivityEntry | null>(null)
  const scope = useProjectScope()
  const query = useInfiniteQuery(activityQuery(scope, filter, tail))
  const follow = (next: ActivityFilter) => {
    setOpen(null)
    onFilter(next)
  }
  const isFiltered = Object.keys(filter).length > 0
  const clear = <Button onClick={() => onFilter({})}>{t('clear')}</Button>
  return (
    <>
      <ListTable
        query={query}
        label={t('title')}
        more={t('more')}
        columns={useActivityColumns(setOpen)}
        icon={isFiltered ? <SearchX aria-hidden="true" /> : <History aria-hidden="true" />}
        empty={
          isFiltered
            ? { title: t('none'), about: t('none_about'), action: clear }
            : { title: t(`empty_${scope.mode}`), about: t('empty_about'), sentence: t('sentence') }
        }
        onOpen={(row) => setOpen(row)}
      />
      <ActivityDrawer entry={open} onClose={() => setOpen(null)} onFilter={follow} />
    </>
  )
}
