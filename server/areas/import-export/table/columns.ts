/**
 * The columns of a table: the fields of the schema in its order, then other fields of the
 * documents. Types come from the schema, so that an import converts text to numbers and dates.
 */
import {
  isObject,
  everyType,
  applicableSchemas,
  propertiesOf,
  typesOf,
  type ValueTypes,
} from '../../json-schema/service.ts'
import { MalformedFile } from '../../../kernel/tables/malformed-file.ts'
import { trailingSystemFields, MORE_COLUMN, nameInData, nameInFile } from '../record.ts'

export interface Column {
  /** The name in the file. */
  name: string
  types: ValueTypes
  format: 'date-time' | 'date' | 'time' | null
}

export interface Layout {
  columns: readonly Column[]
  /** Whether fields without a column go into the column `_more`, as JSON. */
  more: boolean
}

// Excel supports 16,384 columns; LibreOffice is slow with far fewer.
const COLUMNS_MAX = 1000
const NAME_CHARACTERS_MAX = 255
const SHOWN_CHARACTERS = 40

const text: ValueTypes = new Set(['string'])
const number: ValueTypes = new Set(['number'])

/** `found` lists the top-level fields of the documents. */
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
      ...(more ? [{ name: MORE_COLUMN, types: everyType, format: null }] : []),
      ...trailingSystemFields.map(serviceColumn),
    ],
    more,
  }
}

/** Throws for headings that are too long or, unless empty, occur twice. */
export function requireHeadings(names: readonly string[]): void {
  const seen = new Set<string>()
  for (const [at, name] of names.entries()) {
    if (name.length > NAME_CHARACTERS_MAX) {
      const shown = `"${name.slice(0, SHOWN_CHARACTERS).toWellFormed()}…"`
      const message = `The heading ${shown} of column ${at + 1} has more than ${NAME_CHARACTERS_MAX} characters. Shorten it.`
      throw new MalformedFile(message, { line: 1, column: at + 1 })
    }
    if (seen.has(name)) throw new MalformedFile(`Two columns are called "${name}".`, { line: 1 })
    if (name !== '') seen.add(name)
  }
}

/** Returns the columns for the headings of a file. */
export function columnsRead(schema: unknown, names: readonly string[]): Column[] {
  const fields = propertiesOf(schema)
  return names.map((name) => {
    const field = nameInData(name)
    if (field === null) return serviceColumn(name)
    return columnOf(schema, fields, field)
  })
}

function serviceColumn(name: string): Column {
  if (name === MORE_COLUMN) return { name, types: everyType, format: null }
  if (name === '_version') return { name, types: number, format: null }
  return { name, types: text, format: name.endsWith('_at') ? 'date-time' : null }
}

function isHeading(name: string): boolean {
  // oxlint-disable-next-line no-control-regex -- these are what a heading may not have
  return name.trim() === name && name !== '' && !/[\u0000-\u001f\ufffe\uffff]/.test(name)
    ? name.length <= NAME_CHARACTERS_MAX
    : false
}

function columnOf(root: unknown, fields: ReadonlyMap<string, unknown>, name: string): Column {
  const field = fields.get(name)
  return {
    name: nameInFile(name),
    types: field === undefined ? everyType : typesOf(field, root),
    format: formatOf(field, root),
  }
}

function formatOf(schema: unknown, root: unknown): Column['format'] {
  for (const { format } of applicableSchemas(schema, root))
    if (format === 'date-time' || format === 'date' || format === 'time') return format
  return null
}
