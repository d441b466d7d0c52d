/**
 * Documents of a project: announced, uploaded once to a link, checked by content, encrypted, and read
 * by operators only. They are in no library and have no public address.
 */
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { MemberCaller } from '../../../contract/people.ts'
import type { ProjectRow } from '../../../contract/caller.ts'
import { BlobMissing } from '../../../kernel/blobs/faults.ts'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import { createSlots } from '../../../kernel/limits/slots.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { sha256 } from '../../../kernel/secrets/crypto.ts'
import { createTokenText, isTokenText } from '../../../kernel/secrets/token-text.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { formatSize } from '../../../kernel/values/size.ts'
import * as projects from '../../projects/service.ts'
import type { DocumentInput, DocumentLink } from '../schema.ts'
import * as store from './document-store.ts'
import { decryptDocument, encryptDocument } from './encryption.ts'
import { levelOfKind, updateEvidence } from './evidence.ts'
import { inspectDocument, type InspectedDocument } from './inspect.ts'

const TOKEN_PREFIX = 'hm_document_'
const DAY_MS = 86_400_000

/** Documents in memory at once, most of them still arriving. */
const receiving = createSlots({
  name: 'documents are received',
  units: 16,
  units_each: 1,
  waiting_max: 200,
  waiting_each_max: 8,
  retry_after_s: 15,
})

export function toDocumentKey({ project_id, id }: { project_id: string; id: string }): string {
  return `${project_id}/verification/${id}`
}

/** Creates an upload link for a document. */
export async function announceDocument(
  { runtime, project }: MemberCaller,
  { kind, filename, bytes }: DocumentInput,
): Promise<DocumentLink> {
  if (bytes > limits.verification_document_bytes_max) throw tooLarge()
  const now = runtime.clock.now()
  const token = createTokenText(TOKEN_PREFIX)
  const id = newId(runtime.clock)
  const expires_at = new Date(now.getTime() + limits.upload_link_lifetime_s * 1000)
  await runtime.db.transact(async (tx) => {
    const locked = await lockProject(tx, project.id)
    requireOpen(locked, kind)
    const since = new Date(now.getTime() - DAY_MS)
    const count = await store.countSince(tx, project.id, since)
    if (count >= limits.verification_documents_per_day_max) throw tooMany()
    await store.insert(tx, {
      project_id: project.id,
      id,
      kind,
      round: locked.verification_round,
      filename: filename.trim().slice(0, 200) || 'document',
      bytes,
      token_hash: sha256(token),
      created_at: now,
      expires_at,
    })
  })
  const url = `${runtime.config.public_url}/verification/uploads/${token}`
  return { id, kind, url, method: 'PUT', expires_at: expires_at.toISOString() }
}

export interface SentDocument {
  bytes: AsyncIterable<Uint8Array>
  /** null if the header is absent. */
  content_length: number | null
}

/** Receives the bytes of a link once. Throws a Problem if they are no acceptable document. */
export async function receiveDocument(
  runtime: Runtime,
  token: string,
  sent: SentDocument,
): Promise<{ id: string; kind: store.DocumentKind; content_type: string }> {
  const row = await findLink(runtime, token)
  if ((sent.content_length ?? 0) > limits.verification_document_bytes_max) throw tooLarge()
  return receiving.run(row.project_id, async () => {
    const found = await inspectDocument(row.project_id, await readAll(sent.bytes))
    const { sealed_key, encrypted } = encryptDocument(runtime, row.id, found.bytes)
    // Only one of several concurrent uploads writes the bytes, so it cannot replace those of another.
    const claimed = await runtime.db.transact((tx) => store.claim(tx, row, sealed_key))
    if (!claimed) throw usedLink()
    try {
      await runtime.blobs.put(toDocumentKey(row), encrypted)
      await keep(runtime, row, found)
    } catch (error) {
      await runtime.blobs.remove([toDocumentKey(row)])
      await runtime.db.transact((tx) => store.release(tx, row))
      throw error
    }
    return { id: row.id, kind: row.kind, content_type: found.content_type }
  })
}

async function findLink(runtime: Runtime, token: string): Promise<store.DocumentRow> {
  const row = isTokenText(TOKEN_PREFIX, token)
    ? await store.findByToken(runtime.db, sha256(token))
    : undefined
  if (row && isUsable(row, runtime.clock.now())) return row
  throw usedLink()
}

function isUsable(row: store.DocumentRow, now: Date): boolean {
  return row.received_at === null && row.removed_at === null && row.expires_at > now
}

async function readAll(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of source) {
    bytes += chunk.length
    if (bytes > limits.verification_document_bytes_max) throw tooLarge()
    chunks.push(chunk)
  }
  if (bytes === 0) {
    const user_message = 'This file is empty.'
    throw new Problem('validation_failed', user_message, { user_message })
  }
  return Buffer.concat(chunks)
}

/** The link, the level and the account type may have changed while the bytes arrived. */
async function keep(
  runtime: Runtime,
  { project_id, id }: store.DocumentRow,
  { content_type, bytes }: InspectedDocument,
): Promise<void> {
  await runtime.db.transact(async (tx) => {
    const project = await lockProject(tx, project_id)
    const row = await store.find(tx, { project_id, id })
    const now = runtime.clock.now()
    if (!row || row.received_at !== null || row.removed_at !== null) throw withdrawn()
    if (row.round !== project.verification_round) throw withdrawn()
    requireOpen(project, row.kind)
    await store.receive(tx, row, {
      content_type,
      bytes: bytes.length,
      received_at: now,
      delete_at: new Date(now.getTime() + limits.verification_unsent_kept_s * 1000),
    })
    await updateEvidence(tx, project)
  })
}

export async function removeDocument(
  { runtime, project }: MemberCaller,
  id: string,
): Promise<void> {
  await runtime.db.transact(async (tx) => {
    const locked = await lockProject(tx, project.id)
    const row = await store.find(tx, { project_id: project.id, id })
    if (!row || row.removed_at !== null || row.refused) {
      throw new Problem('not_found', 'There is no such document.')
    }
    requireOpen(locked, row.kind)
    await store.remove(tx, row, runtime.clock.now())
    await updateEvidence(tx, locked)
  })
}

export interface OpenedDocument {
  id: string
  project_id: string
  filename: string
  content_type: string
  bytes: Buffer
}

/** Decrypts a document, for operators only. Null if it does not exist or was deleted. */
export async function openDocument(
  runtime: Runtime,
  db: Reader,
  id: string,
): Promise<OpenedDocument | null> {
  const row = await store.findAnywhere(db, id)
  if (!row?.sealed_key || row.content_type === null) return null
  try {
    const encrypted = await runtime.blobs.read(toDocumentKey(row))
    const bytes = decryptDocument(runtime, { id, sealed_key: row.sealed_key }, encrypted)
    const { project_id, filename, content_type } = row
    return { id, project_id, filename, content_type, bytes }
  } catch (error) {
    if (error instanceof BlobMissing) return null
    throw error
  }
}

export async function lockProject(tx: Transaction, project_id: string): Promise<ProjectRow> {
  const project = await projects.findLocked(tx, project_id)
  if (project) return project
  throw new Problem('not_found', 'There is no such project.')
}

/** Evidence of a level can change only while the level is neither in review nor approved. */
export function requireOpen(project: ProjectRow, kind: store.DocumentKind): void {
  const status = project[`${levelOfKind(kind)}_status`]
  if (status !== 'pending' && status !== 'approved') return
  const user_message =
    status === 'pending'
      ? 'This is in review now. Wait for the decision, or withdraw it first.'
      : 'This is approved already, so nothing is needed.'
  throw new Problem('conflict', user_message, { user_message })
}

function usedLink(): Problem {
  const user_message = 'This upload link was used or has expired. Choose the file again.'
  return new Problem('not_found', user_message, { user_message })
}

function withdrawn(): Problem {
  const user_message = 'The upload was withdrawn meanwhile. Choose the file again.'
  return new Problem('conflict', user_message, { user_message })
}

function tooLarge(): Problem {
  const limit_bytes = limits.verification_document_bytes_max
  const user_message = `The file is larger than ${formatSize(limit_bytes)}. Save it smaller, or scan it again in black and white.`
  return new Problem('file_too_large', user_message, { user_message, fields: { limit_bytes } })
}

function tooMany(): Problem {
  const user_message = 'Too many files were uploaded today. Try again tomorrow.'
  return new Problem('rate_limited', user_message, { user_message, retry_after_s: 86_400 })
}
