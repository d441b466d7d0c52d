/**
 * Groups and aggregates documents in SQL. Each group becomes a JSON object, so that `having` and
 * `sort` reuse the SQL of `filter` and `sort`.
 */
import { sql } from 'kysely'
import type { Reader } from '../../../../kernel/database/database.ts'
import type { FilterField, Filter } from '../filter/filter.ts'
import type { AggregateFunction, Bucket } from '../schema.ts'
import type { Sort } from '../sort.ts'
import { readCostly } from './costly-read.ts'
import { filterSql } from './filter-sql.ts'
import { matchesSql, type Matching } from './page-sql.ts'
import { orderTerms } from './sort-sql.ts'
import { jsonOf, systemColumn, timeAt, type Sql } from './value-sql.ts'

export interface GroupField {
  name: string
  field: FilterField
  bucket: Bucket | null
}

export interface Aggregate {
  name: string
  function: AggregateFunction
  /** Null means count of documents. */
  field: FilterField | null
}

export interface Grouping extends Matching {
  group_by: readonly GroupField[]
  aggregates: readonly Aggregate[]
  having: Filter | null
  sort: Sort | null
  limit: number
  bytes_max: number
}

export interface GroupRow {
  data: unknown
  /** Size of this and all earlier groups as text. */
  bytes_up_to: number
}

/** Returns groups in order, up to the first that exceeds `bytes_max`. */
export async function readGroups(db: Reader, grouping: Grouping): Promise<GroupRow[]> {
  const { group_by, aggregates, having, sort, limit, timezone } = grouping
  const groups = group_by.map((_, index) => sql.ref(`s.g${index}`))
  const members = [
    ...group_by.map(({ name }, index) => sql`${name}::text, s.${sql.ref(`g${index}`)}`),
    ...aggregates.map((one, index) => sql`${one.name}::text, ${resultOf(one, index)}`),
  ]
  const columns = [
    ...group_by.map((one, index) => sql`${groupValue(one, timezone)} as ${sql.ref(`g${index}`)}`),
    ...aggregates.map(
      ({ field }, index) =>
        sql`${field ? jsonOf(field) : sql`null::jsonb`} as ${sql.ref(`v${index}`)}`,
    ),
  ]
  const ordered = sql`
    select d.data from (
      select jsonb_build_object(${sql.join(members)}) as data
      from (select ${sql.join(columns)} from documents as d where ${matchesSql(grouping)}) as s
      ${groups.length > 0 ? sql`group by ${sql.join(groups)}` : sql``}
    ) as d
    where ${having ? filterSql(having, timezone) : sql`true`}
    order by ${sort ? sql`${orderTerms(sort)},` : sql``} d.data limit ${limit}
  `
  const size = sql`octet_length(o.data::text)`
  const query = sql<GroupRow>`
    select s.data, s.bytes_up_to::float8 from (
      select o.data, ${size} as bytes, sum(${size}) over (rows unbounded preceding) as bytes_up_to
      from (${ordered}) as o
    ) as s
    where s.bytes_up_to - s.bytes <= ${grouping.bytes_max}::bigint
    order by s.bytes_up_to
  `
  return readCostly(db, grouping.project_id, query)
}

/** Returns the group value of a document; null if the field is missing. */
function groupValue({ field, bucket }: GroupField, timezone: string): Sql<unknown> {
  const value = bucket === null ? jsonOf(field) : bucketOf({ field, bucket, timezone })
  return sql`coalesce(${value}, 'null'::jsonb)`
}

interface InBucket {
  field: FilterField
  bucket: Bucket
  timezone: string
}

/** Returns the hour as a UTC timestamp, or the first day of a longer bucket as a date. */
function bucketOf({ field, bucket, timezone }: InBucket): Sql<unknown> {
  const time = 'system' in field ? systemColumn(field.system) : timeAt(field.path, timezone)
  const begin = sql`date_trunc(${sql.lit(bucket)}, (${time})::timestamptz, ${timezone}::text)`
  const text =
    bucket === 'hour'
      ? sql`to_char(${begin} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z" AD')`
      : sql`to_char(${begin} at time zone ${timezone}::text, 'YYYY-MM-DD AD')`
  return sql`to_jsonb(substring(${text} from ${sql.lit(yearOfFourDigits)}))`
}

/** Excludes years before 1 and after 9999, which ISO dates cannot represent. */
const yearOfFourDigits = String.raw`^(\d{4}-.*) AD$`

function resultOf({ function: name, field }: Aggregate, index: number): Sql<unknown> {
  const value = sql`s.${sql.ref(`v${index}`)}`
  const isA = (type: string) => sql`jsonb_typeof(${value}) = ${sql.lit(type)}`
  const numbers = sql`case when ${isA('number')} then ${value}::numeric end`
  const texts = sql`case when ${isA('string')} then ${value} #>> '{}' end collate "C"`
  const flags = sql`case when ${isA('boolean')} then ${value}::boolean end`
  switch (name) {
    case 'count':
      return field ? sql`count(*) filter (where ${value} <> 'null'::jsonb)` : sql`count(*)`
    case 'sum':
      return sql`coalesce(sum(${numbers}), 0)`
    case 'avg':
      return sql`avg(${numbers})`
    case 'min':
      return sql`coalesce(to_jsonb(bool_and(${flags})), to_jsonb(min(${numbers})),
        to_jsonb(min(${texts})))`
    case 'max':
      return sql`coalesce(to_jsonb(max(${texts})), to_jsonb(max(${numbers})),
        to_jsonb(bool_or(${flags})))`
  }
}
