/**
 * SQL expressions for values of documents. Statements use the alias `d`. Field names are always
 * parameters, and no stored value makes an expression fail.
 */
import { sql, type RawBuilder } from 'kysely'
import type { FieldPath } from '../../field-path.ts'
import type { FilterField, SystemField } from '../filter/filter.ts'
import { localTimePattern, zonedTimePattern } from '../filter/times.ts'

export type Sql<T> = RawBuilder<T>

/** Returns the jsonb value at a path; SQL null if missing. Does not enter arrays. */
export function jsonAt(path: FieldPath): Sql<unknown> {
  return sql`(${objectAt(path.slice(0, -1))} -> ${path.at(-1)}::text)`
}

/**
 * Like jsonAt, but returns JSON null for missing values, so that comparisons return true or false.
 */
export function jsonOrNull(path: FieldPath): Sql<unknown> {
  return sql`coalesce(${jsonAt(path)}, 'null'::jsonb)`
}

/** Returns a scalar as text, without quotes. */
export function textAt(path: FieldPath): Sql<string | null> {
  return sql`(${objectAt(path.slice(0, -1))} ->> ${path.at(-1)}::text)`
}

function objectAt(path: FieldPath): Sql<unknown> {
  const steps = path.map((part) => sql` -> ${part}::text`)
  return path.length === 0 ? sql`d.data` : sql`d.data${sql.join(steps, sql``)}`
}

export function isOfType(path: FieldPath, type: 'array' | 'boolean' | 'number' | 'string') {
  return sql<boolean | null>`jsonb_typeof(${jsonAt(path)}) = ${sql.lit(type)}`
}

/**
 * Returns the time in a string, or null. Only strings that match the complete pattern are cast,
 * because a failing cast would abort the statement.
 */
export function timeAt(path: FieldPath, timezone: string): Sql<Date | null> {
  const text = textAt(path)
  return sql`case when octet_length(${text}) between 10 and 40 and ${isOfType(path, 'string')}
      and left(${text}, 4) <> '0000' then
    case when octet_length(${text}) > 10 and ${text} ~ ${sql.lit(zonedTimePattern)}
        then ${text}::timestamptz
      when ${text} ~ ${sql.lit(localTimePattern)} then ${text}::timestamp at time zone ${timezone}
    end end`
}

const columns: Readonly<Record<SystemField, Sql<unknown>>> = {
  id: sql`d.id`,
  created_at: sql`d.created_at`,
  updated_at: sql`d.updated_at`,
  version: sql`d.version`,
  source: sql`d.source collate "C"`,
}

export function systemColumn(field: SystemField): Sql<unknown> {
  return columns[field]
}

const iso = `YYYY-MM-DD"T"HH24:MI:SS.MS"Z"`

/** Returns any field as jsonb, times in the format of replies. */
export function jsonOf(field: FilterField): Sql<unknown> {
  if ('path' in field) return jsonAt(field.path)
  switch (field.system) {
    case 'created_at':
    case 'updated_at':
      return sql`to_jsonb(to_char(${columns[field.system]} at time zone 'UTC', ${sql.lit(iso)}))`
    case 'id':
      return sql`to_jsonb(d.id::text)`
    case 'version':
      return sql`to_jsonb(d.version)`
    case 'source':
      return sql`to_jsonb(d.source)`
  }
}
