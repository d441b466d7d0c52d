/**
 * Creates, reads, replaces, patches and deletes single documents. Batches are in batch.ts.
 */
import assert from 'node:assert/strict'
import { isTest, type Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import {
  findCollection,
  requireReach,
  nameCollections,
  type CompiledCollection,
} from '../collections/collections.ts'
import { findDocumentIn, type DocumentRow } from './document-store.ts'
import { parseFieldPath, writeFieldPath } from '../field-path.ts'
import { checkDocument, type DocumentRefusal } from './document-check.ts'
import { authorOf } from '../history/author.ts'
import { parseFields } from '../query/fields.ts'
import { presentDocument } from '../present.ts'
import type { Document, JsonObject } from '../schema.ts'
import { showDocument } from './show.ts'
import type { DocumentChange, ChangeResult } from './write/write-state.ts'
import { findCollection as findRow } from '../store.ts'
import { writeChange } from './write/write.ts'

export type DocumentSource = DocumentRow['source']

export interface NewDocument {
  /** Default: a new id. */
  id?: string
  data: JsonObject
  source: DocumentSource
  test: boolean
}

const sources = { rest: 'api', mcp: 'agent', portal: 'portal', job: 'agent' } as const

/** The origin fields of a document that this caller creates. */
export function originOf(caller: Caller): Pick<NewDocument, 'source' | 'test'> {
  return { source: sources[caller.entry_point ?? 'rest'], test: isTest(caller) }
}

export type WriteResult = { document: DocumentRow } | { refusal: DocumentRefusal }

export async function createDocument(
  runtime: Runtime,
  collection: CompiledCollection,
  document: NewDocument,
): Promise<WriteResult> {
  // Checked here because the write holds the row lock of the collection.
  const prepared = checkDocument(collection.rules, document.data)
  if ('refusal' in prepared) return prepared
  return written(
    await writeChange(runtime, collection, {
      change: { op: 'create', ...document, prepared },
      author: null,
    }),
  )
}

function written(result: ChangeResult): WriteResult {
  assert(!('deleted' in result), 'Only a delete deletes.')
  return result
}

/** Converts a refusal to the problem for a request about a single document. */
export function problemOf({ slug, detail, errors, current_version }: DocumentRefusal): Problem {
  return new Problem(slug, detail, {
    ...(slug === 'version_conflict' && { status: 412 }),
    ...(slug === 'plan_limit_reached' && { status: 409 }),
    ...(errors && { errors }),
    ...(current_version !== undefined && { current_version }),
  })
}

export async function create(caller: Caller, name: string, data: JsonObject): Promise<Document> {
  const collection = await findCollection(caller, name)
  const document: NewDocument = { data, ...originOf(caller) }
  const written = await createDocument(caller.runtime, collection, document)
  if ('refusal' in written) throw problemOf(written.refusal)
  return presentDocument(written.document, name)
}

/** Reads with one statement because this is the most frequent request. */
export async function show(
  caller: Caller,
  { name, id }: { name: string; id: string },
  fields?: string,
): Promise<Document> {
  requireReach(caller, name)
  const shown = parseFields(fields, [])
  const project_id = caller.project.id
  const row = await findDocumentIn(caller.db, { project_id, name, id })
  if (row) return showDocument(row, name, shown)
  if (!(await findRow(caller.db, { project_id, name }))) throw await nameCollections(caller)
  throw new Problem('not_found', 'The collection has no document with this id.')
}

/** Executes a replace, patch or upsert, or creates a document again. */
export async function rewrite(
  caller: Caller,
  name: string,
  change: DocumentChange,
): Promise<Document> {
  const collection = await findCollection(caller, name)
  const result = written(
    await writeChange(caller.runtime, collection, { change, author: authorOf(caller) }),
  )
  if ('refusal' in result) throw problemOf(result.refusal)
  return presentDocument(result.document, name)
}

export interface DocumentUpdate {
  name: string
  id: string
  data: JsonObject
  /** The expected version; null accepts any version. */
  version: number | null
}

export function replace(caller: Caller, { name, ...change }: DocumentUpdate): Promise<Document> {
  return rewrite(caller, name, { op: 'replace', ...change })
}

export function patch(caller: Caller, { name, ...change }: DocumentUpdate): Promise<Document> {
  return rewrite(caller, name, { op: 'patch', ...change })
}

export async function remove(
  caller: Caller,
  { name, ...change }: Omit<DocumentUpdate, 'data'>,
): Promise<void> {
  const collection = await findCollection(caller, name)
  const result = await writeChange(caller.runtime, collection, {
    change: { op: 'delete', ...change },
    author: authorOf(caller),
  })
  if ('refusal' in result) throw problemOf(result.refusal)
}

/** Creates a document, or replaces the one with the same value in the unique field. */
export async function upsert(
  caller: Caller,
  { name, by, ...change }: Omit<DocumentUpdate, 'id'> & { by: string; must_exist: boolean },
): Promise<Document> {
  const { row } = await findCollection(caller, name)
  const path = parseFieldPath(by)
  const field = path ? writeFieldPath(path) : by
  if (!row.unique_fields.includes(field)) {
    const unique = row.unique_fields.join(', ') || 'none'
    const detail = `by must be a unique field of the collection: ${unique}.`
    throw new Problem('invalid_parameter', detail)
  }
  const origin = originOf(caller)
  return rewrite(caller, name, { op: 'upsert', by: field, ...change, ...origin })
}
