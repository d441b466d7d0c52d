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

/**
 * Returns the fields of the schema in their order, then other fields of the documents: first texts,
 * which name a document, then other values, nested values, and last ids.
 */
export function fieldsOf(
  { schema }: Pick<Collection, 'schema'>,
  documents: readonly Pick<Document, 'data'>[],
): DataField[] {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {}
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  const described = Object.entries(properties).map(([name, property]) => ({
    ...describe(name, isRecord(property) ? property : {}),
    required: required.includes(name),
  }))
  const others = new Set(documents.flatMap(({ data }) => Object.keys(data)))
  for (const name of Object.keys(properties)) others.delete(name)
  const found = [...others].map((name) => ({ ...foundField(name, documents), required: false }))
  return [...described, ...found.toSorted((left, right) => rankOf(left) - rankOf(right))]
}

const ID_NAME = /(?:^|[_-])u?u?id$/i

function rankOf({ name, kind }: DataField): number {
  if (ID_NAME.test(name)) return 3
  if (kind === 'json') return 2
  return kind === 'number' || kind === 'boolean' ? 1 : 0
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

/** Returns the kind that the values of all documents share; null counts as no value. */
function foundField(
  name: string,
  documents: readonly Pick<Document, 'data'>[],
): Omit<DataField, 'required'> {
  const values = documents.flatMap(({ data }) => typeOfValue(data[name]))
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

function typeOfValue(value: unknown): string[] {
  return value === undefined || value === null ? [] : [typeof value]
}

/** Formats `first_name` as `First name`. */
function titleOf(name: string): string {
  const words = name.replaceAll(/[_-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const LISTED_MAX = 20

/** Formats a value in one line for people, such as `street: Kade 1, city: Leiden` for an object. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) {
    return value
      .slice(0, LISTED_MAX)
      .map((item) => (isRecord(item) ? `(${textOf(item)})` : textOf(item)))
      .join(', ')
  }
  if (!isRecord(value)) return String(value)
  return Object.entries(value)
    .slice(0, LISTED_MAX)
    .map(([name, item]) => `${name}: ${isRecord(item) ? `(${textOf(item)})` : textOf(item)}`)
    .join(', ')
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
