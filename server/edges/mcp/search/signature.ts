/** Arguments in one line, as TypeScript would write them: `id: string, events?: string[]`. */
import type { JsonSchema } from '../../describe/json-schema.ts'

const CHOICES_MAX = 6
const FIELDS_MAX = 10

/** Returns at most `characters_max` characters; `…` marks a cut. */
export function writeSignature(schema: JsonSchema, characters_max: number): string {
  const { properties = {}, required = [] } = schema
  const names = Object.keys(properties)
  const ordered = [
    ...names.filter((name) => required.includes(name)),
    ...names.filter((name) => !required.includes(name)),
  ]
  const whole = ordered
    .map((name) => `${mark(name, required)}: ${typeOf(properties[name] ?? {}, 0)}`)
    .join(', ')
  if (whole.length <= characters_max) return whole
  const short = ordered.map((name) => mark(name, required)).join(', ')
  return short.length <= characters_max ? short : `${short.slice(0, characters_max - 1)}…`
}

function mark(name: string, required: readonly string[]): string {
  return required.includes(name) ? name : `${name}?`
}

function typeOf(schema: JsonSchema, depth: number): string {
  const { type, enum: values, const: only, items, properties, anyOf, oneOf } = schema
  const choices = anyOf ?? oneOf
  if (only !== undefined) return JSON.stringify(only)
  if (values)
    return listed(
      values.map((value: unknown) => JSON.stringify(value)),
      '|',
      CHOICES_MAX,
    )
  if (choices) {
    const kinds = [...new Set(choices.map((one) => typeOf(one, depth)))]
    return listed(kinds, '|', CHOICES_MAX)
  }
  if (items) return `(${typeOf(items, depth)})[]`.replace(/^\((\w+)\)/, '$1')
  if (properties && depth === 0) return objectOf(schema)
  return Array.isArray(type) ? type.join('|') : String(type ?? 'any')
}

function objectOf({ properties = {}, required = [] }: JsonSchema): string {
  const fields = Object.entries(properties).map(
    ([name, one]) => `${mark(name, required)}: ${typeOf(one, 1)}`,
  )
  return `{${listed(fields, ', ', FIELDS_MAX)}}`
}

function listed(parts: readonly string[], between: string, max: number): string {
  return parts.length <= max ? parts.join(between) : [...parts.slice(0, max), '…'].join(between)
}
