/**
 * Public interface of the area. `propose` creates a pending approval, decide.ts records a person's
 * decision, and execute.ts runs what was approved.
 */
import type { Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { Operation } from '../../contract/operation.ts'
import { readPage, type PageQuery } from '../../contract/schema/pages.ts'
import type { MemberCaller } from '../../contract/people.ts'
import { announceRecordsAfter } from '../../kernel/jobs/record-wakeups.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { newId } from '../../kernel/values/ids.ts'
import { createKeyedQueue } from '../../kernel/limits/keyed-queue.ts'
import { enqueue } from '../../kernel/jobs/jobs.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import type { Page } from '../../kernel/database/page.ts'
import { hashRequest, findTarget, type OperationRequest } from './input.ts'
import { notifyTeam } from './mail/mail-jobs.ts'
import { findStatusAt, present, presentListed } from './present.ts'
import { dryRun } from './decision/dry-run.ts'
import { findRunner } from './decision/runner.ts'
import type { Approval, ApprovalList, ApprovalQuery } from './schema.ts'
import { isVisible, findVisibility } from './visibility.ts'
import * as store from './store.ts'
import { readInput } from './subject.ts'
import { refresh } from './decision/refresh.ts'
import { formatSize } from '../../kernel/values/size.ts'

export { dryRun } from './decision/dry-run.ts'
export { approve, editArguments, editErrors, reject } from './decision/decide.ts'
export {
  registerRunner,
  executionModeOf,
  executionRequestId,
  findRunner,
  type OperationRunner,
  type PreparedOperation,
} from './decision/runner.ts'
export { orUnknownOutcome } from './decision/unknown-outcome.ts'
export { buildDecider, mayDecide, type Decider } from './visibility.ts'
export { costInDutch } from './mail/dutch-effects.ts'
export { findDeclaredSubject, isPassing, labelTarget, readSubject, joinNames } from './subject.ts'

export interface ApprovalProposal {
  operation: string
  /** The arguments as received. */
  given: unknown
  source: store.ApprovalRow['source']
  /** The id of the approval, if the caller chose it; an existing one is returned as it is. */
  id?: string
}

/**
 * Creates a pending approval. If the caller has proposed the same before, returns that approval.
 * Throws a Problem if a dry run fails.
 */
export async function propose(
  caller: Caller,
  { operation: name, given, source, id = newId(caller.runtime.clock) }: ApprovalProposal,
): Promise<Approval> {
  const { runtime, project } = caller
  const runner = findRunner(runtime)
  const prepared = runner.prepare(name, given)
  const { operation } = prepared
  const text = JSON.stringify(given ?? {})
  if (Buffer.byteLength(text) > limits.approval_arguments_bytes_max) throw tooLarge()
  const asked = { operation, given }
  const now = runtime.clock.now()
  const row = {
    project_id: project.id,
    id,
    operation: operation.name,
    scope: operation.scope ?? '',
    effect: effectOf(operation),
    about: operation.consent?.about ?? operation.about,
    arguments: text,
    target: findTarget(asked),
    asked_hash: hashRequest(asked),
    source,
    asked_by: caller.key_id,
    asked_as: await runner.nameOf(caller),
    mode: caller.mode,
    created_at: now,
    expires_at: new Date(now.getTime() + limits.approval_s * 1000),
    ...(await readInput(caller, asked)),
  }
  const written = await queue.run(project.id, async () => {
    await dryRun(caller, prepared)
    return write(caller, row)
  })
  return present(runtime, written)
}

/**
 * A queue for each project: its proposals take the same lock, and waiting here does not occupy a
 * connection.
 */
const queue = createKeyedQueue()

/** Inserts the row, or returns the same open proposal. */
function write(
  { runtime }: Caller,
  row: Parameters<typeof store.insert>[1],
): Promise<store.ApprovalRow> {
  return runtime.db.transact(async (tx) => {
    const { project_id } = row
    const now = runtime.clock.now()
    await store.lockProposals(tx, project_id)
    await store.expire(tx, { now, project_id })
    const known = await store.find(tx, row)
    if (known) return known
    const same = (await store.findOpenSame(tx, row)).find(
      ({ status, arguments: asked }) =>
        status === 'pending' ||
        onceKeyOf(JSON.parse(asked)) === onceKeyOf(JSON.parse(row.arguments)),
    )
    if (same) return same
    const waiting = await store.countPending(tx, project_id, now)
    if (waiting >= limits.approvals_pending_max) throw tooMany(waiting)
    await enqueue(tx, runtime, notifyTeam, {
      project_id,
      payload: { project_id },
      dedupe_key: 'waiting',
    })
    announceRecordsAfter(tx, runtime, project_id, 'approvals')
    return store.insert(tx, row)
  })
}

/**
 * Finds the reply of an executed approval whose arguments a person edited, by its original
 * arguments and Idempotency-Key. Returns null if there is none.
 */
export async function findEditedReply(
  caller: Caller,
  asked: OperationRequest,
): Promise<string | null> {
  const { project, key_id, db } = caller
  const ended = await store.listEdited(db, {
    project_id: project.id,
    asked_by: key_id,
    asked_hash: hashRequest(asked),
  })
  const same = ended.find(
    ({ arguments: now }) => onceKeyOf(JSON.parse(now)) === onceKeyOf(asked.given),
  )
  return same?.reply ?? null
}

function onceKeyOf(given: unknown): unknown {
  return Object(given)['idempotency_key']
}

function effectOf({ effect, consent }: Operation): store.ApprovalRow['effect'] {
  if (effect === 'money' || effect === 'outside') return effect
  return consent === undefined ? 'writes' : 'deletes'
}

function tooLarge(): Problem {
  const detail =
    'The arguments of an operation that needs approval are limited to ' +
    `${formatSize(limits.approval_arguments_bytes_max)}, so that the person can read them.`
  const next_step = 'Ask for less at once: a person must be able to read what they agree to.'
  return new Problem('bad_request', detail, { next_step })
}

function tooMany(waiting: number): Problem {
  return new Problem('conflict', `The project already has ${waiting} pending approvals.`, {
    user_message: `${waiting} other approvals are already waiting for you. Decide about those first.`,
    next_step:
      'Tell the user how many approvals are pending and ask them to decide in the ' +
      'portal, under Approvals, before you request more.',
  })
}

export async function list(caller: Caller, query: ApprovalQuery): Promise<ApprovalList> {
  const { status, ...page } = query
  const statuses = status === undefined ? null : [status]
  const { data, next_cursor } = await readRows(caller, { statuses, page })
  return { data: data.map((row) => presentListed(caller.runtime, row)), next_cursor }
}

interface RowsWanted {
  /** null means every status. */
  statuses: readonly store.ApprovalStatus[] | null
  page: PageQuery
}

function readRows(
  caller: Caller,
  { statuses, page }: RowsWanted,
): Promise<Page<store.ApprovalRow>> {
  const { runtime, project, db } = caller
  return readPage(caller, {
    list: ['approvals', ...(statuses ?? [])].join(' '),
    query: page,
    read: (count, after) =>
      store.list(db, {
        project_id: project.id,
        statuses,
        now: runtime.clock.now(),
        sight: findVisibility(caller),
        count,
        after,
      }),
    bytesOf: (row) => Buffer.byteLength(row.arguments),
  })
}

/** An approval as the portal shows it, with the decider's email. */
export type ApprovalOfTeam = Approval & { decided_email: string | null }

export async function findForTeam(caller: MemberCaller, id: string): Promise<ApprovalOfTeam> {
  const { runtime } = caller
  return presentToTeam(runtime, await refresh(runtime, await findRow(caller, id)))
}

function presentToTeam(runtime: Runtime, row: store.ApprovalRow): ApprovalOfTeam {
  return { ...present(runtime, row), decided_email: row.decided_email }
}

export async function find(caller: Caller | MemberCaller, id: string): Promise<Approval> {
  const { runtime } = caller
  const row = await findRow(caller, id)
  return present(runtime, 'person' in caller ? await refresh(runtime, row) : row)
}

/** Returns the outcome of an approval, for the work that waits for it; null if it does not exist. */
export async function findOutcome(
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  key: store.ApprovalKey,
): Promise<Pick<store.ApprovalRow, 'status' | 'reply' | 'problem' | 'note' | 'arguments'> | null> {
  const row = await store.find(db, key)
  return row ? { ...row, status: findStatusAt(row, clock.now()) } : null
}

/** Rejects a pending approval whose requester no longer wants it. */
export function withdraw(
  tx: Transaction,
  { clock }: Pick<Runtime, 'clock'>,
  key: store.ApprovalKey,
): Promise<void> {
  const now = clock.now()
  return store.changePending(tx, key, { status: 'rejected', decided_at: now, ended_at: now })
}

async function findRow(caller: Caller, id: string): Promise<store.ApprovalRow> {
  const row = await store.find(caller.db, { project_id: caller.project.id, id })
  if (row && isVisible(row, findVisibility(caller))) return row
  throw new Problem('not_found', 'There is no approval with this id.')
}
