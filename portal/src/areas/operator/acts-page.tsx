/** The audit log: what operators did, with filters, details and an export. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Download, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { useAct } from '../../api/mutations.tsx'
import { ListTable } from '../../api/list-table.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { Card } from '../../ui/display/card.tsx'
import { Moment } from '../../ui/display/moment.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import type { Column } from '../../ui/display/table.tsx'
import { saveFile } from '../../work/save-file.ts'
import { useChangeName } from '../activity/change-name.tsx'
import { ActDrawer } from './act-drawer.tsx'
import { ActFilters } from './act-filters.tsx'
import { actsQuery, exportActs, type Act, type ActFilter } from './queries.ts'
import { useOperatorTexts } from './texts.ts'

export function Page() {
  const t = useOperatorTexts()
  const [filter, setFilter] = useState<ActFilter>({})
  return (
    <>
      <PageHeader
        title={t('acts')}
        about={t('acts_about')}
        actions={<ExportButton filter={filter} />}
      />
      <Card flush>
        <ActFilters filter={filter} onChange={setFilter} />
        <ActList filter={filter} />
      </Card>
    </>
  )
}

function ExportButton({ filter }: { filter: ActFilter }) {
  const t = useOperatorTexts()
  const act = useAct({
    run: async () => {
      const { csv } = await exportActs(filter)
      const blob = new Blob([csv], { type: 'text/csv;charset=utf-8' })
      saveFile({ blob, filename: 'audit-log.csv' })
    },
    done: t('exported'),
  })
  return (
    <Button busy={act.isPending} onClick={() => act.mutate(undefined)}>
      <Download aria-hidden="true" />
      {t('export_csv')}
    </Button>
  )
}

function ActList({ filter }: { filter: ActFilter }) {
  const t = useOperatorTexts()
  const changeName = useChangeName()
  const [open, setOpen] = useState<Act | null>(null)
  const query = useInfiniteQuery(actsQuery(filter))
  const is_filtered = Object.keys(filter).length > 0
  const columns: Column<Act>[] = [
    {
      id: 'act',
      title: t('act'),
      cell: (act) => (
        <button type="button" className="block w-full text-left" onClick={() => setOpen(act)}>
          <span className="block font-medium">{changeName(act.operation)}</span>
          <span className="block text-sm break-words text-muted">
            {act.note ?? act.resource_name}
          </span>
        </button>
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
      <ListTable
        query={query}
        label={t('acts')}
        more={t('more')}
        columns={columns}
        icon={<ShieldCheck aria-hidden="true" />}
        empty={{
          title: t(is_filtered ? 'no_acts_found' : 'no_acts'),
          about: t(is_filtered ? 'no_acts_found_about' : 'no_acts_about'),
        }}
      />
      <ActDrawer act={open} onClose={() => setOpen(null)} />
    </>
  )
}
