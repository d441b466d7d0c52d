/**
 * The properties of a JSON Schema as rows, and back. Keywords that the rows do not show are kept, so
 * that a schema of an agent survives an edit of a person.
 */

export type FieldType =
  | 'text'
  | 'long'
  | 'email'
  | 'url'
  | 'date'
  | 'date-time'
  | 'number'
  | 'integer'
  | 'boolean'
  | 'choice'
  | 'media'
  | 'json'

export interface SchemaField {
  /** Stays the same while the name is edited. */
  key: string
  name: string
  title: string
  type: FieldType
  required: boolean
  /** The values of a choice. */
  choices: readonly string[]
  /** The property as it was, with keywords that no row shows. */
  rest: JsonObject
}

export type JsonObject = Readonly<Record<string, unknown>>

/** As many characters as make the control of a text an area of several lines. */
const LONG_CHARACTERS = 2000
const LONG_MIN = 300

const written: Readonly<Record<FieldType, JsonObject>> = {
  text: { type: 'string' },
  long: { type: 'string', maxLength: LONG_CHARACTERS },
  email: { type: 'string', format: 'email' },
  url: { type: 'string', format: 'url' },
  date: { type: 'string', format: 'date' },
  'date-time': { type: 'string', format: 'date-time' },
  number: { type: 'number' },
  integer: { type: 'integer' },
  boolean: { type: 'boolean' },
  choice: { type: 'string' },
  media: { type: 'string', format: 'media' },
  json: {},
}

export const fieldTypes: readonly FieldType[] = [
  'text',
  'long',
  'email',
  'url',
  'date',
  'date-time',
  'number',
  'integer',
  'boolean',
  'choice',
  'media',
  'json',
]

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function fieldsOfSchema(schema: JsonObject): SchemaField[] {
  const properties = isObject(schema['properties']) ? schema['properties'] : {}
  const required = Array.isArray(schema['required']) ? schema['required'] : []
  return Object.entries(properties).map(([name, given]) => {
    const rest = isObject(given) ? given : {}
    const { title, enum: values } = rest
    return {
      key: name,
      name,
      title: typeof title === 'string' ? title : '',
      type: typeOf(rest),
      required: required.includes(name),
      choices: Array.isArray(values) ? values.filter((one) => typeof one === 'string') : [],
      rest,
    }
  })
}

function typeOf({ type, format, enum: values, maxLength }: JsonObject): FieldType {
  if (type === 'integer' || type === 'number' || type === 'boolean') return type
  if (Array.isArray(values) && values.every((one) => typeof one === 'string')) return 'choice'
  if (type !== 'string') return 'json'
  const known = (['email', 'url', 'date', 'date-time', 'media'] as const).find(
    (one) => one === format,
  )
  if (known !== undefined) return known
  return typeof maxLength === 'number' && maxLength >= LONG_MIN ? 'long' : 'text'
}

export function schemaOfFields(schema: JsonObject, fields: readonly SchemaField[]): JsonObject {
  const properties = Object.fromEntries(fields.map((field) => [field.name, propertyOf(field)]))
  const required = fields.flatMap(({ name, required }) => (required ? [name] : []))
  const { required: _, ...others } = schema
  return { ...others, type: 'object', properties, ...(required.length > 0 && { required }) }
}

/** A row whose type was not changed keeps the keywords that describe it, in their order. */
function propertyOf({ title, type, choices, rest }: SchemaField): JsonObject {
  const { title: _, ...untitled } = rest
  const { enum: _values, ...kept } = untitled
  const isSame = typeOf(rest) === type
  if (isSame && type !== 'choice' && title === (rest['title'] ?? '')) return rest
  return {
    ...(isSame ? kept : written[type]),
    ...(title.trim() !== '' && { title: title.trim() }),
    ...(type === 'choice' && { enum: [...choices] }),
  }
}

export function newField(fields: readonly SchemaField[]): SchemaField {
  const key = crypto.randomUUID()
  const taken = new Set(fields.map(({ name }) => name))
  let count = fields.length + 1
  while (taken.has(`field_${count}`)) count += 1
  const name = `field_${count}`
  return { key, name, title: '', type: 'text', required: false, choices: [], rest: written.text }
}

/** Why the rows are no schema: a name that is missing or given twice, or a choice without values. */
export type FieldFault = 'name_missing' | 'name_twice' | 'no_choices'

export function faultOf(field: SchemaField, fields: readonly SchemaField[]): FieldFault | null {
  if (field.name.trim() === '') return 'name_missing'
  if (fields.some(({ key, name }) => key !== field.key && name === field.name)) return 'name_twice'
  return field.type === 'choice' && field.choices.length === 0 ? 'no_choices' : null
}
