/** The collections of a project. */
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Database, Plus } from 'lucide-react'
import { useState } from 'react'
import { ListTable } from '../../api/list-table.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { useFormat } from '../../language/format.ts'
import { Button } from '../../ui/actions/button.tsx'
import { Badge } from '../../ui/display/badge.tsx'
import { Card } from '../../ui/display/card.tsx'
import { Moment } from '../../ui/display/moment.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import type { Column } from '../../ui/display/table.tsx'
import { CreateCollection } from './create-collection.tsx'
import { collectionsQuery, type Collection } from './queries.ts'
import { useDataTexts } from './texts.ts'

export function Page() {
  const t = useDataTexts()
  const scope = useProjectScope()
  const navigate = useNavigate()
  const query = useQuery(collectionsQuery(scope))
  const [creates, setCreates] = useState(false)
  const create = scope.may('member') && (
    <Button kind="primary" onClick={() => setCreates(true)}>
      <Plus aria-hidden="true" />
      {t('create')}
    </Button>
  )
  return (
    <>
      <PageHeader title={t('title')} about={t('about')} actions={create} />
      <Card flush>
        <ListTable
          query={query}
          label={t('title')}
          columns={useColumns()}
          icon={<Database aria-hidden="true" />}
          empty={{
            title: t('empty'),
            about: t('empty_about'),
            sentence: t('sentence'),
            action: create,
          }}
          onOpen={({ name }) => void navigate({ to: scope.link(`/data/${name}`) })}
        />
      </Card>
      <CreateCollection open={creates} onOpenChange={setCreates} />
    </>
  )
}

function useColumns(): Column<Collection>[] {
  const t = useDataTexts()
  const format = useFormat()
  const { link } = useProjectScope()
  const pathOf = ({ name }: Collection) => link(`/data/${name}`)
  return [
    {
      id: 'title',
      title: t('collection'),
      sortBy: ({ title }) => title.toLowerCase(),
      cell: (row) => (
        <>
          <Link to={pathOf(row)} className="font-medium text-fg no-underline hover:text-accent">
            {row.title}
          </Link>
          <span className="block font-mono text-xs text-faint">{row.name}</span>
        </>
      ),
    },
    {
      id: 'access',
      title: t('access'),
      from: 'sm',
      cell: (row) => <Access row={row} />,
    },
    {
      id: 'documents',
      title: t('documents'),
      align: 'right',
      sortBy: ({ document_count }) => document_count,
      cell: ({ document_count }) => (
        <span className="tabular-nums">{format.number(document_count)}</span>
      ),
    },
    {
      id: 'size',
      title: t('size'),
      align: 'right',
      from: 'md',
      sortBy: ({ bytes }) => bytes,
      cell: ({ bytes }) => <span className="tabular-nums">{format.bytes(bytes)}</span>,
    },
    {
      id: 'updated',
      title: t('settings_changed'),
      align: 'right',
      from: 'lg',
      sortBy: ({ updated_at }) => updated_at,
      cell: ({ updated_at }) => <Moment at={updated_at} />,
    },
  ]
}

function Access({ row }: { row: Collection }) {
  const t = useDataTexts()
  const { public_write, public_read, assistant_facts, catalogue } = row
  return (
    <span className="flex flex-wrap gap-1.5">
      {public_write && <Badge tone="accent">{t('forms')}</Badge>}
      {public_read && <Badge tone="warn">{t('public_read')}</Badge>}
      {assistant_facts && <Badge tone="accent">{t('facts')}</Badge>}
      {catalogue && <Badge tone="good">{t('shop')}</Badge>}
      {!public_write && !public_read && !catalogue && <Badge tone="neutral">{t('private')}</Badge>}
    </span>
  )
}
