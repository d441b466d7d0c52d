/**
 * Records one change: the entry is the last statement of the transaction that makes it, in the round
 * trip of the commit. If the work has several transactions, the first that commits is recorded, or the
 * one that stores the reply with the Idempotency-Key. A later error is added to the entry.
 */
import { Problem } from '../../../contract/errors.ts'
import { afterCommit, type Transaction } from '../../../kernel/database/database.ts'
import { withLastStatement } from '../../../kernel/database/last-statement.ts'
import { announceRecords } from '../../../kernel/jobs/record-wakeups.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'
import type { ActInput } from './act-input.ts'
import { kindOf } from '../kinds.ts'
import { projectIn, resourceIn, type Resource } from './resource.ts'
import { readChange, type Change } from './snapshot-store.ts'
import * as store from '../store.ts'

/** Who changes what, as far as it is known before the change. */
export interface Acting extends Pick<
  store.ActivityRow,
  'entry_point' | 'mode' | 'actor_kind' | 'actor_id' | 'operation' | 'request_id'
> {
  /** null: the project is in the result of the transaction. */
  project_id: string | null
  /** Id or name of the record in the path; null if there is none. */
  path_id: string | null
  /** The project if the result names none; without it such a change is not recorded. */
  otherwise?: string
  /** Reason of an operator. */
  note?: string
  /** Of an act of an operator: where it comes from, and its input without secrets. */
  act?: { address: string | null; input: ActInput }
}

/** Names the transaction of the effect, and its reply. */
export type NoteEffect = (tx: Transaction, reply: unknown) => void

export interface Recorded<Reply> {
  acting: Acting
  /** Whether the work calls `noteEffect`. Otherwise its first transaction is that of the effect. */
  notes_effect?: boolean
  work(noteEffect: NoteEffect): Promise<Reply>
}

export async function record<Reply>(
  runtime: Runtime,
  { acting, notes_effect = false, work }: Recorded<Reply>,
): Promise<Reply> {
  let effect: { tx: Transaction; reply: unknown } | null = null
  let entry: Entry | null = null
  // Timers and background work that the operation starts inherit its context.
  let is_over = false
  const choose = async (tx: Transaction, result: unknown) => {
    if (is_over || entry !== null || (notes_effect && effect?.tx !== tx)) return null
    const found = rowOf(runtime, acting, effect?.reply ?? result)
    if (found === null) return null
    const row = acting.act ? { ...found, ...(await changeOf(runtime, tx, found)) } : found
    const mine: Entry = { row, tx, is_committed: false }
    entry = mine
    afterCommit(tx, () => {
      mine.is_committed = true
      if (is_over) announce(runtime, row)
    })
    return store.insertQuery(tx, row)
  }
  const noteEffect: NoteEffect = (tx, reply) => void (effect = { tx, reply })
  const written = (): Entry | null => entry
  try {
    const reply = await withLastStatement(choose, () => work(noteEffect))
    await addReply(runtime, written(), resourceIn(reply, acting.path_id))
    return reply
  } catch (error) {
    if (written()?.is_committed === true) await addError(runtime, written(), error)
    throw error
  } finally {
    is_over = true
    // Not after the first commit, because later transactions may change what readers want to see.
    const done = written()
    if (done?.is_committed === true) announce(runtime, done.row)
  }
}

function announce(runtime: Runtime, { project_id, resource_type }: store.ActivityRow): void {
  announceRecords(runtime, project_id, 'activity')
  const kind = kindOf(resource_type)
  if (kind) announceRecords(runtime, project_id, kind)
}

/** An entry that is in a transaction. Within a joined transaction it is committed later. */
interface Entry {
  row: store.ActivityRow
  tx: Transaction
  is_committed: boolean
}

function rowOf(runtime: Runtime, acting: Acting, value: unknown): store.ActivityRow | null {
  const { path_id, otherwise: _, note = null, act = null, ...known } = acting
  const project_id = projectOf(acting, value)
  if (project_id === null) return null
  return {
    ...known,
    ...resourceIn(value, path_id),
    project_id,
    id: newId(runtime.clock),
    created_at: runtime.clock.now(),
    resource_type: /^[^. ]+/.exec(known.operation)?.[0] ?? known.operation,
    changes: 1,
    error: null,
    note,
    address: null,
    input: null,
    ...act,
    before: null,
    after: null,
  }
}

/** The project of an entry; null if nothing was changed. */
function projectOf(acting: Acting, value: unknown): string | null {
  const { operation, entry_point, otherwise = null } = acting
  const is_operator = entry_point === 'operator'
  // An act on a record that does not exist has no result, and changed nothing.
  if (is_operator && value === false) return null
  const is_missing = is_operator && (value === null || value === undefined)
  return acting.project_id ?? projectIn(value, operation) ?? (is_missing ? null : otherwise)
}

/** The columns that the act has changed, before and after. */
function changeOf({ db }: Runtime, tx: Transaction, row: store.ActivityRow): Promise<Change> {
  const { email } = Object(row.input)
  const address = typeof email === 'string' ? email.trim().toLowerCase() : null
  return readChange(tx, db, { ...row, email: address })
}

/** Adds the record that only the reply names. */
async function addReply(runtime: Runtime, entry: Entry | null, found: Resource): Promise<void> {
  // The entry of an operator is never changed after its transaction.
  if (entry === null || found.resource_id === null || isKeptAct(entry)) return
  const { row } = entry
  const isSame = row.resource_id === found.resource_id
  if (isSame && (found.resource_name === null || row.resource_name !== null)) return
  await complete(runtime, entry, found)
}

async function addError(runtime: Runtime, entry: Entry | null, error: unknown): Promise<void> {
  const slug = error instanceof Problem ? error.slug : 'internal_error'
  if (entry === null) return
  if (isKeptAct(entry)) return addFailure(runtime, { ...entry.row, error: slug })
  await complete(runtime, entry, { error: slug })
}

/** Whether the entry is in the audit log of operators, to which entries are only added. */
function isKeptAct({ row, is_committed }: Entry): boolean {
  return is_committed && row.input !== null
}

/** Adds an entry about an act that failed after its first transaction. */
async function addFailure({ db, clock, log }: Runtime, row: store.ActivityRow): Promise<void> {
  const entry = { ...row, id: newId(clock), created_at: clock.now(), before: null, after: null }
  try {
    await db.writeAlone?.(store.insertQuery(db, entry))
  } catch (error) {
    log.warn({ err: error }, 'a failed act of an operator could not be recorded')
  }
}

/** A failure loses a detail of the entry, not the reply. */
async function complete(
  { db, log }: Runtime,
  { row, tx, is_committed }: Entry,
  more: Partial<store.Completion>,
): Promise<void> {
  const query = store.completeQuery(db, { ...row, ...more })
  try {
    if (is_committed) await db.writeAlone?.(query)
    else await tx.executeQuery(query)
  } catch (error) {
    log.warn({ err: error }, 'an entry of the activity could not be completed')
  }
}
