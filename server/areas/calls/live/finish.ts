/**
 * The end of a running call: its outcome, its charge, and what follows from it are one transaction.
 * The seconds since the answer are charged, and those of a second leg.
 */
import type { Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'
import * as billing from '../../billing/service.ts'
import type { CallOutcome } from '../../call-plans/service.ts'
import { announceEnd } from '../record.ts'
import * as store from '../store.ts'
import { removeLive, type LiveRow } from './live-store.ts'

export interface RunningCall {
  live: LiveRow
  call: store.CallRow
}

/** The most that a call of a direction costs in a number of seconds, all of them on two legs. */
export function maximumPrice(
  runtime: Runtime,
  direction: 'inbound' | 'outbound',
  seconds: number,
): bigint {
  return (
    priceOf(runtime, `call.${direction}`, seconds) + priceOf(runtime, 'call.forwarded', seconds)
  )
}

function priceOf(
  runtime: Runtime,
  item: 'call.inbound' | 'call.outbound' | 'call.forwarded',
  seconds: number,
): bigint {
  return (billing.findPrice(runtime, item) * BigInt(Math.ceil(seconds)) + 59n) / 60n
}

export async function finish(
  tx: Transaction,
  runtime: Runtime,
  { live, call, outcome }: RunningCall & { outcome: CallOutcome },
): Promise<void> {
  const now = runtime.clock.now()
  const wants_summary = outcome.status === 'ai_handled'
  await store.change(tx, call, {
    status: outcome.status,
    hangup_cause: outcome.hangup_cause,
    hangup_by: outcome.hangup_by,
    ended_at: now,
    path: live.state.path,
    wants_summary,
    ...(isSilent(call) && { transcript: silence(now) }),
  })
  await settle(tx, runtime, { live, call, now })
  await removeLive(tx, live)
  await announceEnd(tx, runtime, {
    row: { ...call, wants_summary },
    messages: toMessages(runtime, call, live.messages),
    summarise_now: true,
  })
}

export function toMessages(
  { clock }: Runtime,
  { project_id, id: call_id }: store.CallRow,
  taken: LiveRow['messages'],
) {
  return taken.map(({ text, kind, mailed, at }) => {
    return { project_id, id: newId(clock), call_id, text, kind, mailed, left_at: new Date(at) }
  })
}

/** Whether a person was called who did not answer. */
function isSilent({ purpose, answered_at, transcript }: store.CallRow): boolean {
  return purpose !== null && answered_at === null && transcript.length === 0
}

/** One line, so that the instructions are deleted when the contents of other calls are. */
function silence(now: Date): string {
  const at = now.toISOString()
  return JSON.stringify([{ role: 'system', text: 'Nobody answered.', at, node_id: null }])
}

async function settle(
  tx: Transaction,
  runtime: Runtime,
  { live, call, now }: RunningCall & { now: Date },
): Promise<void> {
  const { hold_id, held_micro, project_id } = live
  if (hold_id === null) return
  const cost_micro = costOf(runtime, { live, call, now })
  // The carrier may end a call some seconds late; nobody pays more than was agreed.
  const amount_micro = cost_micro < held_micro ? cost_micro : held_micro
  await billing.settle(tx, runtime, { project_id, hold_id, amount_micro })
}

function costOf(runtime: Runtime, { live, call, now }: RunningCall & { now: Date }): bigint {
  if (call.answered_at === null) return 0n
  const seconds = (now.getTime() - call.answered_at.getTime()) / 1000
  const bridged_ms = live.bridged_at ? now.getTime() - live.bridged_at.getTime() : 0
  const forwarded_s = bridged_ms / 1000
  return (
    priceOf(runtime, `call.${call.direction}`, seconds) +
    priceOf(runtime, 'call.forwarded', forwarded_s)
  )
}
