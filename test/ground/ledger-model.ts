/**
 * The rules of the ledger once more, said in the plainest way there is: no accounts, no postings,
 * no SQL, one deed after the other. Property tests run the same deeds on the real ledger and on
 * this one, and compare what is left.
 */
export type Verb = 'topUp' | 'credit' | 'charge' | 'hold' | 'settle' | 'release'

export interface ModelDeed {
  verb: Verb
  /** The reference; a hold is settled and released under its own. */
  name: string
  amount_micro: bigint
  /** The month that a charge or a credit says it belongs to, if it says one. */
  month?: string
}

export interface ModelEntry {
  kind: 'top_up' | 'charge' | 'hold' | 'settle' | 'release'
  reference: string
  amount_micro: bigint
  balance_after_micro: bigint
  month: string
  /** Whether it took the balance from at least the threshold to below it. */
  crossed: boolean
}

export interface ModelState {
  cap_micro: bigint | null
  balance_micro: bigint
  month: string
  /** What was charged and not given back: in this month, and in those before it. */
  charged_micro: bigint
  charged_before_micro: bigint
  /** What is set aside, by the name of the hold; null once that ended. */
  holds: ReadonlyMap<string, bigint | null>
  entries: readonly ModelEntry[]
  /** What the webhooks are told. */
  events: readonly string[]
}

export type Outcome = 'billing_blocked' | 'insufficient_balance' | null

export interface Verdict {
  /** Why it was refused. Null for what was done, now or before, and for what there is nothing of. */
  outcome: Outcome
  state: ModelState
}

/** Of a project whose owner never set another one. */
const THRESHOLD_MICRO = 5_000_000n

export function newState(cap_micro: bigint | null): ModelState {
  return {
    cap_micro,
    balance_micro: 0n,
    month: '',
    charged_micro: 0n,
    charged_before_micro: 0n,
    holds: new Map(),
    entries: [],
    events: [],
  }
}

/** The first day of the calendar month of a moment, by the calendar that comes with Intl. */
export function modelMonthOf(moment: Date, zone: string): string {
  const format = (formats[zone] ??= new Intl.DateTimeFormat('en', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
  }))
  const parts = Object.fromEntries(
    format.formatToParts(moment).map(({ type, value }) => [type, value]),
  )
  return `${parts['year']}-${parts['month']}-01`
}

const formats: Record<string, Intl.DateTimeFormat> = {}

/** What a deed comes to in a calendar month, and what is there after it. */
export function judge(state: ModelState, deed: ModelDeed, month: string): Verdict {
  const now = month > state.month ? turned(state, month) : state
  const past_month = deed.month !== undefined && deed.month < month ? deed.month : null
  const verdict = verbs[deed.verb](now, deed, past_month)
  return verdict ?? { outcome: null, state }
}

function turned(state: ModelState, month: string): ModelState {
  const charged_before_micro = state.charged_before_micro + state.charged_micro
  return { ...state, month, charged_micro: 0n, charged_before_micro }
}

function heldIn({ holds }: ModelState): bigint {
  return [...holds.values()].reduce((sum: bigint, amount) => sum + (amount ?? 0n), 0n)
}

/** What counts against the cap in a calendar month. */
export function spentIn(state: ModelState, month: string): bigint {
  return heldIn(state) + (month > state.month ? 0n : state.charged_micro)
}

type Judge = (now: ModelState, deed: ModelDeed, past_month: string | null) => Verdict | null

const verbs: Record<Verb, Judge> = {
  topUp(now, { name, amount_micro }) {
    if (wasDone(now, 'top_up', name)) return null
    const event = 'balance.topped_up'
    return keep(now, { kind: 'top_up', name, amount_micro, gains_micro: amount_micro, event })
  },
  credit(now, { name, amount_micro }, past_month) {
    if (wasDone(now, 'top_up', name)) return null
    const charged_micro = past_month === null ? now.charged_micro : now.charged_before_micro
    const given_micro = amount_micro < charged_micro ? amount_micro : charged_micro
    const credit = { kind: 'top_up', name, amount_micro, gains_micro: amount_micro } as const
    return keep(now, { ...credit, past_month, charged_micro: -given_micro })
  },
  charge(now, { name, amount_micro }, past_month) {
    if (amount_micro === 0n || wasDone(now, 'charge', name)) return null
    const charge = { kind: 'charge', name, amount_micro, gains_micro: -amount_micro } as const
    const cap_micro = past_month === null ? now.cap_micro : null
    const outcome = refusal({ ...now, cap_micro }, amount_micro)
    if (outcome !== null) return { outcome, state: now }
    return keep(now, { ...charge, past_month, charged_micro: amount_micro })
  },
  hold(now, { name, amount_micro }) {
    if (wasDone(now, 'hold', name)) return null
    const hold = { kind: 'hold', name, amount_micro, gains_micro: -amount_micro } as const
    const outcome = refusal(now, amount_micro)
    if (outcome !== null) return { outcome, state: now }
    return keep(now, { ...hold, held_micro: amount_micro })
  },
  settle(now, { name, amount_micro }) {
    if (amount_micro === 0n)
      return verbs.release(now, { verb: 'release', name, amount_micro }, null)
    const held_micro = now.holds.get(name) ?? null
    if (held_micro === null) return null
    const gains_micro = held_micro - amount_micro
    const settlement = { kind: 'settle', name, amount_micro, gains_micro } as const
    const ended = { charged_micro: amount_micro, held_micro: null }
    const outcome = refusal(now, -gains_micro)
    if (outcome !== null) return { outcome, state: now }
    return keep(now, { ...settlement, ...ended })
  },
  release(now, { name }) {
    const held_micro = now.holds.get(name) ?? null
    if (held_micro === null) return null
    const release = { kind: 'release', name, amount_micro: held_micro } as const
    return keep(now, { ...release, gains_micro: held_micro, held_micro: null })
  },
}

function wasDone({ entries }: ModelState, kind: ModelEntry['kind'], name: string): boolean {
  return entries.some((entry) => entry.kind === kind && entry.reference === name)
}

function refusal(now: ModelState, takes_micro: bigint): Outcome {
  if (takes_micro <= 0n) return null
  const { cap_micro, balance_micro } = now
  const is_past_cap = cap_micro !== null && spentIn(now, now.month) + takes_micro > cap_micro
  if (is_past_cap) return 'billing_blocked'
  return takes_micro > balance_micro ? 'insufficient_balance' : null
}

interface Change {
  kind: ModelEntry['kind']
  name: string
  amount_micro: bigint
  gains_micro: bigint
  charged_micro?: bigint
  /** The month that it belongs to, if that is over. */
  past_month?: string | null
  /** What the hold of this name holds from now on. */
  held_micro?: bigint | null
  event?: string
}

function keep(before: ModelState, change: Change): Verdict {
  const { kind, name, amount_micro, gains_micro, charged_micro = 0n, held_micro, event } = change
  const { past_month = null } = change
  const holds = new Map(before.holds)
  if (held_micro !== undefined) holds.set(name, held_micro)
  const after: ModelState = {
    ...before,
    holds,
    balance_micro: before.balance_micro + gains_micro,
    ...(past_month === null
      ? { charged_micro: before.charged_micro + charged_micro }
      : { charged_before_micro: before.charged_before_micro + charged_micro }),
  }
  const unspent = (state: ModelState) => state.balance_micro + heldIn(state)
  const crossed = unspent(before) >= THRESHOLD_MICRO && unspent(after) < THRESHOLD_MICRO
  const entry: ModelEntry = {
    kind,
    reference: name,
    amount_micro,
    balance_after_micro: after.balance_micro,
    month: past_month ?? before.month,
    crossed,
  }
  const told = [...(event ? [event] : []), ...(crossed ? ['balance.low'] : [])]
  const state = {
    ...after,
    entries: [...before.entries, entry],
    events: [...before.events, ...told],
  }
  return { outcome: null, state }
}
