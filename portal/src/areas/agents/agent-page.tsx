/** The page of one agent: what it does, its switch, and its runs. */
import { useQuery, useInfiniteQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useAct } from '../../api/mutations.tsx'
import { useProjectScope } from '../../api/project-scope.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { Button } from '../../ui/actions/button.tsx'
import { Card } from '../../ui/display/card.tsx'
import { Chart } from '../../ui/display/chart.tsx'
import { CodeBlock } from '../../ui/display/code-block.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import { AgentActions } from './agent-actions.tsx'
import { useActionName } from './builder/actions.ts'
import {
  agentQuery,
  readUrl,
  runsQuery,
  type Agent,
  type AgentStep,
  type ListedRun,
} from './queries.ts'
import { RunDrawer } from './runs/run-drawer.tsx'
import { RunList } from './runs/run-list.tsx'
import { AgentBadges, useTriggerText } from './state.tsx'
import { useAgentTexts } from './texts.ts'

export function Page() {
  const { id } = useParams({ strict: false })
  const query = useQuery(agentQuery(useProjectScope(), id ?? ''))
  return <QueryState query={query}>{(agent) => <AgentView agent={agent} />}</QueryState>
}

function AgentView({ agent }: { agent: Agent }) {
  const t = useAgentTexts()
  const scope = useProjectScope()
  const triggerText = useTriggerText()
  const [open, setOpen] = useState<readonly string[]>([])
  const { id, name, status, trigger, version } = agent
  return (
    <>
      <title>{name}</title>
      <PageHeader
        title={
          <span className="flex flex-wrap items-center gap-3 wrap-anywhere">
            {name}
            <AgentBadges agent={agent} />
          </span>
        }
        about={triggerText(trigger)}
        actions={scope.may('admin') && <AgentActions agent={agent} onStarted={setOpen} />}
      />
      <div className="flex flex-col gap-6">
        {status !== 'active' && (
          <p role="status" className="rounded-xl border border-line bg-warn-soft px-5 py-3">
            {t(`${status}_about`)}
          </p>
        )}
        <Card
          title={t('what')}
          aside={<span className="text-sm text-muted">{t('version', { number: version })}</span>}
        >
          <Work agent={agent} />
        </Card>
        {trigger.type === 'webhook' && scope.may('admin') && <UrlCard id={id} />}
        <RunChart agent_id={id} />
        <Card title={t('runs')} flush>
          <RunList agent_id={id} onOpen={(run) => setOpen([run])} />
        </Card>
      </div>
      <RunDrawer
        agent_id={id}
        ids={open}
        onOpen={(run) => setOpen([run])}
        onClose={() => setOpen([])}
      />
    </>
  )
}

function Work({ agent: { instructions, trigger, steps, actions } }: { agent: Agent }) {
  const t = useAgentTexts()
  const filter = trigger.type === 'event' ? trigger.filter : undefined
  return (
    <div className="flex flex-col gap-4">
      {instructions !== '' && <p className="whitespace-pre-wrap wrap-anywhere">{instructions}</p>}
      {filter !== undefined && (
        <p className="text-sm text-muted wrap-anywhere">{t('only_if', { condition: filter })}</p>
      )}
      <ol className="flex flex-col gap-4" aria-label={t('steps')}>
        {steps.map((step, index) => (
          <Step key={`${index} ${step.action}`} step={step} number={index + 1} />
        ))}
      </ol>
      {actions.length > 0 && <Actions actions={actions} />}
    </div>
  )
}

/** What a language model may do. */
function Actions({ actions }: Pick<Agent, 'actions'>) {
  const t = useAgentTexts()
  const nameOf = useActionName()
  return (
    <div>
      <p className="text-sm text-muted">{t('may')}</p>
      <ul className="mt-1 list-disc pl-5" aria-label={t('may')}>
        {actions.map(({ action, config = {} }) => (
          <li key={action} className="wrap-anywhere">
            {nameOf(action)}
            {Object.keys(config).length > 0 && <code> {JSON.stringify(config)}</code>}
          </li>
        ))}
      </ul>
    </div>
  )
}

function Step({ step, number }: { step: AgentStep; number: number }) {
  const t = useAgentTexts()
  const nameOf = useActionName()
  const { action, when, input } = step
  return (
    <li className="flex flex-col gap-2">
      <p className="font-medium">
        {number}. {nameOf(action)}
      </p>
      {when !== undefined && (
        <p className="text-sm text-muted wrap-anywhere">{t('only_if', { condition: when })}</p>
      )}
      <CodeBlock code={JSON.stringify(input, null, 2)} label={t('step', { number })} />
    </li>
  )
}

/** The URL and the secret with which other programs start the agent. */
function UrlCard({ id }: { id: string }) {
  const t = useAgentTexts()
  const scope = useProjectScope()
  const show = useAct({ run: (rotate: boolean) => readUrl(scope, id, rotate) })
  return (
    <Card title={t('url')} about={t('url_about')}>
      {show.data === undefined ? (
        <Button busy={show.isPending} onClick={() => show.mutate(false)}>
          {t('url_show')}
        </Button>
      ) : (
        <div className="flex flex-col items-start gap-3">
          <CodeBlock label="URL" code={show.data.url} />
          <CodeBlock label={t('secret')} code={show.data.secret} />
          <Button busy={show.isPending} onClick={() => show.mutate(true)}>
            {t('url_rotate')}
          </Button>
          {show.variables && <p role="status">{t('url_rotated')}</p>}
        </div>
      )}
    </Card>
  )
}

/** The newest runs of an agent by day, as a chart; nothing before the second run. */
function RunChart({ agent_id }: { agent_id: string }) {
  const t = useAgentTexts()
  const { data } = useInfiniteQuery(runsQuery(useProjectScope(), agent_id))
  const runs = (data?.pages ?? []).flatMap((page) => page.data).filter(({ dry_run }) => !dry_run)
  if (runs.length < 2) return null
  return (
    <Card title={t('chart')}>
      <Chart
        label={t('chart')}
        bars={barsOf(runs)}
        series={[
          { key: 'done', name: t('chart_done') },
          { key: 'other', name: t('chart_rest') },
        ]}
        format={String}
      />
    </Card>
  )
}

function barsOf(runs: readonly ListedRun[]) {
  const days = Map.groupBy(runs, ({ created_at }) => created_at.slice(0, 10))
  return [...days].toReversed().map(([name, of]) => {
    const done = of.filter(({ status }) => status === 'completed').length
    return { name, done, other: of.length - done }
  })
}
