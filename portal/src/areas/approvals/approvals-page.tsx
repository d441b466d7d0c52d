/** The page of approvals: pending ones, and decided ones. */
import { useQuery } from '@tanstack/react-query'
import { CircleCheckBig, History } from 'lucide-react'
import { useMemo } from 'react'
import { useProjectScope } from '../../api/project-scope.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { useLanguage } from '../../language/texts.ts'
import { Card } from '../../ui/display/card.tsx'
import { Moment } from '../../ui/display/moment.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import { Table, type Column } from '../../ui/display/table.tsx'
import { Tabs } from '../../ui/display/tabs.tsx'
import { useOpenId, useTab } from '../../ui/display/use-tab.ts'
import { EmptyState } from '../../ui/states/empty-state.tsx'
import { ApprovalCard, StatusBadge } from './approval-card.tsx'
import { Batch } from './batch.tsx'
import { aboutIn, approvalsQuery, type ListedApproval } from './queries.ts'
import { Review } from './review.tsx'
import { useApprovalTexts } from './texts.ts'

export function Page() {
  const t = useApprovalTexts()
  const scope = useProjectScope()
  const [tab, setTab] = useTab(['waiting', 'history'])
  const [open, setOpen] = useOpenId()
  const waiting = useQuery(approvalsQuery(scope, 'pending'))
  const all = useQuery(approvalsQuery(scope))
  const count = waiting.data?.data.length
  return (
    <>
      <PageHeader title={t('title')} about={t('about')} />
      <Tabs
        label={t('title')}
        value={tab}
        onChange={setTab}
        tabs={[
          {
            value: 'waiting',
            title: t('waiting'),
            ...(count !== undefined && { count }),
            body: (
              <Card flush>
                <QueryState query={waiting}>
                  {({ data }) => <Waiting rows={data} onReview={setOpen} />}
                </QueryState>
              </Card>
            ),
          },
          {
            value: 'history',
            title: t('history'),
            body: (
              <Card flush>
                <QueryState query={all}>
                  {({ data }) => <Decided rows={data} onReview={setOpen} />}
                </QueryState>
              </Card>
            ),
          },
        ]}
      />
      <Review id={open} onClose={() => setOpen(null)} />
    </>
  )
}

interface RowsProps {
  rows: readonly ListedApproval[]
  onReview(id: string): void
}

function Waiting({ rows, onReview }: RowsProps) {
  const t = useApprovalTexts()
  if (rows.length === 0) {
    return (
      <EmptyState
        icon={<CircleCheckBig aria-hidden="true" />}
        title={t('empty')}
        about={t('empty_about')}
        sentence={t('sentence')}
      />
    )
  }
  return (
    <>
      <ul className="-mt-3 divide-y divide-line">
        {rows.map((approval) => (
          <ApprovalCard
            key={approval.id}
            approval={approval}
            onReview={() => onReview(approval.id)}
          />
        ))}
      </ul>
      {rows.length > 1 && <Batch rows={rows} />}
    </>
  )
}

function Decided({ rows, onReview }: RowsProps) {
  const t = useApprovalTexts()
  const language = useLanguage()
  const decided = useMemo(() => rows.filter(({ status }) => status !== 'pending'), [rows])
  const columns: Column<ListedApproval>[] = [
    {
      id: 'about',
      title: t('request'),
      cell: (row) => (
        <button
          type="button"
          onClick={() => onReview(row.id)}
          className="text-left font-medium hover:text-accent"
        >
          {aboutIn(language, row)}
          {row.subject !== null && (
            <span className="block font-normal wrap-anywhere text-muted">{row.subject}</span>
          )}
        </button>
      ),
    },
    { id: 'asked_by', title: t('asked_by'), cell: ({ asked_by }) => asked_by, from: 'md' },
    {
      id: 'status',
      title: t('status'),
      cell: (row) => <StatusBadge status={row.status} />,
      sortBy: ({ status }) => status,
    },
    {
      id: 'created_at',
      title: t('asked'),
      align: 'right',
      from: 'sm',
      cell: ({ created_at }) => <Moment at={created_at} />,
      sortBy: ({ created_at }) => created_at,
    },
  ]
  if (decided.length === 0) {
    return (
      <EmptyState
        icon={<History aria-hidden="true" />}
        title={t('empty_history')}
        about={t('empty_history_about')}
      />
    )
  }
  return (
    <Table
      label={t('history')}
      columns={columns}
      rows={decided}
      keyOf={({ id }) => id}
      onOpen={({ id }) => onReview(id)}
    />
  )
}
