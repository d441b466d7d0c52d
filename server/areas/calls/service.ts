/**
 * The rules of calls. A simulated call runs through the same plan, relay and assistant as a
 * carrier's call, and is written once with its event when it has ended. A call that the assistant
 * handled gets a summary; a job creates it if the request that ran the call could not.
 */
import type { Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { refuseSlowSearch } from '../../contract/problems/search-timeout.ts'
import { readPage } from '../../contract/schema/pages.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { newId } from '../../kernel/values/ids.ts'
import { euroFromMicro } from '../../kernel/values/money.ts'
import { openScriptedLine } from '../../providers/carrier/scripted-line.ts'
import * as billing from '../billing/service.ts'
import * as callPlans from '../call-plans/service.ts'
import * as numbers from '../numbers/service.ts'
import * as projects from '../projects/service.ts'
import { conductCall, type Conducted } from './conversation/conduct.ts'
import { listMessagesOfCall, type NewMessage } from './messages/message-store.ts'
import { present, presentDetail } from './present.ts'
import { announceEnd } from './record.ts'
import type { CallDetail, CallPage, CallsQuery, TestCallInput } from './schema.ts'
import * as store from './store.ts'
import { writeSummary } from './conversation/summarise.ts'

export { hangUp, transfer } from './live/control.ts'
export { readCallReference } from './live/addresses.ts'
export { takeCallback, tell, type Reaction } from './live/callbacks.ts'
export { runRelay } from './live/session.ts'
export type { RelaySocket } from './live/relay-line.ts'
export { listConsents, recordConsent, withdrawConsent } from './outbound/consents.ts'
export { place } from './outbound/place.ts'

const FROM_BY_DEFAULT = '+447700900001'

export async function list(caller: Caller, query: CallsQuery): Promise<CallPage> {
  const { project, db } = caller
  const { limit, cursor, since, until, q, ...equal } = query
  const words = readWords(q)
  const filters = { equal, since, until, words }
  const isFiltered = Object.keys(query).some((name) => name !== 'limit' && name !== 'cursor')
  const page = await readPage(caller, {
    // A cursor is valid for the same filters only.
    list: isFiltered ? `calls ${JSON.stringify(filters)}` : 'calls',
    query: { limit, ...(cursor !== undefined && { cursor }) },
    read: (count, after) =>
      store.list(db, { project_id: project.id, count, after, ...filters }).catch(refuseSlow(query)),
  })
  const costs_micro = await readCosts(caller, page.data)
  const data = page.data.map((row) => ({
    ...present(row),
    cost_eur: euroFromMicro(costs_micro.get(row.id) ?? 0n),
  }))
  return { data, next_cursor: page.next_cursor }
}

const refuseSlow = refuseSlowSearch(
  limits.call_search_s_max,
  'Search for fewer words, or in a shorter time with since and until.',
)

function readCosts({ db, project }: Caller, rows: readonly { id: string; created_at: Date }[]) {
  return billing.readChargedByRecord(db, projects.findPayingProject(project), rows)
}

const SEARCH_WORDS_MAX = 8

function readWords(text: string | undefined): string[] {
  const words = text?.split(/\s+/u).filter((word) => word !== '') ?? []
  if (words.length <= SEARCH_WORDS_MAX) return words
  const detail = `q has ${words.length} words; at most ${SEARCH_WORDS_MAX} are searched for.`
  throw new Problem('invalid_parameter', detail, { fields: { parameter: 'q' } })
}

export async function remove(caller: Caller, id: string): Promise<void> {
  const { db, project } = caller
  const isDeleted = await db.transact((tx) => store.remove(tx, { project_id: project.id, id }))
  if (isDeleted) return
  if (!(await store.find(db, project.id, id))) throw unknownCall()
  throw new Problem('conflict', 'This call is running. Hang up first, then delete it.')
}

/** Deletes a summary, and prevents one that is not ready yet. */
export async function removeSummary(caller: Caller, id: string): Promise<void> {
  const { db, project } = caller
  const isKnown = await db.transact((tx) => store.removeSummary(tx, { project_id: project.id, id }))
  if (!isKnown) throw unknownCall()
}

function unknownCall(): Problem {
  return new Problem('not_found', 'This project has no call with this id.')
}

export async function find(caller: Caller, id: string): Promise<CallDetail> {
  const [row, messages] = await Promise.all([
    store.find(caller.db, caller.project.id, id),
    listMessagesOfCall(caller.db, caller.project.id, id),
  ])
  if (!row) throw unknownCall()
  const costs_micro = await readCosts(caller, [row])
  return presentDetail(row, messages, costs_micro.get(id) ?? 0n)
}

/** Runs a scripted caller through the number's plan. Returns the call after it has ended. */
export async function runTestCall(caller: Caller, input: TestCallInput): Promise<CallDetail> {
  const { runtime, project, db } = caller
  const number = await numbers.find(db, project.id, input.number_id)
  if (!number?.test) throw new Problem('not_found', 'This project has no test number with this id.')
  // The time in the id, because calls are listed by id.
  const created_at = runtime.clock.now()
  const id = newId(runtime.clock)
  const call = {
    id,
    created_at,
    project_id: project.id,
    direction: 'inbound' as const,
    from: input.from ?? FROM_BY_DEFAULT,
    to: number.e164,
    language: input.language ?? null,
    plan: await callPlans.findPlanFor(db, project.id, number.id),
    target_rules: { number, own_numbers: await numbers.listE164(db, project.id) },
    spender: { project_id: project.id, area: 'voice' as const, reference_id: id, test: true },
  }
  const conducted = await conductCall(runtime, call, openScriptedLine(input.turns))
  const row = rowOf({ call, conducted, number_id: number.id })
  const messages = conducted.messages.map(({ text, kind, mailed, at_ms }) => ({
    project_id: project.id,
    id: newId(runtime.clock),
    call_id: call.id,
    text,
    kind,
    mailed,
    left_at: new Date(
      new Date(row.ended_at ?? created_at).getTime() - conducted.duration_ms + at_ms,
    ),
  }))
  await keep(runtime, row, messages)
  if (row.wants_summary) await writeSummary(runtime, { project_id: project.id, call_id: call.id })
  return find(caller, id)
}

type NewCall = Parameters<typeof store.insert>[1]

interface Ended {
  call: { id: string; created_at: Date; project_id: string; from: string; to: string }
  conducted: Conducted
  number_id: string
}

/**
 * Creates the row of a call on a line with its own clock: the call ends now and began its duration
 * earlier.
 */
function rowOf({ call, conducted, number_id }: Ended): NewCall {
  const { outcome, path, answered_ms, duration_ms, lines, language } = conducted
  const ended_ms = call.created_at.getTime()
  const time = (at_ms: number) => new Date(ended_ms - duration_ms + at_ms)
  return {
    project_id: call.project_id,
    id: call.id,
    number_id,
    direction: 'inbound',
    purpose: null,
    instructions: null,
    from_number: call.from,
    to_number: call.to,
    status: outcome.status,
    hangup_cause: outcome.hangup_cause,
    hangup_by: outcome.hangup_by,
    language,
    created_at: call.created_at,
    started_at: time(0),
    answered_at: answered_ms === null ? null : time(answered_ms),
    ended_at: time(duration_ms),
    path,
    transcript: JSON.stringify(
      lines.map(({ role, text, at_ms, node_id, sources = [] }) => ({
        role,
        text,
        at: time(at_ms).toISOString(),
        node_id,
        sources,
      })),
    ),
    wants_summary: outcome.status === 'ai_handled',
    test: true,
  }
}

/** Writes the call with what follows from its end. */
async function keep(
  runtime: Runtime,
  row: NewCall,
  messages: readonly NewMessage[],
): Promise<void> {
  await runtime.db.transact(async (tx) => {
    await store.insert(tx, row)
    await announceEnd(tx, runtime, { row, messages })
  })
}
