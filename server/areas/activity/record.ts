/**
 * Records one change: the entry is the last statement of the transaction that makes it, in the round
 * trip of the commit. If the work has several transactions, the first that commits is recorded, or the
 * one that stores the reply with the Idempotency-Key. A later error is added to the entry.
 */
import { Problem } from '../../contract/errors.ts'
import { afterCommit, type Transaction } from '../../kernel/database/database.ts'
import { withLastStatement } from '../../kernel/database/last-statement.ts'
import { announceRecords } from '../../kernel/jobs/record-wakeups.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { newId } from '../../kernel/values/ids.ts'
import { kindOf } from './kinds.ts'
import { projectIn, resourceIn, type Resource } from './resource.ts'
import * as store from './store.ts'

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
  const choose = (tx: Transaction, result: unknown) => {
    if (is_over || entry !== null || (notes_effect && effect?.tx !== tx)) return null
    const row = rowOf(runtime, acting, effect?.reply ?? result)
    if (row === null) return null
    const mine: Entry = { row, tx, is_committed: false }
    entry = mine
    afterCommit(tx, () => {
      mine.is_committed = true
      announceRecords(runtime, row.project_id, 'activity')
      const kind = kindOf(row.resource_type)
      if (kind) announceRecords(runtime, row.project_id, kind)
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
  }
}

/** An entry that is in a transaction. Within a joined transaction it is committed later. */
interface Entry {
  row: store.ActivityRow
  tx: Transaction
  is_committed: boolean
}

function rowOf(runtime: Runtime, acting: Acting, value: unknown): store.ActivityRow | null {
  const { path_id, otherwise = null, note = null, ...known } = acting
  const project_id = known.project_id ?? projectIn(value, known.operation) ?? otherwise
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
  }
}

/** Adds the record that only the reply names. */
async function addReply(runtime: Runtime, entry: Entry | null, found: Resource): Promise<void> {
  if (entry === null || found.resource_id === null) return
  const { row } = entry
  const isSame = row.resource_id === found.resource_id
  if (isSame && (found.resource_name === null || row.resource_name !== null)) return
  await complete(runtime, entry, found)
}

async function addError(runtime: Runtime, entry: Entry | null, error: unknown): Promise<void> {
  const slug = error instanceof Problem ? error.slug : 'internal_error'
  if (entry !== null) await complete(runtime, entry, { error: slug })
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
