/**
 * Converts form fields to a document. The schema decides which texts become numbers, booleans,
 * arrays or nested objects. A text that cannot be converted stays text, and validation reports it.
 */
import type { SubmittedField } from '../../../contract/operations/guests.ts'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { INEXACT_NUMBER, isExactNumber } from '../../../kernel/values/exact-number.ts'
import { pointerTo } from '../field-path.ts'
import { zonedTime, type FormTime } from './form-times.ts'
import { possibleSchemas } from '../../json-schema/service.ts'
import type { JsonObject } from '../schema.ts'

interface Setting {
  root: unknown
  /** The context for times without a zone; null if only the schema is inspected. */
  moment: FormTime | null
}

/** All schemas that apply to one place in a document. */
interface SchemaView extends Setting {
  schemas: readonly Readonly<Record<string, unknown>>[]
}

const PARTS_MAX = 10

/** A place in the document under construction: its texts, or the fields below it. */
interface Branch {
  texts: string[]
  below: Map<string, Branch>
}

/**
 * Omits empty fields, because browsers submit a field without input as an empty text. Throws
 * document_too_large if the values together are longer than a document may be.
 */
export function dataFromFields(
  fields: readonly SubmittedField[],
  schema: unknown,
  moment: FormTime,
): JsonObject {
  const view = collectSchemas([schema], { root: schema, moment })
  const trunk = newBranch()
  let characters = 0
  for (const { name, value } of fields) {
    if (value === '' || name === '' || name === '_charset_') continue
    const path = pathOf(name, view)
    let branch = trunk
    for (const part of path) branch = branchBelow(branch, part)
    // Browsers submit line breaks of a textarea as CRLF.
    const text = value.replaceAll('\r\n', '\n')
    characters += text.length
    if (characters > limits.document_bytes_max) throw tooLong()
    branch.texts.push(text)
  }
  return objectFrom(trunk, view, [])
}

function tooLong(): Problem {
  const detail = `The fields have more than ${limits.document_bytes_max} characters together.`
  return new Problem('document_too_large', detail)
}

/** Returns whether the schema of the field, or of its items, has the format `media`. */
export function acceptsFiles(name: string, schema: unknown): boolean {
  let view = collectSchemas([schema], { root: schema, moment: null })
  for (const part of pathOf(name, view)) view = property(view, part)
  const items = view.schemas.map(({ items: one }) => one)
  return [...view.schemas, ...collectSchemas(items, view).schemas].some(
    ({ format }) => format === 'media',
  )
}

function newBranch(): Branch {
  return { texts: [], below: new Map() }
}

function branchBelow(branch: Branch, part: string): Branch {
  const next = branch.below.get(part) ?? newBranch()
  branch.below.set(part, next)
  return next
}

/**
 * Returns the path of a field name. `address.city` is nested, unless the schema declares that exact
 * name.
 */
function pathOf(name: string, view: SchemaView): string[] {
  const plain = name.endsWith('[]') ? name.slice(0, -2) : name
  if (hasProperty(view, name)) return [name]
  if (hasProperty(view, plain)) return [plain]
  const parts = plain.split('.')
  const is_valid = parts.length <= PARTS_MAX && parts.every((part) => part !== '')
  return is_valid ? parts : [plain]
}

function objectFrom(branch: Branch, view: SchemaView, path: readonly string[]): JsonObject {
  const members = [...branch.below].map(([name, below]): [string, unknown] => [
    name,
    valueFrom(below, property(view, name), [...path, name]),
  ])
  for (const name of requiredOf(view)) {
    // Browsers omit checkboxes that are not ticked.
    const is_box = typesOf(property(view, name)).join() === 'boolean'
    if (is_box && !branch.below.has(name)) members.push([name, false])
  }
  return Object.fromEntries(members)
}

function valueFrom({ texts, below }: Branch, view: SchemaView, path: readonly string[]): unknown {
  if (below.size === 0) return valueOf(texts, view, path)
  if (texts.length === 0) return objectFrom({ texts, below }, view, path)
  throw mismatch(path, 'has both a value and fields below it')
}

function mismatch(path: readonly string[], message: string): Problem {
  const fault = { path: pointerTo(path), message }
  return new Problem('schema_mismatch', `${fault.path} ${message}.`, { errors: [fault] })
}

function valueOf(texts: readonly string[], view: SchemaView, path: readonly string[]): unknown {
  const types = typesOf(view)
  const [first = '', ...others] = texts
  if (types.includes('array')) {
    const items = collectSchemas(
      view.schemas.map(({ items }) => items),
      view,
    )
    return texts.map((text) => scalarFrom(text, items, path))
  }
  if (others.length === 0) return scalarFrom(first, view, path)
  // Forms often put a hidden "no" before a checkbox, so the last value counts.
  if (types.includes('boolean')) return scalarFrom(others.at(-1) ?? first, view, path)
  return texts.map((text) => scalarFrom(text, view, path))
}

const numberPattern = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i
/** Limits the work; the largest finite number has 309 digits. */
const NUMBER_CHARACTERS_MAX = 400
const booleans: Readonly<Record<string, boolean>> = {
  true: true,
  on: true,
  yes: true,
  1: true,
  false: false,
  off: false,
  no: false,
  0: false,
}

function scalarFrom(text: string, view: SchemaView, path: readonly string[]): unknown {
  const known = view.schemas.flatMap((schema) => [
    ...(Array.isArray(schema['enum']) ? schema['enum'] : []),
    ...('const' in schema ? [schema['const']] : []),
  ])
  const chosen = known.find((value) => typeof value !== 'object' && String(value) === text)
  if (chosen !== undefined) return chosen
  const types = typesOf(view)
  if (types.includes('string')) return textFor(text, view, path)
  const trimmed = text.trim()
  if (types.includes('number') || types.includes('integer')) {
    const number = numberFrom(trimmed, path)
    if (number !== null) return number
  }
  if (types.includes('boolean')) {
    const word = trimmed.toLowerCase()
    if (Object.hasOwn(booleans, word)) return booleans[word]
  }
  return textFor(text, view, path)
}

function numberFrom(text: string, path: readonly string[]): number | null {
  if (text.length > NUMBER_CHARACTERS_MAX || !numberPattern.test(text)) return null
  if (!isExactNumber(text)) throw mismatch(path, INEXACT_NUMBER)
  return Number(text)
}

function textFor(text: string, { schemas, moment }: SchemaView, path: readonly string[]): string {
  const format = schemas.map((schema) => schema['format']).find((one) => one !== undefined)
  const time = moment ? zonedTime(text, format, moment) : text
  if (time === null) throw mismatch(path, 'has no time zone; send one as hp_timezone')
  return time
}

/** Collects the schemas and all schemas that they include for the same place. */
function collectSchemas(schemas: readonly unknown[], { root, moment }: Setting): SchemaView {
  return { schemas: possibleSchemas(schemas, root).all, root, moment }
}

function property({ schemas, ...setting }: SchemaView, name: string): SchemaView {
  const found = schemas.map(({ properties, additionalProperties }): unknown => {
    const own: PropertyDescriptor | undefined = Object.getOwnPropertyDescriptor(
      Object(properties),
      name,
    )
    return own ? own.value : additionalProperties
  })
  return collectSchemas(found, setting)
}

function hasProperty({ schemas }: SchemaView, name: string): boolean {
  return schemas.some(({ properties }) => Object.hasOwn(Object(properties), name))
}

function requiredOf({ schemas }: SchemaView): string[] {
  return schemas.flatMap(({ required }) =>
    Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [],
  )
}

function typesOf({ schemas }: SchemaView): unknown[] {
  return [...new Set(schemas.flatMap(({ type }) => (type === undefined ? [] : type)))]
}
