/** The document fields that a group query uses, directly or through row names. */
import type { FieldPath } from '../../field-path.ts'
import type { ValueType, ValueTypes } from '../../../json-schema/service.ts'
import { syntaxProblem } from '../filter/syntax-problem.ts'
import { systemFields, type FilterField } from '../filter/filter.ts'
import { comparableWith, sortableTypes, type FieldUse } from '../filter/field-use.ts'
import type { AggregateFunction } from '../schema.ts'
import type { Aggregate, GroupField } from '../store/group-sql.ts'

export interface QueryMembers {
  group_by: readonly GroupField[]
  aggregates: readonly Aggregate[]
}

/** Lists the fields in group_by and aggregates with the types each may have; null allows any. */
export function fieldUsesOfMembers({ group_by, aggregates }: QueryMembers): FieldUse[] {
  const groups = group_by.flatMap(({ field, bucket }, index) =>
    fieldUseAt(`/group_by/${index}/field`, field, bucket === null ? null : texts),
  )
  const values = aggregates.flatMap((one, index) =>
    one.field ? fieldUseAt(`/aggregates/${index}/field`, one.field, accepted[one.function]) : [],
  )
  return [...groups, ...values]
}

const texts: ValueTypes = new Set<ValueType>(['string'])
const numbers: ValueTypes = new Set<ValueType>(['number'])

/** Value types that an aggregate function accepts; null accepts any. */
const accepted: Readonly<Record<AggregateFunction, ValueTypes | null>> = {
  count: null,
  sum: numbers,
  avg: numbers,
  min: sortableTypes,
  max: sortableTypes,
}

function fieldUseAt(parameter: string, field: FilterField, types: ValueTypes | null): FieldUse[] {
  if ('system' in field) return []
  const wants = types && { types, item: null, column: null }
  return [{ parameter, path: field.path, column: null, wants }]
}

/**
 * Maps the row names in `having` to the document fields behind them. Throws 400 if a computed value
 * (a count, a month) is compared with another type.
 */
export function fieldUsesOfRows(rows: readonly FieldUse[], members: QueryMembers): FieldUse[] {
  return rows.flatMap((row) => {
    const [name, ...below] = row.path
    const source = sourceOf(name, members)
    if ('path' in source) return [{ ...row, path: [...source.path, ...below] }]
    requireType(row, source.types)
    return []
  })
}

/** Returns the document field behind a row name, or the types of a computed value. */
function sourceOf(
  name: string | undefined,
  { group_by, aggregates }: QueryMembers,
): { path: FieldPath } | { types: ValueTypes } {
  const group = group_by.find((one) => one.name === name)
  if (group) return group.bucket === null ? valuesOf(group.field) : { types: texts }
  const aggregate = aggregates.find((one) => one.name === name)
  const is_picked = aggregate?.function === 'min' || aggregate?.function === 'max'
  return is_picked && aggregate.field ? valuesOf(aggregate.field) : { types: numbers }
}

/** System times are strings in replies. */
function valuesOf(field: FilterField): { path: FieldPath } | { types: ValueTypes } {
  if ('path' in field) return field
  return { types: systemFields[field.system] === 'number' ? numbers : texts }
}

function requireType({ parameter, column, wants }: FieldUse, types: ValueTypes): void {
  if (wants === null || !wants.types.isDisjointFrom(types)) return
  const expected = comparableWith(types)
  throw syntaxProblem({ parameter, column: wants.column ?? column ?? 1, expected })
}
