/** The audit log: what operators did. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { ProblemState } from '../../api/query-state.tsx'
import { useTexts } from '../../language/texts.ts'
import { Button } from '../../ui/actions/button.tsx'
import { Card } from '../../ui/display/card.tsx'
import { Moment } from '../../ui/display/moment.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import { Table, type Column } from '../../ui/display/table.tsx'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { SkeletonRows } from '../../ui/states/skeleton.tsx'
import { useChangeName } from '../activity/change-name.tsx'
import { actsQuery, type Act } from './queries.ts'
import { operatorTexts } from './texts.ts'

export function Page() {
  const t = useTexts(operatorTexts)
  return (
    <>
      <title>{t('acts')}</title>
      <PageHeader title={t('acts')} about={t('acts_about')} />
      <Card flush>
        <ActList />
      </Card>
    </>
  )
}

function ActList() {
  const t = useTexts(operatorTexts)
  const changeName = useChangeName()
  const query = useInfiniteQuery(actsQuery)
  const rows = query.data?.pages.flatMap(({ data }) => data)
  if (rows === undefined) {
    if (query.error === null) return <SkeletonRows />
    return (
      <div className="p-5">
        <ProblemState error={query.error} onRetry={() => void query.refetch()} />
      </div>
    )
  }
  if (rows.length === 0) {
    return (
      <EmptyState
        icon={<ShieldCheck aria-hidden="true" />}
        title={t('no_acts')}
        about={t('no_acts_about')}
      />
    )
  }
  const columns: Column<Act>[] = [
    {
      id: 'act',
      title: t('act'),
      cell: ({ operation, note, resource_name }) => (
        <>
          <span className="block font-medium">{changeName(operation)}</span>
          <span className="block text-sm break-words text-muted">{note ?? resource_name}</span>
        </>
      ),
    },
    {
      id: 'project',
      title: t('project'),
      from: 'md',
      cell: ({ project_name }) => (
        <span className="text-muted">{project_name ?? t('installation')}</span>
      ),
    },
    {
      id: 'by',
      title: t('by'),
      cell: ({ operator }) => (
        <span className="break-all text-muted">{operator ?? t('command_line')}</span>
      ),
    },
    {
      id: 'when',
      title: t('when'),
      from: 'sm',
      align: 'right',
      cell: ({ created_at }) => <Moment at={created_at} />,
    },
  ]
  return (
    <>
      <Table label={t('acts')} columns={columns} rows={rows} keyOf={({ id }) => id} />
      {query.hasNextPage && (
        <p className="border-t border-line px-3 py-2">
          <Button kind="ghost" size="sm" onClick={() => void query.fetchNextPage()}>
            {t('more')}
          </Button>
        </p>
      )}
    </>
  )
}
