/** Parses and validates a group query. */
import { Problem } from '../../../../contract/errors.ts'
import { limits } from '../../../../contract/limits.ts'
import type { Reader } from '../../../../kernel/database/database.ts'
import type { Runtime } from '../../../../kernel/runtime.ts'
import { parseFieldPath, writeFieldPath } from '../../field-path.ts'
import type { FieldError } from '../../../json-schema/service.ts'
import type { CollectionRow } from '../../store.ts'
import { isSystemField, systemFields, type FilterField, type FilterTime } from '../filter/filter.ts'
import { parseFilter } from '../filter/filter-grammar.ts'
import { requireKnownFields } from '../filter/check-fields.ts'
import { warnAboutUnusedFields } from '../filter/unused-fields.ts'
import type { FieldUse } from '../filter/field-use.ts'
import { fieldUsesOfMembers, fieldUsesOfRows, type QueryMembers } from './group-field-uses.ts'
import { readSearch, readTimezone } from '../page.ts'
import type { QueryInput } from '../schema.ts'
import { parseSort, type Sort } from '../sort.ts'
import * as store from '../store/group-sql.ts'
import { readInTimezone } from '../store/page-sql.ts'

export interface GroupRequest {
  runtime: Runtime
  db: Reader
  collection: CollectionRow
  input: QueryInput
}

export interface Groups {
  data: Record<string, unknown>[]
  /** Whether more groups exist than are returned, by their number or their size. */
  truncated: boolean
  warnings?: string[]
}

export async function readGroups({
  runtime,
  db,
  collection,
  input,
}: GroupRequest): Promise<Groups> {
  const timezone = readTimezone(input.timezone)
  const moment = { now_ms: runtime.clock.now_ms(), timezone }
  const { group_by, aggregates } = readMembers(input)
  const fieldUses = fieldUsesOfMembers({ group_by, aggregates })
  const { filter, having, sort } = readTexts(input, moment, { group_by, aggregates, fieldUses })
  await requireKnownFields(db, collection, { fieldUses })
  const search = await readSearch(db, collection, input.q)
  const limit = input.limit ?? limits.query_groups_default
  const place = { project_id: collection.project_id, collection_id: collection.id }
  const wanted = { ...place, filter, search, timezone, group_by, aggregates, having, sort }
  const rows = await readInTimezone(timezone, () =>
    store.readGroups(db, {
      ...wanted,
      sort: sort ?? sortByGroups(group_by),
      limit: limit + 1,
      bytes_max: limits.page_bytes_max,
    }),
  )
  const fitting = rows.filter(
    ({ bytes_up_to }, index) => index === 0 || bytes_up_to <= limits.page_bytes_max,
  )
  const data = fitting.slice(0, limit).map(({ data: group }) => rowOf(group))
  refuseEndless(data, aggregates)
  const warnings = await warnAboutUnusedFields(db, collection, { fieldUses })
  const truncated = rows.length > data.length
  return { data, truncated, ...(warnings.length > 0 && { warnings }) }
}

function rowOf(row: unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(Object(row)))
}

/**
 * Throws 422 if a sum exceeds the range of a double. PostgreSQL sums exactly, so `having` and
 * `sort` work; but JSON would contain null.
 */
function refuseEndless(
  rows: readonly Record<string, unknown>[],
  aggregates: readonly store.Aggregate[],
): void {
  const message = 'is too large for a number in some rows; leave out what is large with filter'
  const errors = aggregates.flatMap(({ name }, index): FieldError[] =>
    rows.some((row) => isEndless(row[name])) ? [{ path: `/aggregates/${index}`, message }] : [],
  )
  if (errors.length > 0) throw invalid(errors)
}

function isEndless(value: unknown): boolean {
  return typeof value === 'number' && !Number.isFinite(value)
}

interface Texts extends QueryMembers {
  fieldUses: FieldUse[]
}

function readTexts(input: QueryInput, moment: FilterTime, { fieldUses, ...members }: Texts) {
  const { filter, having, sort } = input
  const names = [...members.group_by, ...members.aggregates].map(({ name }) => name)
  const rows: FieldUse[] = []
  const read = {
    filter:
      filter === undefined
        ? null
        : parseFilter({ text: filter, parameter: 'filter', moment, fieldUses }),
    having:
      having === undefined
        ? null
        : parseFilter({ text: having, parameter: 'having', moment, names, fieldUses: rows }),
    sort: sort === undefined ? null : parseSort({ text: sort, parameter: 'sort', names }),
  }
  fieldUses.push(...fieldUsesOfRows(rows, members))
  return read
}

/** The default order: by the group fields. */
function sortByGroups(groups: readonly store.GroupField[]): Sort | null {
  const [first, ...rest] = groups.map(({ name }) => ({
    field: { path: [name] },
    descending: false,
  }))
  return first ? [first, ...rest] : null
}

/** Parses groups and aggregates. Throws one problem with every error. */
function readMembers({ group_by = [], aggregates = [] }: QueryInput): QueryMembers {
  const faults: FieldError[] = []
  const groups = group_by.flatMap((group, index): store.GroupField[] => {
    const path = `/group_by/${index}`
    const field = readField(group.field, { path, faults })
    if (!field) return []
    const bucket = group.by ?? null
    if (bucket !== null && 'system' in field && systemFields[field.system] !== 'time') {
      faults.push({ path: `${path}/by`, message: `cannot be used with ${field.system}` })
    }
    return [{ name: group.name ?? nameOf(field), field, bucket }]
  })
  const wanted =
    aggregates.length > 0 ? aggregates : [{ name: 'count', function: 'count' as const }]
  const read = wanted.flatMap((one, index): store.Aggregate[] => {
    const path = `/aggregates/${index}`
    const field = one.field === undefined ? null : readField(one.field, { path, faults })
    if (one.field === undefined && one.function !== 'count') {
      faults.push({ path: `${path}/field`, message: `is needed for ${one.function}` })
    }
    return [{ name: one.name, function: one.function, field }]
  })
  const names = [...groups, ...read].map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) {
    faults.push({ path: '', message: `gives the name ${JSON.stringify(twice)} twice` })
  }
  if (faults.length > 0) throw invalid(faults)
  return { group_by: groups, aggregates: read }
}

function invalid(errors: readonly FieldError[]): Problem {
  const [first] = errors
  const detail = `${first?.path || 'The body'} ${first?.message}.`
  return new Problem('validation_failed', detail, { errors })
}

function readField(
  text: string,
  { path, faults }: { path: string; faults: FieldError[] },
): FilterField | null {
  if (isSystemField(text)) return { system: text }
  const read = parseFieldPath(text)
  if (read) return { path: read }
  const message = 'must be names between dots, such as status or address."zip code"'
  faults.push({ path: `${path}/field`, message })
  return null
}

function nameOf(field: FilterField): string {
  return 'system' in field ? field.system : writeFieldPath(field.path)
}
