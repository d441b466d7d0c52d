/**
 * Applies changes of documents in order to an in-memory state. Each change sees the results of the
 * earlier ones. write.ts writes the final state as a set.
 */
import { limits } from '../../../../contract/limits.ts'
import { newId } from '../../../../kernel/values/ids.ts'
import type { Runtime } from '../../../../kernel/runtime.ts'
import type {
  DocumentRow,
  ChangeEntry,
  UniqueValueHolder,
  CollectionScope,
} from '../document-store.ts'
import { pointerTo, valueAt } from '../../field-path.ts'
import {
  digestOf,
  indexKeysOf,
  schemaMismatch,
  checkDocument,
  type CheckedDocument,
  type DocumentRefusal,
} from '../document-check.ts'
import type { Rules } from '../../collections/rules.ts'
import type { JsonObject } from '../../schema.ts'
import { isObject } from '../../../json-schema/service.ts'

interface Origin {
  source: DocumentRow['source']
  test: boolean
}

interface Create extends Origin {
  op: 'create'
  /** Default: a new id. */
  id?: string
  data: JsonObject
  /** The version of a deleted document before its deletion, if the write restores it. */
  version_before?: number
  /** An earlier check, valid while the rules are the same object. */
  prepared?: CheckedDocument
}

interface Upsert extends Origin {
  op: 'upsert'
  /** The unique field that identifies the document. */
  by: string
  data: JsonObject
  version: number | null
  /** Refuses the change if no such document exists. */
  must_exist: boolean
}

interface Alter {
  op: 'replace' | 'patch'
  id: string
  data: JsonObject
  /** The expected version; null accepts any version. */
  version: number | null
}

interface Delete {
  op: 'delete'
  id: string
  version: number | null
}

export type DocumentChange = Create | Upsert | Alter | Delete
export type ChangeResult =
  | { document: DocumentRow }
  | { deleted: string }
  | { refusal: DocumentRefusal }

export interface TrackedDocument {
  /** The stored row; null if the document is new. */
  before: DocumentRow | null
  now: DocumentRow | null
  /** The check of `now`, if it has to be written. */
  prepared: CheckedDocument | null
}

export interface WriteState {
  runtime: Runtime
  place: CollectionScope
  /** The timestamp of all changes. */
  now: Date
  rules: Rules
  /** The documents of the changes, by id. */
  tracked: Map<string, TrackedDocument>
  /** Document id by unique field and value. */
  holders: Map<string, string>
  document_count: number
  documents_added: number
  bytes_left: number
  bytes_added: number
  entries: ChangeEntry[]
}

export interface WriteStart extends Pick<
  WriteState,
  'runtime' | 'place' | 'rules' | 'document_count' | 'bytes_left'
> {
  rows: readonly DocumentRow[]
  holders: readonly UniqueValueHolder[]
}

export function newWriteState({ rows, holders, ...start }: WriteStart): WriteState {
  return {
    ...start,
    now: start.runtime.clock.now(),
    tracked: new Map(rows.map((row) => [row.id, { before: row, now: row, prepared: null }])),
    holders: new Map(holders.map((one) => [nameOf(one.field, one.digest), one.document_id])),
    documents_added: 0,
    bytes_added: 0,
    entries: [],
  }
}

function nameOf(field: string, digest: Buffer): string {
  return `${digest.toString('base64')} ${field}`
}

/** Applies a change to the state, or returns its refusal and leaves the state unchanged. */
export function applyChange(state: WriteState, change: DocumentChange): ChangeResult {
  if (change.op === 'create') return create(state, change)
  if (change.op === 'upsert') return upsert(state, change)
  // PostgreSQL writes UUIDs in lower case; a client may use upper case.
  const tracked = state.tracked.get(change.id.toLowerCase())
  const current = tracked?.now
  if (!current) return { refusal: missing }
  const outdated = versionRefusal(current, change.version)
  if (outdated) return { refusal: outdated }
  if (change.op === 'delete') return remove(state, tracked, current)
  const data = change.op === 'patch' ? mergePatch(current.data, change.data) : change.data
  return put(state, {
    id: current.id,
    tracked,
    checked: checkDocument(state.rules, data),
    origin: current,
  })
}

const missing: DocumentRefusal = {
  slug: 'not_found',
  detail: 'The collection has no document with this id.',
}

function versionRefusal(current: DocumentRow, wanted: number | null): DocumentRefusal | null {
  if (wanted === null || wanted === current.version) return null
  const detail = `The document now has version ${current.version}, not ${wanted}.`
  return { slug: 'version_conflict', detail, current_version: current.version }
}

/** A document that does not exist yet. */
const untracked: TrackedDocument = { before: null, now: null, prepared: null }

function create(state: WriteState, change: Create): ChangeResult {
  const { rules, runtime } = state
  const known = change.prepared?.rules === rules ? change.prepared : null
  const checked = known ?? checkDocument(rules, change.data)
  const origin = change
  if (change.id === undefined) {
    return put(state, { id: newId(runtime.clock), tracked: untracked, checked, origin })
  }
  const id = change.id.toLowerCase()
  const tracked = state.tracked.get(id) ?? untracked
  if (tracked.now) {
    return {
      refusal: schemaMismatch([{ path: '', message: 'A document with this id already exists.' }]),
    }
  }
  return put(state, { id, tracked, checked, origin })
}

function upsert(state: WriteState, change: Upsert): ChangeResult {
  const field = state.rules.fields.find(({ name, unique }) => unique && name === change.by)
  const digest = field ? digestOf(valueAt(change.data, field.path)) : null
  if (!field || !digest) {
    const path = field ? pointerTo(field.path) : ''
    return { refusal: schemaMismatch([{ path, message: `must have a value of ${change.by}` }]) }
  }
  const { version, data } = change
  const id = state.holders.get(nameOf(field.name, digest))
  if (id !== undefined) return applyChange(state, { op: 'replace', id, data, version })
  if (!change.must_exist) return create(state, { ...change, op: 'create' })
  const detail = 'If-Match requires an existing document, but none has this value.'
  return { refusal: { slug: 'version_conflict', detail } }
}

interface Put {
  id: string
  tracked: TrackedDocument
  checked: CheckedDocument | { refusal: DocumentRefusal }
  origin: Origin & Pick<Create, 'version_before'>
}

function put(state: WriteState, { id, tracked, checked, origin }: Put): ChangeResult {
  if ('refusal' in checked) return checked
  const { now: current } = tracked
  const refusal = limitRefusal(state, current, checked) ?? uniqueRefusal(state, id, checked)
  if (refusal) return { refusal }
  const { now, place } = state
  const document: DocumentRow = {
    project_id: place.project_id,
    collection_id: place.collection_id,
    id,
    data: checked.data,
    version: (current?.version ?? origin.version_before ?? 0) + 1,
    source: origin.source,
    bytes: checked.bytes,
    test: origin.test,
    created_at: current?.created_at ?? now,
    updated_at: now,
  }
  if (current) releaseValues(state, current)
  for (const { field, digest } of checked.keys) {
    if (digest) assignValue(state, nameOf(field, digest), id)
  }
  keep(state, tracked, { id, document, prepared: checked })
  return { document }
}

function remove(state: WriteState, tracked: TrackedDocument, current: DocumentRow): ChangeResult {
  releaseValues(state, current)
  keep(state, tracked, { id: current.id, document: null, prepared: null })
  return { deleted: current.id }
}

/** Releases the unique values of a document. */
function releaseValues(state: WriteState, current: DocumentRow): void {
  for (const { field, digest } of indexKeysOf(state.rules.fields, current.data)) {
    const name = digest && nameOf(field, digest)
    if (name && state.holders.get(name) === current.id) assignValue(state, name, null)
  }
}

/** Assigns a unique value to a document; null releases it. */
function assignValue({ holders }: WriteState, name: string, id: string | null): void {
  if (id === null) holders.delete(name)
  else holders.set(name, id)
}

interface Kept {
  id: string
  document: DocumentRow | null
  prepared: CheckedDocument | null
}

function keep(state: WriteState, tracked: TrackedDocument, { id, document, prepared }: Kept): void {
  const grown = bytesOf(document) - bytesOf(tracked.now)
  const added = Number(document !== null) - Number(tracked.now !== null)
  state.bytes_added += grown
  state.bytes_left -= grown
  state.documents_added += added
  state.document_count += added
  state.tracked.set(id, { before: tracked.before, now: document, prepared })
  const kind = !document ? 'deleted' : tracked.now ? 'updated' : 'created'
  const version = document?.version ?? null
  state.entries.push({ kind, document_id: id, version, created_at: state.now })
}

function bytesOf(document: DocumentRow | null): number {
  return document?.bytes ?? 0
}

function limitRefusal(
  state: WriteState,
  current: DocumentRow | null,
  { bytes }: CheckedDocument,
): DocumentRefusal | null {
  if (!current && state.document_count >= limits.documents_per_collection_max) {
    const detail = `The collection already has ${state.document_count} documents, so no more can be added.`
    return { slug: 'document_limit_reached', detail }
  }
  const grown = bytes - (current?.bytes ?? 0)
  if (grown <= 0 || grown <= state.bytes_left) return null
  const left = Math.max(0, state.bytes_left)
  const detail = `The plan allows ${left} more bytes of data, but this needs ${grown}.`
  return { slug: 'plan_limit_reached', detail }
}

function uniqueRefusal(
  { rules, holders }: WriteState,
  id: string,
  prepared: CheckedDocument,
): DocumentRefusal | null {
  if (holders.size === 0) return null
  const taken = prepared.keys.flatMap(({ field, digest }) => {
    const holder = digest ? holders.get(nameOf(field, digest)) : undefined
    if (holder === undefined || holder === id) return []
    const path = rules.fields.find(({ name }) => name === field)?.path ?? []
    return [{ path: pointerTo(path), message: 'Another document already has this value.' }]
  })
  return taken.length > 0 ? schemaMismatch(taken) : null
}

/**
 * JSON Merge Patch (RFC 7396): sets the named members, removes those that are null and keeps the others.
 * Returns the patched target. Modifies neither argument.
 */
export function mergePatch(
  target: unknown,
  patch: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  // A Map, because a field may be named `__proto__`.
  const merged = new Map(isObject(target) ? Object.entries(target) : [])
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name)
    else merged.set(name, isObject(value) ? mergePatch(merged.get(name), value) : value)
  }
  return Object.fromEntries(merged)
}
