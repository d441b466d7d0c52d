/**
 * The order of documents in SQL and the condition after a position. The order equals sort-key.ts:
 * null and unordered values, false, true, numbers, string prefixes.
 */
import { sql } from 'kysely'
import { limits } from '../../../../contract/limits.ts'
import type { FieldPath } from '../../field-path.ts'
import { sortKey } from '../../sort-key.ts'
import type { FilterField, Scalar, SystemField } from '../filter/filter.ts'
import { idDescends, type SortPosition, type Sort } from '../sort.ts'
import { jsonAt, systemColumn, type Sql } from './value-sql.ts'

/**
 * Returns the `order by` list with the id last, and `from`: a lateral join that extracts each value
 * once.
 */
export function orderSql(sort: Sort): { from: Sql<unknown>; order: Sql<unknown> } {
  const paths = sort.flatMap(({ field }) => ('path' in field ? [field.path] : []))
  const column = (path: FieldPath) => sql.ref(`s.s${paths.indexOf(path)}`)
  const values = paths.map((path) => sql`${jsonAt(path)} as ${sql.ref(`s${paths.indexOf(path)}`)}`)
  const from = sql`cross join lateral (select ${sql.join(values)} offset 0) as s`
  return {
    from: paths.length === 0 ? sql`` : from,
    order: sql`${orderTerms(sort, column)}, d.id ${sortDirection(idDescends(sort))}`,
  }
}

export function orderTerms(
  sort: Sort,
  valueAt: (path: FieldPath) => Sql<unknown> = jsonAt,
): Sql<unknown> {
  const terms = sort.flatMap(({ field, descending }) =>
    termsOf(field, valueAt).map((term) => sql`${term} ${sortDirection(descending)}`),
  )
  return sql.join(terms)
}

export function sortDirection(descending: boolean): Sql<unknown> {
  return descending ? sql`desc` : sql`asc`
}

function termsOf(field: FilterField, valueAt: (path: FieldPath) => Sql<unknown>): Sql<unknown>[] {
  if ('system' in field) return [systemColumn(field.system)]
  const value = valueAt(field.path)
  return [typeTerm(value), numberTerm(value), textTerm(value)]
}

const rank = { nothing: 0, false: 1, true: 2, number: 3, text: 4 } as const

function typeTerm(value: Sql<unknown>): Sql<number> {
  return sql`case jsonb_typeof(${value}) when 'string' then ${sql.lit(rank.text)}
    when 'number' then ${sql.lit(rank.number)}
    when 'boolean' then case when ${value} = 'true'::jsonb
      then ${sql.lit(rank.true)} else ${sql.lit(rank.false)} end
    else ${sql.lit(rank.nothing)} end`
}

function numberTerm(value: Sql<unknown>): Sql<unknown> {
  return sql`case when jsonb_typeof(${value}) = 'number' then ${value} end`
}

/** Returns the prefix of a string in UTF-8, cut between characters. */
function textTerm(value: Sql<unknown>): Sql<Buffer> {
  const most = limits.sort_text_bytes_max
  const text = sql`(${value} #>> '{}')`
  const bytes = sql`convert_to(${text}, 'UTF8')`
  const cuts = [most, most - 1, most - 2].map(
    (at) => sql`when get_byte(${bytes}, ${sql.lit(at)}) & 192 <> 128 then ${sql.lit(at)}`,
  )
  return sql`case when jsonb_typeof(${value}) = 'string' then
    case when octet_length(${text}) <= ${sql.lit(most)} then ${bytes}
      else substring(${bytes} for case ${sql.join(cuts, sql` `)} else ${sql.lit(most - 3)} end)
    end end`
}

/** Returns the condition that a document follows the position in the complete order. */
export function afterPositionSql(sort: Sort, { values, id }: SortPosition): Sql<boolean> {
  const idSign = idDescends(sort) ? sql`<` : sql`>`
  const last: Sql<boolean> = sql`d.id ${idSign} ${id}::uuid`
  return sort.reduceRight((rest, { field, descending }, index) => {
    const { after, same } = stepOf({ field, descending, value: values[index] ?? null })
    return sql`(${after} or (${same} and ${rest}))`
  }, last)
}

interface Step {
  field: FilterField
  descending: boolean
  value: Scalar
}

function stepOf(step: Step): { after: Sql<boolean>; same: Sql<boolean> } {
  const { field, descending, value } = step
  const sign = descending ? sql`<` : sql`>`
  if ('system' in field) {
    const column = systemColumn(field.system)
    const bound = systemBound(field.system, value)
    return { after: sql`${column} ${sign} ${bound}`, same: sql`${column} = ${bound}` }
  }
  const found = jsonAt(field.path)
  const type = typeTerm(found)
  const place = sql.lit(rankOf(value))
  const within = withinType(found, value)
  if (!within) return { after: sql`${type} ${sign} ${place}`, same: sql`${type} = ${place}` }
  const { term, bound } = within
  return {
    after: sql`(${type} ${sign} ${place} or (${type} = ${place} and ${term} ${sign} ${bound}))`,
    same: sql`(${type} = ${place} and ${term} = ${bound})`,
  }
}

function withinType(found: Sql<unknown>, value: Scalar) {
  if (typeof value === 'number') {
    return { term: numberTerm(found), bound: sql`${JSON.stringify(value)}::jsonb` }
  }
  if (typeof value !== 'string') return null
  // A key consists of a type byte and the sort text.
  return { term: textTerm(found), bound: sql`${sortKey(value).subarray(1)}::bytea` }
}

function rankOf(value: Scalar): number {
  if (typeof value === 'string') return rank.text
  if (typeof value === 'number') return rank.number
  if (value === null) return rank.nothing
  return value ? rank.true : rank.false
}

function systemBound(field: SystemField, value: Scalar): Sql<unknown> {
  switch (field) {
    case 'id':
      return sql`${value}::uuid`
    case 'created_at':
    case 'updated_at':
      return sql`${new Date(Number(value)).toISOString()}::timestamptz`
    case 'version':
      return sql`${value}::integer`
    case 'source':
      return sql`${value}::text`
  }
}
