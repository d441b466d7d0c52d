/**
 * Converts filters to SQL. Every comparison is true or false, never null, so `not` is an exact
 * negation. Values of different types are never equal and have no order.
 */
import { sql } from 'kysely'
import { isUuid } from '../../../../kernel/values/ids.ts'
import type { FieldPath } from '../../field-path.ts'
import type {
  FilterField,
  Filter,
  Literal,
  Order,
  Scalar,
  SystemField,
  TextTest,
} from '../filter/filter.ts'
import {
  isOfType,
  jsonAt,
  systemColumn,
  textAt,
  timeAt,
  jsonOrNull,
  type Sql,
} from './value-sql.ts'

type Condition = Sql<boolean>

/** Returns the condition on a document `d`. `timezone` applies to local times in the data. */
export function filterSql(filter: Filter, timezone: string): Condition {
  switch (filter.is) {
    case 'and':
    case 'or': {
      const parts = filter.parts.map((part) => filterSql(part, timezone))
      return sql`(${sql.join(parts, filter.is === 'and' ? sql` and ` : sql` or `)})`
    }
    case 'not':
      return sql`(not ${filterSql(filter.part, timezone)})`
    default:
      return leafSql(filter, timezone)
  }
}

type Leaf = Exclude<Filter, { is: 'and' | 'or' | 'not' }>

function leafSql(leaf: Leaf, timezone: string): Condition {
  const { field } = leaf
  switch (leaf.is) {
    case 'equal':
      return oneOf({ field, literals: [leaf.literal], timezone })
    case 'in':
      return oneOf({ field, literals: leaf.literals, timezone })
    case 'order':
      return 'system' in field
        ? systemOrder(field.system, leaf.order, leaf.literal)
        : dataOrder({ path: field.path, order: leaf.order, literal: leaf.literal, timezone })
    case 'has':
      return 'system' in field ? sql`false` : has(field.path, leaf.value)
    case 'text':
      return textTest(field, leaf.test, leaf.text)
    case 'exists':
      return 'system' in field ? sql`true` : sql`(${jsonOrNull(field.path)} <> 'null'::jsonb)`
  }
}

interface Choice {
  field: FilterField
  literals: readonly Literal[]
  timezone: string
}

function oneOf({ field, literals, timezone }: Choice): Condition {
  if ('system' in field) return systemEqual(field.system, literals)
  const values = literals.flatMap((one) => ('value' in one ? [JSON.stringify(one.value)] : []))
  const times = literals.flatMap((one) => ('time_ms' in one ? [isoOf(one.time_ms)] : []))
  const conditions: Condition[] = []
  const [first] = literals
  if (literals.length === 1 && first && 'value' in first && typeof first.value === 'string') {
    return typed(field.path, 'string', sql`${textAt(field.path)} = ${first.value}::text`)
  }
  if (values.length > 0) {
    conditions.push(sql`(${jsonOrNull(field.path)} = any(${values}::jsonb[]))`)
  }
  if (times.length > 0) {
    conditions.push(sql`((${timeAt(field.path, timezone)}) = any(${times}::timestamptz[])) is true`)
  }
  return sql`(${sql.join(conditions, sql` or `)})`
}

function systemEqual(field: SystemField, literals: readonly Literal[]): Condition {
  const column = systemColumn(field)
  const values = literals.map((one) => ('value' in one ? one.value : isoOf(one.time_ms)))
  switch (field) {
    case 'id':
      // Ids are written in lower case; a text that is not an id equals none.
      return sql`(${column} = any(${values.filter(isShownId)}::uuid[]))`
    case 'created_at':
    case 'updated_at':
      return sql`(${column} = any(${values}::timestamptz[]))`
    case 'version':
      return sql`(${column}::float8 = any(${values}::float8[]))`
    case 'source':
      return sql`(${column} = any(${values}::text[]))`
  }
}

function isShownId(value: Scalar): boolean {
  return typeof value === 'string' && isUuid(value) && value === value.toLowerCase()
}

const signs: Readonly<Record<Order, Sql<unknown>>> = {
  '<': sql`<`,
  '<=': sql`<=`,
  '>': sql`>`,
  '>=': sql`>=`,
}

function systemOrder(field: SystemField, order: Order, literal: Literal): Condition {
  const column = systemColumn(field)
  const sign = signs[order]
  if ('time_ms' in literal) return sql`(${column} ${sign} ${isoOf(literal.time_ms)}::timestamptz)`
  const { value } = literal
  if (field === 'version') return sql`(${column}::float8 ${sign} ${value}::float8)`
  return sql`((${column})::text collate "C" ${sign} ${value}::text)`
}

interface Comparison {
  path: FieldPath
  order: Order
  literal: Literal
  timezone: string
}

function dataOrder({ path, order, literal, timezone }: Comparison): Condition {
  const sign = signs[order]
  if ('time_ms' in literal) {
    const time = isoOf(literal.time_ms)
    return sql`(((${timeAt(path, timezone)}) ${sign} ${time}::timestamptz) is true)`
  }
  const { value } = literal
  if (typeof value === 'number') return numberOrder({ path, sign, value })
  return typed(path, 'string', sql`${textAt(path)} collate "C" ${sign} ${value}::text`)
}

/** The jsonb order places all numbers between strings and false. */
function numberOrder({
  path,
  sign,
  value,
}: {
  path: FieldPath
  sign: Sql<unknown>
  value: number
}) {
  const number = jsonAt(path)
  const isNumber = sql`${number} < 'false'::jsonb and ${number} >= '-1e400'::jsonb`
  return sql<boolean>`((${number} ${sign} ${JSON.stringify(value)}::jsonb and ${isNumber}) is true)`
}

/** The selective condition comes first, because most values have the right type. */
function typed(path: FieldPath, type: 'array' | 'string', condition: Condition): Condition {
  return sql`(case when ${condition} then ${isOfType(path, type)} else false end)`
}

function has(path: FieldPath, value: Scalar): Condition {
  return typed(path, 'array', sql`${jsonAt(path)} @> ${JSON.stringify([value])}::jsonb`)
}

function textTest(field: FilterField, test: TextTest, text: string): Condition {
  if ('system' in field) {
    return sql`(${testing(sql`(${systemColumn(field.system)})::text`, test, text)})`
  }
  return typed(field.path, 'string', testing(textAt(field.path), test, text))
}

function testing(value: Sql<unknown>, test: TextTest, text: string): Condition {
  switch (test) {
    case 'contains':
      return sql`strpos(${value}, ${text}::text) > 0`
    case 'starts with':
      return sql`starts_with(${value}, ${text}::text)`
    case 'ends with':
      return sql`right(${value}, char_length(${text}::text)) = ${text}::text`
  }
}

function isoOf(time_ms: number): string {
  return Temporal.Instant.fromEpochMilliseconds(time_ms).toString()
}
