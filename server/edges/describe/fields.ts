/**
 * The fields of a schema, flattened for a table: `address.city`, `levels[].status`. Each
 * alternative of a union is a variant with its own fields.
 */
import {
  listChoices,
  isNull,
  mergeSchema,
  acceptsEverything,
  listTypes,
  findValueSchema,
  type JsonSchema,
} from './json-schema.ts'
import { formatNumber } from './words.ts'

export interface DescribedField {
  /** Path of the field; empty for the value itself. */
  path: string
  type: string
  required: boolean
  description: string
  /** The constraints of the value, as phrases. */
  rules: string[]
  pattern: string | null
  /** The values of an enumeration. */
  values: string[]
}

export interface SchemaVariant {
  path: string
  name: string
  description: string
  fields: FieldList
}

export interface FieldList {
  fields: DescribedField[]
  variants: SchemaVariant[]
}

interface Place {
  path: string
  required: boolean
}

const DEPTH_MAX = 12

export function listFields(shape: JsonSchema): FieldList {
  const list: FieldList = { fields: [], variants: [] }
  collectInside(plain(shape), '', list)
  return list
}

/** Returns the schema without the alternatives "or null" and "or any value". */
function plain(shape: JsonSchema): JsonSchema {
  const schema = mergeSchema(shape)
  const choices = listChoices(schema)
  const alternatives = choices.filter((one) => !isNull(one) && !acceptsEverything(one))
  const [only] = alternatives
  if (alternatives.length !== 1 || only === undefined) return schema
  const { anyOf: _any, oneOf: _one, ...own } = schema
  return { ...plain(only), ...own }
}

function collectInside(schema: JsonSchema, path: string, list: FieldList): void {
  if (path.split(/[.[]/).length > DEPTH_MAX) return
  const variants = listChoices(schema)
    .map(mergeSchema)
    .filter((one) => one.properties !== undefined)
  for (const [index, variant] of variants.entries())
    list.variants.push(variantOf(variant, path, index))
  if (variants.length > 0) return
  const prefix = path === '' ? '' : `${path}.`
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    const required = schema.required?.includes(name) ?? false
    collect(inner, { path: prefix + name, required }, list)
  }
  const values = findValueSchema(schema)
  if (values && !schema.properties) collectInside(plain(values), `${prefix}‹key›`, list)
  if (schema.items) collectInside(plain(schema.items), `${path}[]`, list)
}

function collect(shape: JsonSchema, { path, required }: Place, list: FieldList): void {
  const schema = plain(shape)
  list.fields.push({
    path,
    required: required && schema.default === undefined,
    type: describeType(shape),
    description: shape.description ?? schema.description ?? schema.items?.description ?? '',
    rules: rulesOf(schema),
    pattern: schema.pattern ?? null,
    values: fixedValues(schema),
  })
  collectInside(schema, path, list)
}

function variantOf(schema: JsonSchema, path: string, index: number): SchemaVariant {
  const constants = Object.values(schema.properties ?? {}).map((field) => field.const)
  const name = constants.find((value) => typeof value === 'string')
  return {
    path,
    name: String(name ?? schema.title ?? `form ${index + 1}`),
    description: schema.description ?? '',
    fields: listFields(schema),
  }
}

const formats: Readonly<Record<string, string>> = {
  uuid: 'uuid',
  'date-time': 'timestamp',
  date: 'date',
  email: 'email address',
  uri: 'URL',
}

/** Returns a short name of the type: `uuid or null`, `array of strings`. */
export function describeType(shape: JsonSchema): string {
  const schema = mergeSchema(shape)
  const choices = listChoices(schema).filter((one) => !acceptsEverything(one))
  if (choices.length > 0) return [...new Set(choices.map(describeType))].join(' or ')
  if (schema.const !== undefined) return typeOfValue(schema.const)
  if (schema.enum) return [...new Set(schema.enum.map(typeOfValue))].join(' or ')
  const types = listTypes(schema)
  return types.length === 0
    ? 'any value'
    : types.map((type) => namedType(type, schema)).join(' or ')
}

function namedType(type: string, { format, items }: JsonSchema): string {
  if (type === 'string') return formats[format ?? ''] ?? 'string'
  if (type !== 'array') return type
  return items ? `array of ${plural(describeType(items))}` : 'array'
}

function plural(words: string): string {
  return words.includes(' ') ? words : `${words}s`
}

function typeOfValue(value: unknown): string {
  return value === null ? 'null' : typeof value
}

function fixedValues({ const: constant, enum: several, items }: JsonSchema): string[] {
  if (constant !== undefined) return [wordOf(constant)]
  return (several ?? (items ? plain(items).enum : undefined) ?? [])
    .filter((value) => value !== null)
    .map(wordOf)
}

function wordOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function rulesOf(schema: JsonSchema): string[] {
  const { minLength, maxLength, minItems, maxItems, minimum, maximum } = schema
  const fallback = schema.default
  return [
    range(minLength, maxLength, 'characters'),
    range(minItems, maxItems, 'items'),
    range(minimum, maximum, ''),
    fallback === undefined ? '' : `${wordOf(fallback)} by default`,
  ].filter((rule) => rule !== '')
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  const words = (text: string) => `${text} ${unit}`.trim()
  if (least !== undefined && least > 0 && most !== undefined)
    return words(`${formatNumber(least)} to ${formatNumber(most)}`)
  if (most !== undefined) return words(`at most ${formatNumber(most)}`)
  return least !== undefined && least > 0 ? words(`at least ${formatNumber(least)}`) : ''
}
