/** The states of agents and runs as badges, and what starts an agent as a sentence. */
import { useFormat } from '../../language/format.ts'
import { Badge, type Tone } from '../../ui/display/badge.tsx'
import { useEventTexts, eventTypes } from '../webhooks/texts.ts'
import { describeSchedule } from './describe-schedule.ts'
import type { Agent, AgentTrigger, ListedRun, RunStep } from './queries.ts'
import { useAgentTexts } from './texts.ts'

const agentTones: Readonly<Record<Agent['status'], Tone>> = {
  active: 'good',
  paused: 'bad',
  disabled: 'neutral',
}

const runTones: Readonly<Record<ListedRun['status'], Tone>> = {
  queued: 'neutral',
  running: 'info',
  waiting_approval: 'warn',
  completed: 'good',
  failed: 'bad',
  canceled: 'neutral',
  timed_out: 'bad',
  limit_reached: 'warn',
  skipped: 'neutral',
}

const stepTones: Readonly<Record<RunStep['status'], Tone>> = {
  waiting_approval: 'warn',
  done: 'good',
  failed: 'bad',
  rejected: 'bad',
  skipped: 'neutral',
  would_run: 'info',
  would_wait: 'warn',
}

export function AgentBadges({ agent: { status, test } }: { agent: Agent }) {
  const t = useAgentTexts()
  return (
    <span className="flex flex-wrap items-center gap-2">
      <Badge tone={agentTones[status]} dot={status === 'active'}>
        {t(status)}
      </Badge>
      {test && <Badge>{t('test')}</Badge>}
    </span>
  )
}

export function RunBadge({ status }: Pick<ListedRun, 'status'>) {
  const t = useAgentTexts()
  return <Badge tone={runTones[status]}>{t(status)}</Badge>
}

export function StepBadge({ status }: Pick<RunStep, 'status'>) {
  const t = useAgentTexts()
  return <Badge tone={stepTones[status]}>{t(`step_${status}`)}</Badge>
}

/** What starts an agent, in a few words. */
export function useTriggerText(): (trigger: AgentTrigger) => string {
  const t = useAgentTexts()
  const say = useEventTexts()
  const format = useFormat()
  return (trigger) => {
    if (trigger.type === 'manual' || trigger.type === 'webhook') return t(`starts_${trigger.type}`)
    if (trigger.type === 'schedule') {
      const zone = trigger.timezone ?? 'UTC'
      const words = describeSchedule(trigger.cron)
      if (words === null) return t('starts_schedule', { cron: trigger.cron, zone })
      const weekday = words.kind === 'weekly' ? format.weekday(words.weekday) : ''
      return t(`starts_${words.kind}`, { ...words, weekday, zone })
    }
    const known = eventTypes.find((name) => name === trigger.event)
    return known === undefined ? trigger.event : say(known)
  }
}
