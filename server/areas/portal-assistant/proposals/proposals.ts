/**
 * Operations that wait for a person's click. The person confirms a hash of the exact arguments and
 * the cost; each proposal runs at most once, as that person, with the rights of that moment. Nothing
 * that a model or a text says can run one.
 */
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { MemberCaller } from '../../../contract/people.ts'
import { withoutShownOnce } from '../../../contract/schema/shown-once.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import { newId } from '../../../kernel/values/ids.ts'
import type { PortalProposal, ProposalDecision, ProposalEdit, ProposalInput } from '../schema.ts'
import * as conversations from '../store.ts'
import { findToolbox } from '../toolbox.ts'
import { ownerOf } from '../owner.ts'
import { presentProposal, statusOf } from './present.ts'
import * as store from './store.ts'
import { sha256 } from '../../../kernel/secrets/crypto.ts'

const ARGUMENTS_BYTES_MAX = 65_536
const REPLY_BYTES_MAX = 65_536
/** What was only read can be read again. */
const READ_REPLY_BYTES_MAX = 8_192

export interface Proposing {
  conversation_id: string
  /** The answer that proposes it; null for a form that the person submitted. */
  message_id: string | null
  operation: string
  given: Record<string, unknown>
}

/** Stores an operation for the person's decision. Throws a Problem if it could not be carried out. */
export async function propose(caller: MemberCaller, asked: Proposing): Promise<PortalProposal> {
  const { runtime, project } = caller
  const { clock } = runtime
  const id = newId(clock)
  const text = JSON.stringify(asked.given)
  if (Buffer.byteLength(text) > ARGUMENTS_BYTES_MAX)
    throw new Problem('bad_request', 'The arguments of a proposal are limited to 64 kB.')
  const described = await describe(caller, { name: asked.operation, given: asked.given, id })
  const now = clock.now()
  const row = await runtime.db.transact(async (tx) => {
    await requireRoom(tx, caller, asked.conversation_id)
    return store.insert(tx, {
      project_id: project.id,
      id,
      conversation_id: asked.conversation_id,
      message_id: asked.message_id,
      ...described,
      arguments: text,
      status: 'pending',
      reply: null,
      problem: null,
      created_at: now,
      expires_at: new Date(now.getTime() + limits.portal_proposal_s * 1000),
      begun_at: null,
      ended_at: null,
    })
  })
  return presentProposal(runtime, row)
}

/** Locks the conversation. Throws a Problem if it takes no more proposals. */
async function requireRoom(tx: Transaction, caller: MemberCaller, id: string): Promise<void> {
  const conversation = await conversations.lock(tx, { ...ownerOf(caller), id })
  if (!conversation) throw unknownConversation()
  const { portal_proposals_max } = limits
  if ((await store.count(tx, conversation)) < portal_proposals_max) return
  const detail = `The conversation has ${portal_proposals_max} proposals, and that is the most.`
  const next_step = 'Start a new conversation.'
  const user_message = `This conversation has become too long. ${next_step}`
  throw new Problem('conflict', detail, { user_message, next_step })
}

interface Described {
  name: string
  given: Record<string, unknown>
  /** Id of the proposal, which is its Idempotency-Key. */
  id: string
}

/** Validates the arguments and returns what the person has to know. */
async function describe(caller: MemberCaller, { name, given, id }: Described) {
  const toolbox = findToolbox(caller.runtime)
  const prepared = await prepare(caller, { name, given, id })
  const { operation } = prepared
  const loss = await prepared.findLoss(caller)
  const cost = toolbox.costOf({ operation, given }, caller)
  return {
    operation: operation.name,
    effect: operation.effect,
    about: operation.consent?.about ?? operation.about,
    cost,
    subject: await prepared.findSubject(caller),
    loss: loss?.about ?? null,
    input_hash: hashProposal({ operation: operation.name, given, cost }),
  }
}

async function prepare(caller: MemberCaller, { name, given, id }: Described) {
  const toolbox = findToolbox(caller.runtime)
  const known = toolbox.find(name)
  if (known === null) throw unknownOperation(name)
  await toolbox.allow(known.operation, caller)
  return toolbox.prepare(name, { given, once: `portal-${id}` })
}

export function unknownOperation(name: string): Problem {
  const detail = `The assistant has no operation ${JSON.stringify(name.slice(0, 100))}.`
  return new Problem('not_found', detail, {
    user_message: 'The assistant cannot do that for you.',
    next_step: 'Use the page of the portal, or ask for something else.',
  })
}

/** A form that the person submitted. A reading operation runs at once. */
export async function submit(caller: MemberCaller, input: ProposalInput): Promise<PortalProposal> {
  const { conversation_id, operation, arguments: given } = input
  const key = { ...ownerOf(caller), id: conversation_id }
  if (!(await conversations.find(caller.db, key))) throw unknownConversation()
  const made = await propose(caller, {
    conversation_id,
    message_id: null,
    operation,
    given: { ...given },
  })
  return made.effect === 'read' ? run(caller, made.id, made) : made
}

export async function run(
  caller: MemberCaller,
  id: string,
  { hash }: ProposalDecision,
): Promise<PortalProposal> {
  const { runtime } = caller
  const found = await store.find(caller.db, { ...ownerOf(caller), id })
  if (!found) throw unknownProposal()
  const given: Record<string, unknown> = JSON.parse(found.arguments)
  const prepared = await prepare(caller, { name: found.operation, given, id })
  await findToolbox(runtime).requireFresh(prepared.operation, caller)
  const now = runtime.clock.now()
  const is_dearer = await runtime.db.transact(async (tx) => {
    const row = await open(tx, caller, { id, hash })
    if (row.arguments !== found.arguments) throw changedMeanwhile('This proposal was just changed.')
    if (await repriced(tx, caller, row)) return true
    const begun = { status: 'running', begun_at: now } as const
    await store.change(tx, { ...row, from: 'pending' }, begun)
    return false
  })
  if (is_dearer) throw changedMeanwhile('The cost has changed.')
  const { live, ...outcome } = await outcomeOf(caller, prepared)
  const ended = await runtime.db.transact((tx) =>
    store.change(tx, { ...found, from: 'running' }, { ...outcome, ended_at: runtime.clock.now() }),
  )
  const shown = presentProposal(runtime, ended ?? { ...found, ...outcome })
  // Secrets that are shown once are in this response and not in the database.
  return live === null ? shown : { ...shown, reply: live }
}

async function outcomeOf(caller: MemberCaller, prepared: Awaited<ReturnType<typeof prepare>>) {
  const toolbox = findToolbox(caller.runtime)
  try {
    const text = await prepared.run(caller)
    const live: Record<string, unknown> | null = text === '' ? null : toRecord(JSON.parse(text))
    const { reply: shape, effect } = prepared.operation
    const kept = live && JSON.stringify(withoutShownOnce(shape, live))
    const bytes_max = effect === 'read' ? READ_REPLY_BYTES_MAX : REPLY_BYTES_MAX
    const reply = kept !== null && Buffer.byteLength(kept) > bytes_max ? null : kept
    return { status: 'executed' as const, reply, problem: null, live }
  } catch (error) {
    const problem = JSON.stringify(toolbox.describeProblem(error, caller))
    return { status: 'failed' as const, reply: null, problem, live: null }
  }
}

function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? { ...value }
    : { data: value }
}

export async function decline(
  caller: MemberCaller,
  id: string,
  { hash }: ProposalDecision,
): Promise<PortalProposal> {
  const { runtime } = caller
  return runtime.db.transact(async (tx) => {
    const row = await open(tx, caller, { id, hash })
    const ended = { status: 'declined', ended_at: runtime.clock.now() } as const
    const changed = await store.change(tx, { ...row, from: 'pending' }, ended)
    return presentProposal(runtime, changed ?? row)
  })
}

/** Replaces the arguments after the same checks as a proposal. It stays pending, with a new hash. */
export async function edit(
  caller: MemberCaller,
  id: string,
  { hash, arguments: given }: ProposalEdit,
): Promise<PortalProposal> {
  const { runtime } = caller
  const found = await store.find(caller.db, { ...ownerOf(caller), id })
  if (!found) throw unknownProposal()
  const text = JSON.stringify(given)
  if (Buffer.byteLength(text) > ARGUMENTS_BYTES_MAX)
    throw new Problem('bad_request', 'The arguments of a proposal are limited to 64 kB.')
  const described = await describe(caller, {
    name: found.operation,
    given: { ...given },
    id,
  })
  return runtime.db.transact(async (tx) => {
    const row = await open(tx, caller, { id, hash })
    const set = { ...described, arguments: text }
    const changed = await store.change(tx, { ...row, from: 'pending' }, set)
    return presentProposal(runtime, changed ?? row)
  })
}

/** Locks a proposal that can still be decided. Throws a Problem for any other one. */
async function open(
  tx: Transaction,
  caller: MemberCaller,
  { id, hash }: { id: string; hash: string },
): Promise<store.ProposalRow> {
  const row = await store.lock(tx, { ...ownerOf(caller), id })
  if (!row) throw unknownProposal()
  const status = statusOf(row, caller.runtime.clock.now())
  if (status !== 'pending') throw decidedAlready(status)
  if (row.input_hash.toString('hex') !== hash)
    throw changedMeanwhile('This proposal was changed since you read it.')
  return row
}

/** Stores a changed price. Returns true if it changed; the person has to confirm the new one. */
async function repriced(
  tx: Transaction,
  caller: MemberCaller,
  row: store.ProposalRow,
): Promise<boolean> {
  const given: unknown = JSON.parse(row.arguments)
  const toolbox = findToolbox(caller.runtime)
  const known = toolbox.find(row.operation)
  if (known === null) throw unknownOperation(row.operation)
  const cost = toolbox.costOf({ operation: known.operation, given }, caller)
  if (cost === row.cost) return false
  const input_hash = hashProposal({ operation: row.operation, given, cost })
  await store.change(tx, { ...row, from: 'pending' }, { cost, input_hash })
  return true
}

function unknownConversation(): Problem {
  return new Problem('not_found', 'There is no conversation with this id.')
}

function unknownProposal(): Problem {
  return new Problem('not_found', 'There is no proposal with this id.')
}

function decidedAlready(status: PortalProposal['status']): Problem {
  const user_message =
    status === 'expired'
      ? 'This proposal has expired, so nothing was done. Ask for it again.'
      : `This proposal can no longer be decided: it is ${status}.`
  return new Problem('conflict', user_message, { user_message })
}

function changedMeanwhile(what: string): Problem {
  const user_message = `${what} Check it again before you decide.`
  return new Problem('conflict', user_message, { user_message })
}

/** The hash that a person confirms: of the operation, its exact arguments and its cost. */
function hashProposal(asked: { operation: string; given: unknown; cost: string | null }): Buffer {
  return sha256(JSON.stringify([asked.operation, inOrder(asked.given), asked.cost]))
}

/** Sorts object keys, so that their order does not change the hash. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return entries.map(([name, one]) => [name, inOrder(one)])
}
