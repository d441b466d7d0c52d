/** SQL of documents and declarations. */
import type { Insertable, Selectable } from 'kysely'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type {
  VerificationDeclarationsTable,
  VerificationDocumentsTable,
} from '../../../kernel/database/tables.ts'

export type DocumentRow = Selectable<VerificationDocumentsTable>
export type DocumentKind = DocumentRow['kind']
export type DeclarationRow = Selectable<VerificationDeclarationsTable>

interface Round {
  project_id: string
  round: number
}

export async function insert(
  tx: Transaction,
  row: Insertable<VerificationDocumentsTable>,
): Promise<void> {
  await tx.insertInto('verification_documents').values(row).execute()
}

export async function countSince(
  tx: Transaction,
  project_id: string,
  since: Date,
): Promise<number> {
  const { count } = await tx
    .selectFrom('verification_documents')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('project_id', '=', project_id)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** The token is the credential of the upload. */
export function findByToken(db: Reader, token_hash: Buffer): Promise<DocumentRow | undefined> {
  return db
    .selectFrom('verification_documents')
    .selectAll()
    .where('token_hash', '=', token_hash)
    .executeTakeFirst()
}

export function find(
  db: Reader,
  { project_id, id }: { project_id: string; id: string },
): Promise<DocumentRow | undefined> {
  return db
    .selectFrom('verification_documents')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** For operators, who may read the documents of every project. */
export function findAnywhere(db: Reader, id: string): Promise<DocumentRow | undefined> {
  return db
    .selectFrom('verification_documents')
    .selectAll()
    .where('id', '=', id)
    .where('received_at', 'is not', null)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
}

/** The received documents of this round, those that were refused included. */
export function list(db: Reader, { project_id, round }: Round): Promise<DocumentRow[]> {
  return db
    .selectFrom('verification_documents')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('round', '=', round)
    .where('received_at', 'is not', null)
    .where('removed_at', 'is', null)
    .orderBy('id')
    .execute()
}

/** Claims a link for one upload. Returns false if another upload has claimed it. */
export async function claim(
  tx: Transaction,
  { project_id, id }: DocumentRow,
  sealed_key: Buffer,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('verification_documents')
    .set({ sealed_key })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('sealed_key', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Lets a link be used again after a failed upload. */
export async function release(tx: Transaction, { project_id, id }: DocumentRow): Promise<void> {
  await tx
    .updateTable('verification_documents')
    .set({ sealed_key: null })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('received_at', 'is', null)
    .execute()
}

/** Replaces the current document of the kind by an uploaded one. */
export async function receive(
  tx: Transaction,
  row: DocumentRow,
  received: {
    content_type: string
    bytes: number
    received_at: Date
    delete_at: Date
  },
): Promise<void> {
  await tx
    .updateTable('verification_documents')
    .set({ removed_at: received.received_at })
    .where('project_id', '=', row.project_id)
    .where('kind', '=', row.kind)
    .where('received_at', 'is not', null)
    .where('removed_at', 'is', null)
    .where('refused', '=', false)
    .execute()
  await tx
    .updateTable('verification_documents')
    .set(received)
    .where('project_id', '=', row.project_id)
    .where('id', '=', row.id)
    .execute()
}

export async function remove(
  tx: Transaction,
  { project_id, id }: { project_id: string; id: string },
  removed_at: Date,
): Promise<void> {
  await tx
    .updateTable('verification_documents')
    .set({ removed_at })
    .where('project_id', '=', project_id)
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .execute()
}

/**
 * Sets when the current documents of these kinds are deleted (null: not yet), and marks them as refused
 * if the owner has to give them again.
 */
export async function scheduleDeletion(
  tx: Transaction,
  {
    project_id,
    kinds,
    ...change
  }: {
    project_id: string
    kinds: readonly DocumentKind[]
    delete_at: Date | null
    refused?: true
  },
): Promise<void> {
  if (kinds.length === 0) return
  await tx
    .updateTable('verification_documents')
    .set(change)
    .where('project_id', '=', project_id)
    .where('kind', 'in', kinds)
    .where('received_at', 'is not', null)
    .where('removed_at', 'is', null)
    .where('refused', '=', false)
    .execute()
}

export function findDeclaration(
  db: Reader,
  { project_id, round }: Round,
): Promise<DeclarationRow | undefined> {
  return db
    .selectFrom('verification_declarations')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('round', '=', round)
    .executeTakeFirst()
}

export async function replaceDeclaration(
  tx: Transaction,
  row: Insertable<VerificationDeclarationsTable>,
): Promise<void> {
  await tx
    .insertInto('verification_declarations')
    .values(row)
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(row))
    .execute()
}

export async function scheduleDeclarationDeletion(
  tx: Transaction,
  project_id: string,
  change: { delete_at: Date | null; refused?: true },
): Promise<void> {
  await tx
    .updateTable('verification_declarations')
    .set(change)
    .where('project_id', '=', project_id)
    .execute()
}
