/** SQL of proposed operations. A lookup joins the conversation, so only its person finds them. */
import type { Insertable, Selectable, Updateable } from 'kysely'
import { limits } from '../../../contract/limits.ts'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { PortalProposalsTable } from '../../../kernel/database/tables.ts'
import type { Owner } from '../store.ts'

export type ProposalRow = Selectable<PortalProposalsTable>

export interface ProposalKey {
  project_id: string
  id: string
}

export function insert(tx: Transaction, row: Insertable<PortalProposalsTable>) {
  return tx.insertInto('portal_proposals').values(row).returningAll().executeTakeFirstOrThrow()
}

function ofOwner(db: Reader, { project_id, person_id, mode }: Owner) {
  return db
    .selectFrom('portal_proposals as p')
    .innerJoin('portal_conversations as c', (join) =>
      join.onRef('c.project_id', '=', 'p.project_id').onRef('c.id', '=', 'p.conversation_id'),
    )
    .selectAll('p')
    .where('p.project_id', '=', project_id)
    .where('c.person_id', '=', person_id)
    .where('c.mode', '=', mode)
}

export function find(db: Reader, { id, ...owner }: Owner & { id: string }) {
  return ofOwner(db, owner).where('p.id', '=', id).executeTakeFirst()
}

/** Reads a proposal and locks its row until the transaction ends. */
export function lock(tx: Transaction, { id, ...owner }: Owner & { id: string }) {
  return ofOwner(tx, owner).where('p.id', '=', id).forUpdate('p').executeTakeFirst()
}

/** Returns the newest proposals of a conversation, oldest first. */
export async function list(db: Reader, { project_id, id }: ProposalKey): Promise<ProposalRow[]> {
  const rows = await db
    .selectFrom('portal_proposals')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('conversation_id', '=', id)
    .orderBy('id', 'desc')
    .limit(limits.portal_proposals_max)
    .execute()
  return rows.toReversed()
}

/** Returns the number of proposals of a conversation. */
export async function count(db: Reader, { project_id, id }: ProposalKey): Promise<number> {
  const { proposals } = await db
    .selectFrom('portal_proposals')
    .select((row) => row.fn.countAll<bigint>().as('proposals'))
    .where('project_id', '=', project_id)
    .where('conversation_id', '=', id)
    .executeTakeFirstOrThrow()
  return Number(proposals)
}

/** Changes a proposal that has this status. Returns the row, or undefined if it has another one. */
export function change(
  tx: Transaction,
  { project_id, id, from }: ProposalKey & { from: ProposalRow['status'] },
  set: Updateable<PortalProposalsTable>,
) {
  return tx
    .updateTable('portal_proposals')
    .set(set)
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('status', '=', from)
    .returningAll()
    .executeTakeFirst()
}
