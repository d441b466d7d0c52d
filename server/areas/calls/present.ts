/** Presents a call: names each field of the reply. */
import { euroFromMicro, type MicroEuro } from '../../kernel/values/money.ts'
import { endStatuses, hangupCauses, runningStatuses } from '../call-plans/schema.ts'
import type { Call, CallDetail, Summary } from './schema.ts'
import type { LeftMessage } from './messages/message-store.ts'
import type { CallRow, ListedCall } from './store.ts'

export function present(row: ListedCall): Call {
  return {
    id: row.id,
    direction: row.direction,
    from: row.from_number,
    to: row.to_number,
    status: known([...runningStatuses, ...endStatuses], row.status),
    purpose: row.purpose,
    created_at: row.created_at.toISOString(),
    started_at: row.started_at.toISOString(),
    answered_at: row.answered_at?.toISOString() ?? null,
    ended_at: row.ended_at?.toISOString() ?? null,
    duration_sec: spokenSeconds(row),
    hangup_cause: row.hangup_cause === null ? null : known(hangupCauses, row.hangup_cause),
    hangup_by: row.hangup_by,
    has_summary: row.summary_ready_at !== null,
    summary_ready_at: row.summary_ready_at?.toISOString() ?? null,
    test: row.test,
  }
}

/** Seconds from the answer to the end; 0 for a call that is unanswered or running. */
function spokenSeconds({ answered_at, ended_at }: ListedCall): number {
  return answered_at && ended_at
    ? Math.round((ended_at.getTime() - answered_at.getTime()) / 1000)
    : 0
}

export function presentDetail(
  row: CallRow,
  messages: readonly LeftMessage[],
  cost_micro: MicroEuro,
): CallDetail {
  return {
    ...present(row),
    cost_eur: euroFromMicro(cost_micro),
    number_id: row.number_id,
    instructions: row.instructions,
    language: row.language,
    path: row.path,
    transcript: row.transcript.map(({ role, text, at, node_id, sources = [] }) => {
      return { role, text, at, node_id, sources }
    }),
    summary: presentSummary(row),
    messages: messages.map(({ id, kind, text, left_at }) => ({
      id,
      kind,
      text,
      left_at: left_at.toISOString(),
    })),
  }
}

export function presentSummary({ summary }: CallRow): Summary | null {
  return (
    summary && {
      text: summary.text,
      topics: summary.topics,
      sentiment: summary.sentiment,
      action_items: summary.action_items,
      next_step: summary.next_step,
    }
  )
}

/** Narrows the text of a column to the published values. The server writes no others. */
function known<Word extends string>(words: readonly Word[], text: string): Word {
  const word = words.find((one) => one === text)
  if (word === undefined) throw new Error(`"${text}" is none of ${words.join(', ')}.`)
  return word
}
