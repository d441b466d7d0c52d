/** The page of one agent: what it does, its switch, and its runs. */
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useProjectScope } from '../../api/project-scope.tsx'
import { QueryState } from '../../api/query-state.tsx'
import { useTexts } from '../../language/texts.ts'
import { Card } from '../../ui/display/card.tsx'
import { CodeBlock } from '../../ui/display/code-block.tsx'
import { PageHeader } from '../../ui/display/page-header.tsx'
import { AgentActions } from './agent-actions.tsx'
import { useActionName } from './builder/actions.ts'
import { agentQuery, type Agent, type AgentStep } from './queries.ts'
import { RunChart } from './runs/run-chart.tsx'
import { RunDrawer } from './runs/run-drawer.tsx'
import { RunList } from './runs/run-list.tsx'
import { AgentBadges, useTriggerText } from './state.tsx'
import { agentTexts } from './texts.ts'
import { UrlCard } from './url-card.tsx'

export function Page() {
  const { id } = useParams({ strict: false })
  const query = useQuery(agentQuery(useProjectScope(), id ?? ''))
  return <QueryState query={query}>{(agent) => <AgentView agent={agent} />}</QueryState>
}

function AgentView({ agent }: { agent: Agent }) {
  const t = useTexts(agentTexts)
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
  const t = useTexts(agentTexts)
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
  const t = useTexts(agentTexts)
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
  const t = useTexts(agentTexts)
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
