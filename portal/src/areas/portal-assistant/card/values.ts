/** Converts the values of a form to texts of its inputs, and back. */
import { readNumber } from '../../../language/numbers.ts'

export interface FieldSchema {
  name: string
  kind: 'text' | 'long' | 'number' | 'choice' | 'flag' | 'list' | 'json'
  choices: readonly string[]
  hint: string
  isRequired: boolean
}

interface Schema {
  type?: unknown
  enum?: unknown
  const?: unknown
  items?: unknown
  description?: unknown
  anyOf?: unknown
}

/** Arguments for concurrency, which no person fills in. */
const ofTheInterface: readonly string[] = ['if_match']
const longText = /^(?:instructions|greeting|description|text|message|note)$/

export function fieldsOf(shape: Readonly<Record<string, unknown>>): FieldSchema[] {
  const required: unknown[] = Array.isArray(shape['required']) ? shape['required'] : []
  const properties: [string, Schema][] = Object.entries({ ...Object(shape['properties']) })
  return properties
    .filter(([name]) => !ofTheInterface.includes(name))
    .map(([name, schema]) => ({
      name,
      kind: kindOf(name, schema),
      choices: choicesOf(schema),
      hint: typeof schema.description === 'string' ? schema.description : '',
      isRequired: required.includes(name),
    }))
}

function kindOf(name: string, schema: Schema): FieldSchema['kind'] {
  if (choicesOf(schema).length > 0) return 'choice'
  if (schema.type === 'boolean') return 'flag'
  if (schema.type === 'integer' || schema.type === 'number') return 'number'
  if (schema.type === 'array')
    return Object(schema.items).type === 'string' || Object(schema.items).enum ? 'list' : 'json'
  if (schema.type === 'string') return longText.test(name) ? 'long' : 'text'
  return 'json'
}

function choicesOf({ enum: values }: Schema): string[] {
  return Array.isArray(values) ? values.filter((one) => typeof one === 'string') : []
}

export type Texts = Readonly<Record<string, string>>

export function textsOf(
  fields: readonly FieldSchema[],
  values: Readonly<Record<string, unknown>>,
): Texts {
  return Object.fromEntries(
    fields.map(({ name, kind }) => [name, name in values ? textOf(kind, values[name]) : '']),
  )
}

function textOf(kind: FieldSchema['kind'], value: unknown): string {
  if (kind === 'list' && Array.isArray(value)) return value.map(String).join('\n')
  if (kind === 'json') return JSON.stringify(value, null, 2)
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

export type ReadFault = 'json_fault' | 'required_fault'

export interface ReadForm {
  values: Record<string, unknown>
  faults: Readonly<Record<string, ReadFault>>
}

/** Empty inputs are left out. Arguments without an input keep their value. */
export function readForm(
  fields: readonly FieldSchema[],
  texts: Texts,
  kept: Readonly<Record<string, unknown>>,
): ReadForm {
  const faults: Record<string, ReadFault> = {}
  const shown = new Set(fields.map(({ name }) => name))
  const values: Record<string, unknown> = Object.fromEntries(
    Object.entries(kept).filter(([name]) => !shown.has(name)),
  )
  for (const { name, kind, isRequired } of fields) {
    const text = (texts[name] ?? '').trim()
    if (text === '') {
      if (isRequired) faults[name] = 'required_fault'
      continue
    }
    const value = valueOf(kind, text)
    if (value === undefined) faults[name] = 'json_fault'
    else values[name] = value
  }
  return { values, faults }
}

/** Returns undefined for text that is not JSON. */
function valueOf(kind: FieldSchema['kind'], text: string): unknown {
  if (kind === 'number') return Number.isNaN(readNumber(text)) ? text : readNumber(text)
  if (kind === 'flag') return text === 'true'
  if (kind === 'list')
    return text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '')
  if (kind !== 'json') return text
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
