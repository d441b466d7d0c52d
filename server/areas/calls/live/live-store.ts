/** The SQL of running calls: what is needed between two messages of the carrier. */
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Database, Reader, Transaction } from '../../../kernel/database/database.ts'
import type { LiveCallsTable } from '../../../kernel/database/tables.ts'
import type { CallCommand, CallState } from '../../call-plans/service.ts'
import type { CallKey } from '../store.ts'
import type { Turn } from '../schema.ts'

type Stored = Selectable<LiveCallsTable>

/** Only this file writes the three columns of JSON, so they have these types. */
export interface LiveRow extends Omit<Stored, 'state' | 'commands' | 'script'> {
  state: CallState
  commands: CallCommand[]
  script: Turn[] | null
}

type Change = Omit<Updateable<LiveCallsTable>, 'state' | 'commands' | 'messages' | 'legs'> &
  Partial<Pick<LiveRow, 'state' | 'commands' | 'messages' | 'legs'>>

function encode({ state, commands, messages, legs, ...others }: Change) {
  return {
    ...others,
    ...(state && { state: JSON.stringify(state) }),
    ...(commands && { commands: JSON.stringify(commands) }),
    ...(messages && { messages: JSON.stringify(messages) }),
    ...(legs && { legs: JSON.stringify(legs) }),
  }
}

export type NewLiveCall = Pick<
  LiveRow,
  'project_id' | 'call_id' | 'state' | 'commands' | 'ends_by' | 'due_at' | 'hold_id' | 'held_micro'
> &
  Partial<Pick<LiveRow, 'carrier_id' | 'script'>>

export async function insertLive(tx: Transaction, row: NewLiveCall): Promise<void> {
  const { script = null, carrier_id = null, state, commands, ...others } = row
  const values: Insertable<LiveCallsTable> = {
    ...others,
    carrier_id,
    state: JSON.stringify(state),
    commands: JSON.stringify(commands),
    messages: '[]',
    legs: '[]',
    script: script && JSON.stringify(script),
    epoch: 0,
    reconnects: 0,
  }
  await tx.insertInto('live_calls').values(values).execute()
}

export async function findLive(db: Reader, { project_id, id }: CallKey) {
  const row = await db
    .selectFrom('live_calls')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('call_id', '=', id)
    .executeTakeFirst()
  return row as LiveRow | undefined
}

export async function lockLive(tx: Transaction, { project_id, id }: CallKey) {
  const row = await tx
    .selectFrom('live_calls')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('call_id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row as LiveRow | undefined
}

/** The call with this id at the carrier. */
export async function findByCarrierId(db: Reader, carrier_id: string): Promise<CallKey | null> {
  const row = await db
    .selectFrom('live_calls')
    .select(['project_id', 'call_id'])
    .where('carrier_id', '=', carrier_id)
    .executeTakeFirst()
  return row ? { project_id: row.project_id, id: row.call_id } : null
}

export async function changeLive(
  tx: Transaction,
  { project_id, call_id }: Pick<LiveRow, 'project_id' | 'call_id'>,
  change: Change,
): Promise<void> {
  await tx
    .updateTable('live_calls')
    .set(encode(change))
    .where('project_id', '=', project_id)
    .where('call_id', '=', call_id)
    .execute()
}

/** Marks a call as handed over to the carrier. Returns false if it was before, or has ended. */
export async function handOver(db: Database, { project_id, id }: CallKey, now: Date) {
  const { numUpdatedRows } = await db.transact((tx) =>
    tx
      .updateTable('live_calls')
      .set({ handed_over_at: now })
      .where('project_id', '=', project_id)
      .where('call_id', '=', id)
      .where('handed_over_at', 'is', null)
      .executeTakeFirst(),
  )
  return numUpdatedRows === 1n
}

export async function removeLive(
  tx: Transaction,
  { project_id, call_id }: Pick<LiveRow, 'project_id' | 'call_id'>,
): Promise<void> {
  await tx
    .deleteFrom('live_calls')
    .where('project_id', '=', project_id)
    .where('call_id', '=', call_id)
    .execute()
}

/** Running calls that should have heard from the carrier, or ended, before now. */
export async function listDue(db: Reader, now: Date, count: number): Promise<CallKey[]> {
  const rows = await db
    .selectFrom('live_calls')
    .select(['project_id', 'call_id'])
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(count)
    .execute()
  return rows.map(({ project_id, call_id }) => ({ project_id, id: call_id }))
}
