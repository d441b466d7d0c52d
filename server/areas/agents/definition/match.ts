/** Evaluates a filter of the data grammar on the values of a run. Pure. */
import { parseTime, type Filter, type FilterField, type Literal } from '../../data/service.ts'
import { lookUp } from './template.ts'

/** `timezone`: the zone of times in the values that name no zone. */
export function matches(filter: Filter, values: unknown, timezone: string): boolean {
  switch (filter.is) {
    case 'and':
      return filter.parts.every((part) => matches(part, values, timezone))
    case 'or':
      return filter.parts.some((part) => matches(part, values, timezone))
    case 'not':
      return !matches(filter.part, values, timezone)
    default:
      return compares(filter, read(values, filter.field), timezone)
  }
}

type Comparison = Exclude<Filter, { is: 'and' | 'or' | 'not' }>

function compares(filter: Comparison, value: unknown, timezone: string): boolean {
  switch (filter.is) {
    case 'equal':
      return equals(value, filter.literal, timezone)
    case 'in':
      return filter.literals.some((literal) => equals(value, literal, timezone))
    case 'exists':
      return value !== undefined && value !== null
    case 'has':
      return Array.isArray(value) && value.includes(filter.value)
    case 'text':
      return typeof value === 'string' && textTests[filter.test](value, filter.text)
    case 'order': {
      const [one, other] = pair(value, filter.literal, timezone)
      return one !== null && other !== null && orders[filter.order](compare(one, other))
    }
  }
}

const textTests = {
  contains: (text: string, part: string) => text.includes(part),
  'starts with': (text: string, part: string) => text.startsWith(part),
  'ends with': (text: string, part: string) => text.endsWith(part),
}

const orders = {
  '<': (sign: number) => sign < 0,
  '<=': (sign: number) => sign <= 0,
  '>': (sign: number) => sign > 0,
  '>=': (sign: number) => sign >= 0,
}

function equals(value: unknown, literal: Literal, timezone: string): boolean {
  if ('value' in literal && literal.value === null) return value === undefined || value === null
  if ('value' in literal) return value === literal.value
  const [one, other] = pair(value, literal, timezone)
  return one !== null && one === other
}

type Ordered = string | number

/** Both values if they have the same type, else nulls. */
function pair(
  value: unknown,
  literal: Literal,
  timezone: string,
): [Ordered | null, Ordered | null] {
  if ('time_ms' in literal) {
    const time_ms = typeof value === 'string' ? parseTime(value, timezone) : null
    return [time_ms, literal.time_ms]
  }
  const wanted = literal.value
  if (typeof wanted === 'number' && typeof value === 'number') return [value, wanted]
  if (typeof wanted === 'string' && typeof value === 'string') return [value, wanted]
  return [null, null]
}

function compare(one: Ordered, other: Ordered): number {
  return one < other ? -1 : one > other ? 1 : 0
}

function read(values: unknown, field: FilterField): unknown {
  return lookUp(values, 'path' in field ? field.path : [field.system])
}
