/** Creates, finds, lists and deletes collections. change-collection.ts changes their settings. */
import { describeLimit } from '../../../contract/access.ts'
import { isTest, type Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import type { Loss } from '../../../contract/operation.ts'
import { readPage, type PageQuery } from '../../../contract/schema/pages.ts'
import { plans } from '../../../contract/plans.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'
import * as projects from '../../projects/service.ts'
import { unindexCollection } from '../assistant-facts.ts'
import { lowerUsage, scopeOf } from '../documents/document-store.ts'
import { deleteVersionsIn } from '../history/history-store.ts'
import { readFieldNames } from './field-names.ts'
import { schemaErrors, type CompiledSchema, type FieldError } from '../../json-schema/service.ts'
import { presentCollection } from '../present.ts'
import { rulesOf, type Rules } from './rules.ts'
import type { Collection as CollectionShape, CollectionInput, CollectionList } from '../schema.ts'
import * as store from '../store.ts'
import { formatSize } from '../../../kernel/values/size.ts'

/** A collection with its compiled rules for documents. */
export interface CompiledCollection {
  row: store.CollectionRow
  rules: Rules
  schema: CompiledSchema
}

function ready(row: store.CollectionRow): CompiledCollection {
  const rules = rulesOf(row)
  return { row, rules, schema: rules.schema }
}

/** Throws 404 for an unknown collection and 403 if a limited key does not list it. */
export async function findCollection(caller: Caller, name: string): Promise<CompiledCollection> {
  requireReach(caller, name)
  const row = await store.findCollection(caller.db, { project_id: caller.project.id, name })
  if (!row) throw await nameCollections(caller)
  return ready(row)
}

const NAMED_MAX = 20

/** The error for an unknown collection, which names those that there are. */
export async function nameCollections({ db, project, access }: Caller): Promise<Problem> {
  const all = await store.listNames(db, { project_id: project.id, limit: NAMED_MAX })
  const names = access ? all.filter((name) => access.collections.includes(name)) : all
  const which =
    names.length === 0 ? 'It has none.' : `Its collections are, for example: ${names.join(', ')}.`
  return new Problem('not_found', `${unknownCollection().detail} ${which}`)
}

/** Finds a collection for a website without a key. The caller must check public access. */
export async function findPublicCollection(
  runtime: Runtime,
  project_id: string,
  name: string,
): Promise<CompiledCollection | null> {
  const row = await store.findCollection(runtime.db, { project_id, name })
  return row ? ready(row) : null
}

export function unknownCollection(): Problem {
  return new Problem('not_found', 'This project has no collection with this name.')
}

/** Throws 403 if a limited key does not list the name, even if no such collection exists. */
export function requireReach({ access }: Caller, name: string): void {
  if (!access || access.collections.includes(name)) return
  const named = access.collections.join(', ') || 'none'
  const { it, who, advice } = describeLimit(access)
  throw new Problem(
    'forbidden',
    `${it} is limited, and the limit does not include the collection ${name}.`,
    {
      user_message: `${who} may only use these collections: ${named}.`,
      ...advice,
    },
  )
}

/** Newest first. A limited key gets only the collections it lists. */
export async function list(caller: Caller, query: PageQuery): Promise<CollectionList> {
  const names = caller.access?.collections ?? null
  const { data, next_cursor } = await readPage(caller, {
    list: 'collections',
    query,
    read: (count, after) =>
      store.listCollections(caller.db, { project_id: caller.project.id, names, count, after }),
    bytesOf: ({ schema }) => Buffer.byteLength(schema),
  })
  return { data: data.map(presentCollection), next_cursor }
}

export async function show(caller: Caller, name: string): Promise<CollectionShape> {
  return presentCollection((await findCollection(caller, name)).row)
}

/**
 * Creates a collection. The plan is read, and the collections are counted, under the row lock of
 * the project.
 */
export function create(caller: Caller, input: CollectionInput): Promise<CollectionShape> {
  const { runtime, project } = caller
  const settings = readSettings(input)
  requireOwnPrices({ ...defaults, ...settings })
  return caller.db.transact(async (tx) => {
    const locked = await projects.findLocked(tx, project.id)
    if (!locked) throw new Problem('project_deleted', 'The project of this key was deleted.')
    if (await store.findCollectionIn(tx, project.id, input.name)) {
      throw new Problem(
        'collection_name_taken',
        `The project already has a collection ${input.name}.`,
      )
    }
    const count = await store.countCollections(tx, project.id)
    const { collections_max, title } = plans[locked.plan]
    if (count >= collections_max) {
      const detail = `The project has ${count} collections; the plan ${title} has ${collections_max}.`
      throw new Problem('collection_limit_reached', detail)
    }
    const now = runtime.clock.now()
    const row = await store.insertCollection(tx, {
      ...defaults,
      title: input.name,
      ...settings,
      project_id: project.id,
      id: newId(runtime.clock),
      name: input.name,
      test: isTest(caller),
      created_at: now,
      updated_at: now,
    })
    return presentCollection(row)
  })
}

const anyObject = { type: 'object' }

const defaults = {
  schema: JSON.stringify(anyObject),
  public_write: false,
  public_read: false,
  readable_fields: '[]',
  webhook_on_insert: false,
  indexes: '[]',
  unique_fields: '[]',
  assistant_facts: false,
  form: '{"challenge":false}',
  catalogue: false,
}

/**
 * Validates the settings and returns their stored form. Throws one problem with every error.
 * `before` is the current schema.
 */
export function readSettings(
  input: Partial<CollectionInput>,
  before: unknown = anyObject,
): store.CollectionSettings {
  const { name: _name, schema, readable_fields, indexes, unique, form, ...plain } = input
  const faults: FieldError[] = []
  const schemaErrorList = schema === undefined ? [] : schemaErrors(schema)
  const readable = schemaErrorList.length > 0 ? null : (schema ?? before)
  const fields = (member: string, names: readonly string[]) =>
    JSON.stringify(readFieldNames({ member, names, schema: readable }, faults))
  for (const { path, message } of schemaErrorList) faults.push({ path: `/schema${path}`, message })
  const settings = {
    ...plain,
    ...(schema && { schema: JSON.stringify(schema) }),
    ...(readable_fields && { readable_fields: fields('readable_fields', readable_fields) }),
    ...(indexes && { indexes: fields('indexes', indexes) }),
    ...(unique && { unique_fields: fields('unique', unique) }),
    ...(form && { form: JSON.stringify(form) }),
  }
  if (faults.length > 0) throw invalid(faults)
  return settings
}

/** Throws if visitors could write the prices of products. */
export function requireOwnPrices({
  catalogue,
  public_write,
}: Pick<store.CollectionRow, 'catalogue' | 'public_write'>): void {
  if (!catalogue || !public_write) return
  const message = 'does not go with public_write, because visitors could then write prices'
  throw invalid([{ path: '/catalogue', message }])
}

export function invalid(errors: readonly FieldError[]): Problem {
  const [first] = errors
  const more = errors.length > 1 ? `, and ${errors.length - 1} more` : ''
  const detail = `${first?.path} ${first?.message.replace(/\.$/, '')}${more}.`
  return new Problem('validation_failed', detail, { errors })
}

function requireConfirmed(row: store.CollectionRow, confirm: string | undefined): void {
  const { name, document_count, bytes } = row
  if (confirm === undefined ? document_count === 0 : confirm === name) return
  const detail = `${countDocuments(document_count)} (${formatSize(Number(bytes))}) would be deleted with it.`
  const next_step = {
    rest:
      'Tell the user what would be deleted. If they agree, send it again with ' +
      `?confirm=${name}.`,
    mcp: 'Leave confirm out. The person is asked before anything is deleted.',
  }
  throw new Problem('confirmation_required', detail, { next_step })
}

/**
 * Describes the documents that a delete would also remove; null if there are none or no such collection. Throws if `confirm` is missing, before a person is asked to approve.
 */
export async function findLoss(
  caller: Caller,
  name: string,
  confirm: string | undefined,
): Promise<Loss | null> {
  requireReach(caller, name)
  const row = await store.findCollection(caller.db, { project_id: caller.project.id, name })
  if (!row || row.document_count === 0) return null
  requireConfirmed(row, confirm)
  const { document_count } = row
  return { about: `It deletes ${name} with its ${countDocuments(document_count)}.`, instead: null }
}

export function countDocuments(count: number): string {
  return `${count} ${count === 1 ? 'document' : 'documents'}`
}

/** Deletes a collection. If it has documents, `confirm` must repeat its name. */
export function remove(caller: Caller, name: string, confirm: string | undefined): Promise<void> {
  requireReach(caller, name)
  const project_id = caller.project.id
  return caller.db.transact(async (tx) => {
    const found = await store.findCollectionIn(tx, project_id, name)
    const row = found && (await store.lockCollection(tx, found))
    if (!row) throw unknownCollection()
    requireConfirmed(row, confirm)
    await unindexCollection(tx, row)
    await store.deleteCollection(tx, row)
    await deleteVersionsIn(tx, scopeOf(row))
    await lowerUsage(tx, row)
  })
}
