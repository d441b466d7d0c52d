/** One run: its trigger, and each step with its arguments, its result and its approval. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAct } from '../../../api/mutations.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { QueryState } from '../../../api/query-state.tsx'
import { useFormat } from '../../../language/format.ts'
import { translateMessage } from '../../../language/server-texts/translate.ts'
import { useLanguage } from '../../../language/texts.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { CodeBlock } from '../../../ui/display/code-block.tsx'
import { Facts } from '../../../ui/display/facts.tsx'
import { Drawer } from '../../../ui/overlays/drawer.tsx'
import { Review } from '../../approvals/review.tsx'
import { useActionName } from '../builder/actions.ts'
import { agentsKey, cancelRun, runQuery, startRun, type Run, type RunStep } from '../queries.ts'
import { RunBadge, StepBadge } from '../state.tsx'
import { useAgentTexts } from '../texts.ts'
import { secondsOf, useReason } from './run-facts.ts'

export interface RunDrawerProps {
  agent_id: string
  /** Several are the dry runs of one trial. */
  ids: readonly string[]
  onOpen(id: string): void
  onClose(): void
}

export function RunDrawer({ agent_id, ids, onOpen, onClose }: RunDrawerProps) {
  const t = useAgentTexts()
  const [approval, setApproval] = useState<string | null>(null)
  return (
    <>
      <Drawer open={ids.length > 0 && approval === null} onClose={onClose} title={t('run_title')}>
        {ids.length > 1 && (
          <p className="px-5 pt-5 text-muted">{t('trial_about', { count: ids.length })}</p>
        )}
        {ids.map((id, index) => (
          <section key={id} className="not-first:border-t-4 not-first:border-line">
            {ids.length > 1 && (
              <h3 className="px-5 pt-5 font-semibold">
                {t('trial_number', { number: index + 1, count: ids.length })}
              </h3>
            )}
            <LoadedRun agent_id={agent_id} id={id} onReview={setApproval} onStarted={onOpen} />
          </section>
        ))}
      </Drawer>
      <Review id={approval} onClose={() => setApproval(null)} />
    </>
  )
}

interface RunActions {
  onReview(id: string): void
  onStarted(id: string): void
}

function LoadedRun({ agent_id, id, ...acts }: { agent_id: string; id: string } & RunActions) {
  const query = useQuery(runQuery(useProjectScope(), { agent_id, id }))
  return (
    <div className="flex flex-col gap-6 p-5">
      <QueryState query={query}>{(run) => <RunView run={run} {...acts} />}</QueryState>
    </div>
  )
}

function RunView({ run, onReview, onStarted }: { run: Run } & RunActions) {
  const t = useAgentTexts()
  const format = useFormat()
  const scope = useProjectScope()
  const reason = useReason(run)
  const seconds = secondsOf(run)
  const cancel = useAct({
    run: () => cancelRun(scope, run),
    done: t('canceled_done'),
    refresh: [agentsKey(scope)],
  })
  const facts = [
    [t('status'), <RunBadge status={run.status} />] as const,
    ...(reason === null ? [] : [['', reason] as const]),
    [t('by'), t(`by_${run.trigger.type}`)] as const,
    [t('when'), format.moment(run.created_at)] as const,
    ...(run.cost_eur === 0 ? [] : [[t('cost'), format.cost(run.cost_eur)] as const]),
    ...(seconds === null ? [] : [[t('took'), t('seconds', { value: seconds })] as const]),
  ]
  return (
    <>
      <Facts facts={facts} />
      {run.output_summary !== null && <p className="wrap-anywhere">{run.output_summary}</p>}
      {run.ended_at !== null && scope.may('admin') && <Again run={run} onStarted={onStarted} />}
      {run.ended_at === null && scope.may('admin') && (
        <Button
          size="sm"
          className="self-start"
          busy={cancel.isPending}
          onClick={() => cancel.mutate(undefined)}
        >
          {t('cancel_run')}
        </Button>
      )}
      {run.dry_run && <p className="text-muted">{t('dry_run_about')}</p>}
      {run.steps.length === 0 && <p className="text-muted">{t('no_steps')}</p>}
      <ol className="flex flex-col gap-6" aria-label={t('steps')}>
        {run.steps.map((step) => (
          <Step key={step.seq} step={step} onReview={onReview} />
        ))}
      </ol>
    </>
  )
}

function Step({ step, onReview }: { step: RunStep; onReview(id: string): void }) {
  const t = useAgentTexts()
  const nameOf = useActionName()
  const language = useLanguage()
  const format = useFormat()
  const { action, approval_id, cost_eur, input, output, problem, seq, status, type } = step
  return (
    <li className="flex flex-col gap-2 border-t border-line pt-4">
      <p className="flex flex-wrap items-center gap-2 font-medium">
        {seq}. {type === 'model' ? t('model_step', { model: action }) : nameOf(action)}
        <StepBadge status={status} />
        {cost_eur > 0 && (
          <span className="text-sm font-normal text-muted">{format.cost(cost_eur)}</span>
        )}
      </p>
      {problem !== null && (
        <p className="text-bad wrap-anywhere">{translateMessage(problem.user_message, language)}</p>
      )}
      {status === 'waiting_approval' && approval_id !== null && (
        <Button
          kind="primary"
          size="sm"
          className="self-start"
          onClick={() => onReview(approval_id)}
        >
          {t('decide')}
        </Button>
      )}
      {input !== null && <Value label={t('input')} seq={seq} value={input} />}
      {output !== null && <Value label={t('output')} seq={seq} value={output} />}
    </li>
  )
}

function Value({ label, seq, value }: { label: string; seq: number; value: unknown }) {
  return (
    <div className="flex flex-col gap-1">
      <p className="text-sm text-muted">{label}</p>
      <div className="max-h-72 overflow-y-auto">
        <CodeBlock code={JSON.stringify(value, null, 2)} label={`${seq}. ${label}`} />
      </div>
    </div>
  )
}

interface AgainProps {
  run: Run
  onStarted(id: string): void
}

/** Buttons that run or dry-run the current version of the agent on the event of an earlier run. */
function Again({ run, onStarted }: AgainProps) {
  const t = useAgentTexts()
  const scope = useProjectScope()
  const { event_id } = run.trigger
  const act = useAct({
    run: (dry_run: boolean) =>
      startRun(scope, run.agent_id, { dry_run, ...(event_id !== null && { event_id }) }),
    refresh: [agentsKey(scope)],
    onDone: (next) => onStarted(next.id),
  })
  if (event_id === null) return null
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="sm" busy={act.isPending} onClick={() => act.mutate(true)}>
        {t('try_again')}
      </Button>
      <Button size="sm" busy={act.isPending} onClick={() => act.mutate(false)}>
        {t('again')}
      </Button>
    </div>
  )
}
