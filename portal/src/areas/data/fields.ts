/** The fields of the documents of a collection, from its schema and from the documents. */
import type { Collection, Document } from './queries.ts'

export type FieldKind = 'text' | 'long' | 'number' | 'boolean' | 'choice' | 'date' | 'json'

export interface DataField {
  name: string
  title: string
  kind: FieldKind
  required: boolean
  choices: readonly string[]
}

interface PropertySchema {
  type?: unknown
  title?: unknown
  enum?: unknown
  format?: unknown
  maxLength?: unknown
}

const LONG_TEXT_MIN = 300

/** Returns the fields of the schema in their order, then other fields of the documents. */
export function fieldsOf({ schema }: Collection, documents: readonly Document[]): DataField[] {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {}
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const described = Object.entries(properties).map(([name, property]) => ({
    ...describe(name, isRecord(property) ? property : {}),
    required: required.includes(name),
  }))
  const others = new Set(documents.flatMap(({ data }) => Object.keys(data)))
  for (const name of Object.keys(properties)) others.delete(name)
  const found = [...others].map((name) => ({ ...foundField(name, documents), required: false }))
  return [...described, ...found]
}

function describe(name: string, property: PropertySchema): Omit<DataField, 'required'> {
  const { title, enum: choices } = property
  const texts = Array.isArray(choices) ? choices.filter((one) => typeof one === 'string') : []
  return {
    name,
    title: typeof title === 'string' ? title : titleOf(name),
    kind: texts.length > 0 ? 'choice' : kindOf(property),
    choices: texts,
  }
}

function kindOf({ type, format, maxLength }: PropertySchema): FieldKind {
  if (type === 'integer' || type === 'number') return 'number'
  if (type === 'boolean') return 'boolean'
  if (type !== 'string') return 'json'
  if (format === 'date') return 'date'
  return typeof maxLength === 'number' && maxLength >= LONG_TEXT_MIN ? 'long' : 'text'
}

/** Returns the kind that the values of all documents share. */
function foundField(name: string, documents: readonly Document[]): Omit<DataField, 'required'> {
  const values = documents.flatMap(({ data }) => (name in data ? [typeof data[name]] : []))
  const kinds = { string: 'text', number: 'number', boolean: 'boolean' } as const
  const [type] = values
  const isOneType = values.every((one) => one === type)
  const known = type === 'string' || type === 'number' || type === 'boolean'
  return {
    name,
    title: titleOf(name),
    kind: isOneType && known ? kinds[type] : 'json',
    choices: [],
  }
}

/** Formats `first_name` as `First name`. */
function titleOf(name: string): string {
  const words = name.replaceAll(/[_-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Formats a value in one line. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
