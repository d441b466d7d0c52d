/**
 * An example of any schema: the one in the schema (`examples`, `default`), otherwise a value
 * derived from its type, format and name. Examples are deterministic, and a test validates all of
 * them.
 */
import {
  listChoices,
  isNull,
  mergeSchema,
  acceptsEverything,
  listTypes,
  findValueSchema,
  type JsonSchema,
} from '../json-schema.ts'

const TIMESTAMP = '2026-11-23T09:30:00.000Z'
const UUID = '019aafe2-7c3a-7d41-9f52-3b8e6a1c4d20'

const byFormat: Readonly<Record<string, string>> = {
  uuid: UUID,
  'date-time': TIMESTAMP,
  date: TIMESTAMP.slice(0, 10),
  time: '09:30:00Z',
  email: 'anna@example.com',
  uri: 'https://example.com/hooks/homeport',
  'uri-reference': '/hooks/homeport',
  hostname: 'example.com',
  ipv4: '192.0.2.10',
  regex: '^[a-z]+$',
}

/**
 * Values for fields without an example, by name. A value that does not fit the schema is skipped.
 */
const byName: Readonly<Record<string, string>> = {
  name: 'Bakery De Molen',
  url: 'https://example.com/hooks/homeport',
  website_url: 'https://bakery.example',
  e164: '+447700900123',
  from: '09:00',
  to: '17:30',
  phone: '+31612345678',
  email: 'anna@example.com',
  recipient: 'anna@example.com',
  language: 'en',
  timezone: 'Europe/Amsterdam',
  currency: 'EUR',
  street: 'Molenstraat',
  house_number: '12',
  postal_code: '1012 AB',
  city: 'Amsterdam',
  country: 'NL',
  area: '020',
  greeting: 'Good morning, Bakery De Molen. How can I help?',
  instructions: 'You answer the phone of a bakery. Be short and friendly.',
  description: 'A short description.',
  say: 'Are you open on Sunday?',
  user_message: 'Everything works as it should.',
  next_step: 'Nothing to do.',
  cursor: 'eyJpZCI6IjAxOWFhZmUyIn0',
}

/** Texts that match the patterns in use, tried in this order. */
const forPatterns: readonly string[] = [
  UUID,
  `evt_${'0123456789abcdef'.repeat(2)}`,
  `whsec_${'A1b2C3d4'.repeat(5)}`,
  '+447700900123',
  TIMESTAMP,
  TIMESTAMP.slice(0, 10),
  '09:00',
  'en',
  'NL',
  'EUR',
  'NL123456789B01',
  '020',
  '#0b6e4f',
  '12345678',
  'bakery',
  '1',
]

export function createExample(shape: JsonSchema, name = ''): unknown {
  const schema = mergeSchema(shape)
  const given: unknown = Array.isArray(schema.examples) ? schema.examples[0] : undefined
  if (given !== undefined) return given
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const choices = listChoices(schema)
  const choice = choices.find((one) => !isNull(one) && !acceptsEverything(one)) ?? choices[0]
  if (choice) return createExample(choice, name)
  return exampleOfType(schema, name)
}

function exampleOfType(schema: JsonSchema, name: string): unknown {
  switch (listTypes(schema).find((type) => type !== 'null') ?? listTypes(schema)[0]) {
    case 'string':
      return textExample(schema, name)
    case 'integer':
    case 'number':
      return numberExample(schema)
    case 'boolean':
      return true
    case 'array':
      return arrayExample(schema, name)
    case 'object':
      return objectExample(schema)
    case 'null':
      return null
    default:
      return {}
  }
}

function textExample(schema: JsonSchema, name: string): string {
  const wanted = [ownValue(byFormat, schema.format ?? ''), ownValue(byName, name)]
  const made = [...wanted, ...(schema.pattern ? forPatterns : []), sentence(name), 'x', '']
  return made.find((text) => text !== undefined && fits(text, schema)) ?? padded(schema)
}

/** Reads only own properties, because a field may be named "constructor". */
function ownValue(texts: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(texts, name) ? texts[name] : undefined
}

function fits(text: string, { pattern, minLength = 0, maxLength = Infinity }: JsonSchema): boolean {
  if (text.length < minLength || text.length > maxLength) return false
  return pattern === undefined || new RegExp(pattern, 'u').test(text)
}

function sentence(name: string): string {
  return name === '' ? 'text' : name.replaceAll('_', ' ')
}

function padded({ minLength = 1 }: JsonSchema): string {
  return 'x'.repeat(minLength)
}

/** Returns 1, or the number closest to it that fits. */
function numberExample(schema: JsonSchema): number {
  const { exclusiveMinimum = -Infinity, exclusiveMaximum = Infinity, multipleOf } = schema
  const step = multipleOf ?? 1
  const least = schema.minimum ?? exclusiveMinimum + step
  const most = schema.maximum ?? exclusiveMaximum - step
  const wanted = Math.max(least, Math.min(1, most))
  return multipleOf === undefined ? wanted : Math.ceil(wanted / multipleOf) * multipleOf
}

function arrayExample(schema: JsonSchema, name: string): unknown[] {
  const { items = {}, minItems = 1, maxItems = Infinity } = schema
  const length = Math.min(Math.max(minItems, 1), maxItems)
  const singular = name.endsWith('s') ? name.slice(0, -1) : name
  const several = items.enum ?? []
  return Array.from({ length }, (_, index) => several[index] ?? createExample(items, singular))
}

function objectExample(schema: JsonSchema): Record<string, unknown> {
  const { properties = {} } = schema
  const own = Object.entries(properties).map(([name, field]) => [name, createExample(field, name)])
  const values = findValueSchema(schema)
  if (!values || own.length > 0) return Object.fromEntries(own)
  const key = textExample({ minLength: 1, ...schema.propertyNames }, 'key')
  return { [key]: createExample(values, key) }
}
