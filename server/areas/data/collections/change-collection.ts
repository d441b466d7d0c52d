/**
 * Changes the settings of a collection. Documents that do not match a new schema are kept and
 * counted; their next change must match. If the indexed or unique fields change, the index keys of
 * all documents are rewritten in the same transaction.
 */
import type { Caller } from '../../../contract/caller.ts'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import { createPause } from '../../../kernel/limits/slices.ts'
import { reindexCollection } from '../assistant-facts.ts'
import {
  findCollection,
  invalid,
  readSettings,
  requireOwnPrices,
  unknownCollection,
} from './collections.ts'
import * as documents from '../documents/document-store.ts'
import { scopeOf, type IndexKey } from '../documents/document-store.ts'
import type { FieldError } from '../../json-schema/service.ts'
import { indexKeysOf } from '../documents/document-check.ts'
import { presentCollection } from '../present.ts'
import { rulesOf, type Rules } from './rules.ts'
import type { ChangedCollection, CollectionChange, Misfits } from '../schema.ts'
import * as store from '../store.ts'

const READ_AT_ONCE = 200
const MISFITS_SHOWN = 20
const DUPLICATES_SHOWN = 20

export interface CollectionUpdate {
  name: string
  change: CollectionChange
  /** Returns the result without writing it. */
  dry_run: boolean
}

export async function changeCollection(
  caller: Caller,
  { name, change, dry_run }: CollectionUpdate,
): Promise<ChangedCollection> {
  const { row } = await findCollection(caller, name)
  const settings = readSettings(change, rulesOf(row).schema_json)
  const changes = { ...settings, updated_at: caller.runtime.clock.now() }
  if (dry_run) {
    const after = store.withSettings(row, changes)
    requireOwnPrices(after)
    const misfits = await review(caller.db, { before: row, after, change })
    return { ...presentCollection({ ...after, updated_at: row.updated_at }), misfits }
  }
  return caller.db.transact(async (tx) => {
    const before = await store.lockCollection(tx, row)
    if (!before) throw unknownCollection()
    const after = await store.changeCollection(tx, row, changes)
    requireOwnPrices(after)
    const misfits = await review(tx, { before, after, change })
    if (needsKeys(before, after)) await writeKeys(tx, after)
    await reindexCollection(tx, { before, after }, () => readAll(tx, after))
    return { ...presentCollection(after), misfits }
  })
}

interface Review {
  before: store.CollectionRow
  after: store.CollectionRow
  change: CollectionChange
}

/**
 * Reads all documents if the schema or a unique field changes. Throws if a new unique field has
 * duplicates.
 */
async function review(db: Reader, { before, after, change }: Review): Promise<Misfits | null> {
  const rules = rulesOf(after)
  const added = after.unique_fields.filter((name) => !before.unique_fields.includes(name))
  if (change.schema === undefined && added.length === 0) return null
  const collected = change.schema === undefined ? null : collectMisfits(rules)
  const duplicates = collectDuplicates(rules, { added, all: after.unique_fields })
  const pause = createPause()
  for await (const rows of readAll(db, after)) {
    for (const row of rows) {
      collected?.add(row)
      duplicates.add(row)
      await pause()
    }
  }
  const faults = duplicates.faults()
  if (faults.length > 0) throw invalid(faults)
  return collected?.misfits ?? null
}

type Row = Awaited<ReturnType<typeof documents.readDocuments>>[number]

function collectMisfits({ schema }: Rules) {
  const misfits: Misfits = { count: 0, first: [] }
  return {
    misfits,
    add({ id, data }: Row) {
      const errors = schema.check(data)
      if (errors.length === 0) return
      misfits.count += 1
      if (misfits.first.length < MISFITS_SHOWN) misfits.first.push({ id, errors })
    },
  }
}

/** Collects duplicate values of the new unique fields. */
function collectDuplicates(rules: Rules, names: { added: string[]; all: string[] }) {
  const fields = rules.fields.filter(({ name }) => names.added.includes(name))
  const first = new Map<string, string>()
  const found: FieldError[] = []
  return {
    add({ id, data }: Row) {
      for (const { field, digest } of indexKeysOf(fields, data)) {
        const value = digest && `${digest.toString('base64')} ${field}`
        const holder = value && first.get(value)
        if (value && !holder) first.set(value, id)
        if (!holder || found.length >= DUPLICATES_SHOWN) continue
        const path = `/unique/${names.all.indexOf(field)}`
        found.push({ path, message: `is shared by the documents ${holder} and ${id}` })
      }
    },
    faults: () => found,
  }
}

function needsKeys(before: store.CollectionRow, after: store.CollectionRow): boolean {
  const keyed = (row: store.CollectionRow) =>
    JSON.stringify(
      rulesOf(row)
        .fields.map(({ name, unique }) => [name, unique])
        .toSorted(),
    )
  return keyed(before) !== keyed(after)
}

async function writeKeys(tx: Transaction, row: store.CollectionRow): Promise<void> {
  const place = scopeOf(row)
  const { fields } = rulesOf(row)
  await documents.deleteKeys(tx, place)
  if (fields.length === 0) return
  for await (const rows of readAll(tx, row)) {
    const keys = rows.flatMap(({ id, data }): IndexKey[] =>
      indexKeysOf(fields, data).map((key) => ({ document_id: id, ...key })),
    )
    await documents.insertKeys(tx, { ...place, keys })
  }
}

async function* readAll(db: Reader, collection: store.CollectionRow): AsyncGenerator<Row[]> {
  for (let after: string | null = null; ;) {
    const page = { ...scopeOf(collection), after, count: READ_AT_ONCE }
    const rows = await documents.readDocuments(db, page)
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (!last || rows.length < READ_AT_ONCE) return
    after = last.id
  }
}
