/** Why a run ended, and how long it took. */
import { translateMessage } from '../../../language/server-texts/translate.ts'
import { useLanguage } from '../../../language/texts.ts'
import type { ListedRun } from '../queries.ts'
import { useAgentTexts } from '../texts.ts'

const reasons = [
  'overlap',
  'agent_paused',
  'event_deleted',
  'filter',
  'canceled',
  'runs_per_day',
  'steps_per_run',
  'actions_per_run',
  'emails_per_day',
  'cost_per_run',
  'cost_per_month',
  'test_free_calls_used',
  'insufficient_balance',
  'billing_blocked',
] as const

/** Why a run was skipped, failed, was canceled or reached a limit; null for any other run. */
export function useReason({ problem, reason }: Pick<ListedRun, 'problem' | 'reason'>) {
  const t = useAgentTexts()
  const language = useLanguage()
  if (problem !== null) return translateMessage(problem.user_message, language)
  const known = reasons.find((one) => one === reason)
  return known === undefined ? reason : t(`reason_${known}`)
}

/** How long a run took, waiting included; null before its end. */
export function secondsOf({
  started_at,
  ended_at,
}: Pick<ListedRun, 'started_at' | 'ended_at'>): number | null {
  if (started_at === null || ended_at === null) return null
  return Math.round((Date.parse(ended_at) - Date.parse(started_at)) / 100) / 10
}
