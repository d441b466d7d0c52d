/**
 * The columns of a table of documents: the fields that the schema names, in its order, then those
 * that documents have besides. What may stand in a column is read from the schema, so that texts
 * of a file become the numbers and dates that the schema asks for.
 */
import { isObject } from '../json-schema/outline.ts'
import { everyType, typeOfValue, type ValueType, type ValueTypes } from './cell.ts'
import { followingNames, MORE, nameInData, nameInFile } from './record.ts'

export interface Column {
  /** As the file names it. */
  name: string
  types: ValueTypes
  format: 'date-time' | 'date' | null
}

export interface Layout {
  columns: readonly Column[]
  /** Whether fields without a column go into one of their own, as JSON. */
  more: boolean
}

// Excel has 16,384 columns and opens no more; LibreOffice is slow with far fewer.
const COLUMNS_MAX = 1000
const NAME_CHARACTERS_MAX = 255
const DEPTH_MAX = 8

const text: ValueTypes = new Set(['string'])
const number: ValueTypes = new Set(['number'])

/** `found` are the names of the fields that the documents have at the top. */
export function layoutOf(schema: unknown, found: Iterable<string>): Layout {
  const fields = propertiesOf(schema)
  const names = [...new Set([...fields.keys(), ...found])].filter(isHeading)
  const own = names.slice(0, COLUMNS_MAX).map((name) => columnOf(schema, fields, name))
  const closed = isObject(schema) && schema['additionalProperties'] === false
  const more = !closed || own.length < new Set([...fields.keys(), ...found]).size
  return {
    columns: [
      { name: '_id', types: text, format: null },
      ...own,
      ...(more ? [{ name: MORE, types: everyType, format: null }] : []),
      ...followingNames.map(serviceColumn),
    ],
    more,
  }
}

/** Returns the first heading that occurs twice, ignoring empty ones. */
export function repeatedName(names: readonly string[]): string | undefined {
  const seen = new Set<string>()
  return names.find((name) => {
    if (name === '') return false
    if (seen.has(name)) return true
    seen.add(name)
    return false
  })
}

/** The columns that the headings of a file mean. */
export function columnsRead(schema: unknown, names: readonly string[]): Column[] {
  const fields = propertiesOf(schema)
  return names.map((name) => {
    const field = nameInData(name)
    if (field === null) return serviceColumn(name)
    return columnOf(schema, fields, field)
  })
}

function serviceColumn(name: string): Column {
  if (name === MORE) return { name, types: everyType, format: null }
  if (name === '_version') return { name, types: number, format: null }
  return { name, types: text, format: name.endsWith('_at') ? 'date-time' : null }
}

function isHeading(name: string): boolean {
  // oxlint-disable-next-line no-control-regex -- these are what a heading may not have
  return name.trim() === name && name !== '' && !/[\u0000-\u001f\ufffe\uffff]/.test(name)
    ? name.length <= NAME_CHARACTERS_MAX
    : false
}

// oxlint-disable-next-line max-params -- the whole schema, its fields, and which one
function columnOf(root: unknown, fields: ReadonlyMap<string, unknown>, name: string): Column {
  const field = fields.get(name)
  return {
    name: nameInFile(name),
    types: field === undefined ? everyType : typesOf(field, root),
    format: formatOf(field, root),
  }
}

/** The fields that a schema names at the top, also behind a reference or in `allOf`. */
function propertiesOf(root: unknown): Map<string, unknown> {
  const fields = new Map<string, unknown>()
  for (const schema of partsOf(root, root)) {
    if (!isObject(schema['properties'])) continue
    for (const [name, field] of Object.entries(schema['properties']))
      if (!fields.has(name)) fields.set(name, field)
  }
  return fields
}

/** A schema and those that hold for the same value: what it refers to, and its `allOf`. */
function partsOf(schema: unknown, root: unknown, depth = 0): Record<string, unknown>[] {
  if (!isObject(schema) || depth > DEPTH_MAX) return []
  const { $ref, allOf } = schema
  return [
    schema,
    ...(typeof $ref === 'string' ? partsOf(targetOf($ref, root), root, depth + 1) : []),
    ...(Array.isArray(allOf) ? allOf.flatMap((one) => partsOf(one, root, depth + 1)) : []),
  ]
}

/** Only plain pointers; a column whose type is not known takes every value. */
function targetOf(reference: string, root: unknown): unknown {
  if (!reference.startsWith('#/')) return undefined
  let at = root
  for (const part of reference.slice(2).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (!isObject(at) || !Object.hasOwn(at, name)) return undefined
    at = at[name]
  }
  return at
}

function typesOf(schema: unknown, root: unknown, depth = 0): ValueTypes {
  let types: ValueTypes = everyType
  for (const part of partsOf(schema, root, depth)) {
    const either = part['anyOf'] ?? part['oneOf']
    const said = saidTypes(part)
    if (said) types = types.intersection(said)
    if (Array.isArray(either) && depth <= DEPTH_MAX) {
      const all = either.map((one) => typesOf(one, root, depth + 1))
      types = types.intersection(all.reduce((sum, one) => sum.union(one), new Set<ValueType>()))
    }
  }
  return types.size > 0 ? types : everyType
}

function saidTypes({ type, enum: values, ...rest }: Record<string, unknown>): ValueTypes | null {
  if (type !== undefined) return new Set([type].flat().flatMap(typeNamed))
  if (Array.isArray(values)) return new Set(values.map(typeOfValue))
  return 'const' in rest ? new Set([typeOfValue(rest['const'])]) : null
}

function typeNamed(name: unknown): ValueType[] {
  const known = name === 'integer' ? 'number' : name
  for (const type of everyType) if (type === known) return [type]
  return []
}

function formatOf(schema: unknown, root: unknown): Column['format'] {
  for (const { format } of partsOf(schema, root))
    if (format === 'date-time' || format === 'date') return format
  return null
}
