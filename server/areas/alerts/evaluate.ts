/** Computes the new state of alerts after a round of checks. Pure. */
import type { Condition, Findings } from './condition.ts'
import type { AlertRow } from './store.ts'

const HOUR_MS = 3_600_000
const REMIND_MS = 24 * HOUR_MS
/** An alert about which nothing was found out for this long is over. */
const UNKNOWN_MS_MAX = HOUR_MS

export interface Known {
  now: Date
  /** How long a condition must hold, and be over. */
  hold_ms: number
  /** Pending and firing alerts. */
  open: readonly AlertRow[]
  findings: Findings
  newId(): string
}

export interface Notice {
  event: 'firing' | 'reminder' | 'resolved'
  alert: AlertRow
}

export interface Outcome {
  saved: AlertRow[]
  /** Ids of alerts whose condition ended before they fired. */
  deleted: string[]
  notices: Notice[]
}

export function evaluateAlerts(known: Known): Outcome {
  const { open, findings } = known
  const outcome: Outcome = { saved: [], deleted: [], notices: [] }
  const isSame = (one: Condition) => (row: AlertRow) =>
    row.kind === one.kind && row.subject === one.subject
  for (const row of open) {
    const condition = findings.holding.find((one) => isSame(one)(row))
    if (condition) hold(outcome, known, { ...row, detail: condition.detail })
    else if (!findings.isUnknown(row) || since(row.seen_at, known) > UNKNOWN_MS_MAX)
      clear(outcome, known, row)
  }
  const fresh = findings.holding.filter((one) => !open.some(isSame(one)))
  outcome.saved.push(...fresh.map((one) => begin(known, one)))
  return outcome
}

function since(time: Date, { now }: Known): number {
  return now.getTime() - time.getTime()
}

function begin({ now, newId }: Known, condition: Condition): AlertRow {
  return {
    ...condition,
    id: newId(),
    state: 'pending',
    began_at: now,
    seen_at: now,
    fired_at: null,
    sent_at: null,
    cleared_at: null,
    resolved_at: null,
  }
}

function hold(outcome: Outcome, known: Known, row: AlertRow): void {
  const { now, hold_ms } = known
  const held: AlertRow = { ...row, seen_at: now, cleared_at: null }
  const event = eventOf(held, known, hold_ms)
  const sent: AlertRow =
    event === null
      ? held
      : { ...held, state: 'firing', fired_at: held.fired_at ?? now, sent_at: now }
  outcome.saved.push(sent)
  if (event !== null) outcome.notices.push({ event, alert: sent })
}

function eventOf(row: AlertRow, known: Known, hold_ms: number): Notice['event'] | null {
  if (row.state === 'pending') return since(row.began_at, known) >= hold_ms ? 'firing' : null
  return row.sent_at !== null && since(row.sent_at, known) >= REMIND_MS ? 'reminder' : null
}

function clear(outcome: Outcome, known: Known, row: AlertRow): void {
  const { now, hold_ms } = known
  if (row.state === 'pending') return void outcome.deleted.push(row.id)
  const cleared_at = row.cleared_at ?? now
  if (since(cleared_at, known) < hold_ms) return void outcome.saved.push({ ...row, cleared_at })
  const resolved: AlertRow = {
    ...row,
    cleared_at,
    state: 'resolved',
    resolved_at: now,
    sent_at: now,
  }
  outcome.saved.push(resolved)
  outcome.notices.push({ event: 'resolved', alert: resolved })
}
