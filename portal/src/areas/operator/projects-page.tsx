/** All projects: search, health, and taking one offline. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Building2, Search } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { ListTable } from '../../api/list-table.tsx'
import { useFormat } from '../../language/format.ts'
import { Badge, type Tone } from '../../ui/display/badge.tsx'
import { Card } from '../../ui/display/card.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import type { Column } from '../../ui/display/table.tsx'
import { Input } from '../../ui/forms/input.tsx'
import { Select } from '../../ui/forms/select.tsx'
import { ProjectDrawer } from './project-drawer.tsx'
import { operatedProjectsQuery, type OperatedProject, type ProjectFilter } from './queries.ts'
import { useOperatorTexts } from './texts.ts'

export function Page() {
  const t = useOperatorTexts()
  const [text, setText] = useState('')
  const [only, setOnly] = useState<'all' | 'offline'>('all')
  const search = useDeferredValue(text.trim())
  const filter = { ...(search !== '' && { search }), ...(only === 'offline' && { only }) }
  return (
    <>
      <PageHeader title={t('projects')} about={t('projects_about')} />
      <Card flush>
        <div className="grid gap-2.5 px-5 pt-2 pb-4 sm:grid-cols-[1fr_12rem]">
          <span className="relative block">
            <Search
              aria-hidden="true"
              className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-faint"
            />
            <Input
              type="search"
              aria-label={t('search')}
              placeholder={t('search')}
              value={text}
              onChange={({ target }) => setText(target.value)}
              className="pl-9"
            />
          </span>
          <Select
            label={t('filter')}
            value={only}
            onChange={setOnly}
            choices={[
              { value: 'all', text: t('all') },
              { value: 'offline', text: t('offline_only') },
            ]}
          />
        </div>
        <ProjectList filter={filter} />
      </Card>
    </>
  )
}

function ProjectList({ filter }: { filter: ProjectFilter }) {
  const t = useOperatorTexts()
  const [open, setOpen] = useState<string | null>(null)
  const query = useInfiniteQuery(operatedProjectsQuery(filter))
  const rows = query.data?.pages.flatMap(({ data }) => data)
  return (
    <>
      <ListTable
        query={query}
        label={t('projects')}
        more={t('more')}
        columns={useColumns(({ id }) => setOpen(id))}
        icon={<Building2 aria-hidden="true" />}
        empty={{ title: t('no_projects'), about: t('no_projects_about') }}
        onOpen={({ id }) => setOpen(id)}
      />
      <ProjectDrawer
        project={rows?.find(({ id }) => id === open) ?? null}
        onClose={() => setOpen(null)}
      />
    </>
  )
}

const tones: Readonly<Record<OperatedProject['health'], Tone>> = {
  ok: 'good',
  failing: 'warn',
  offline: 'bad',
}

export function HealthBadge({ health }: Pick<OperatedProject, 'health'>) {
  const t = useOperatorTexts()
  return <Badge tone={tones[health]}>{t(health)}</Badge>
}

function useColumns(onOpen: (row: OperatedProject) => void): Column<OperatedProject>[] {
  const t = useOperatorTexts()
  const format = useFormat()
  return [
    {
      id: 'project',
      title: t('project'),
      cell: (row) => (
        <button type="button" onClick={() => onOpen(row)} className="group text-left">
          <span className="block font-medium break-words group-hover:text-accent">{row.name}</span>
          <span className="block text-sm break-all text-muted">{row.owner_email}</span>
        </button>
      ),
    },
    { id: 'health', title: t('health'), cell: (row) => <HealthBadge health={row.health} /> },
    {
      id: 'plan',
      title: t('plan'),
      from: 'md',
      cell: ({ plan }) => <span className="text-muted capitalize">{plan}</span>,
    },
    {
      id: 'requests',
      title: t('requests'),
      from: 'lg',
      align: 'right',
      cell: ({ requests_24h }) => (
        <span className="tabular-nums">{format.number(requests_24h)}</span>
      ),
    },
    {
      id: 'balance',
      title: t('balance'),
      from: 'sm',
      align: 'right',
      cell: ({ balance_eur }) => <span className="tabular-nums">{format.euro(balance_eur)}</span>,
    },
  ]
}
