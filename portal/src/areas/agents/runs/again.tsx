/** Buttons that run or dry-run the current version of the agent on the event of an earlier run. */
import { useAct } from '../../../api/mutations.tsx'
import { useProjectScope } from '../../../api/project-scope.tsx'
import { useTexts } from '../../../language/texts.ts'
import { Button } from '../../../ui/actions/button.tsx'
import { agentsKey, startRun, type Run } from '../queries.ts'
import { agentTexts } from '../texts.ts'

export interface AgainProps {
  run: Run
  onStarted(id: string): void
}

export function Again({ run, onStarted }: AgainProps) {
  const t = useTexts(agentTexts)
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
