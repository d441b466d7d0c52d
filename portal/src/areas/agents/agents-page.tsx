/** The agents of the project, the ready-made ones, and the drawer that creates one. */
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Plus, Workflow } from 'lucide-react'
import { useState } from 'react'
import { ListTable } from '../../api/list-table.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { Card } from '../../ui/display/card.tsx'
import { Moment } from '../../ui/display/moment.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import type { Column } from '../../ui/display/table.tsx'
import { Builder } from './builder/builder.tsx'
import { Describe } from './describe.tsx'
import { agentsQuery, type Agent } from './queries.ts'
import { ReadyMadeList } from './ready-made/ready-made-list.tsx'
import { AgentBadges, useTriggerText } from './state.tsx'
import { useAgentTexts } from './texts.ts'

export function Page() {
  const t = useAgentTexts()
  const scope = useProjectScope()
  const navigate = useNavigate()
  const [creates, setCreates] = useState(false)
  const query = useQuery(agentsQuery(scope))
  const open = ({ id }: Agent) => void navigate({ to: scope.link(`/agents/${id}`) })
  const create = scope.may('admin') && (
    <Button kind="primary" onClick={() => setCreates(true)}>
      <Plus aria-hidden="true" />
      {t('create')}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={t('title')}
        about={t('about')}
        actions={query.data?.length !== 0 && create}
      />
      <div className="flex flex-col gap-6">
        {scope.may('admin') && <Describe onCreated={open} />}
        <Card flush>
          <ListTable
            query={query}
            label={t('title')}
            columns={useColumns()}
            icon={<Workflow aria-hidden="true" />}
            empty={{
              title: t('empty'),
              about: t('empty_about'),
              sentence: t('sentence'),
              action: create,
            }}
          />
        </Card>
        {scope.may('admin') && <ReadyMadeList onInstalled={open} />}
      </div>
      <Builder open={creates} onClose={() => setCreates(false)} onSaved={open} />
    </>
  )
}

function useColumns(): Column<Agent>[] {
  const t = useAgentTexts()
  const scope = useProjectScope()
  const triggerText = useTriggerText()
  return [
    {
      id: 'name',
      title: t('name'),
      sortBy: ({ name }) => name,
      cell: ({ id, name }) => (
        <Link
          to={scope.link(`/agents/${id}`)}
          className="font-medium wrap-anywhere text-fg no-underline hover:text-accent"
        >
          {name}
        </Link>
      ),
    },
    {
      id: 'starts',
      title: t('starts'),
      from: 'md',
      cell: ({ trigger }) => <span className="text-muted">{triggerText(trigger)}</span>,
    },
    {
      id: 'status',
      title: t('status'),
      sortBy: ({ status }) => status,
      cell: (agent) => <AgentBadges agent={agent} />,
    },
    {
      id: 'next',
      title: t('next'),
      align: 'right',
      from: 'sm',
      cell: ({ next_run_at }) => (next_run_at === null ? '–' : <Moment at={next_run_at} />),
    },
  ]
}
