/** Error messages for JSON Schema keywords. Each is a predicate that follows the field name. */
import type { ErrorObject } from 'ajv/dist/2020.js'
import type { FaultReason } from '../../contract/problems/fault-reasons.ts'

const VALUES_NAMED_MAX = 10
const VALUE_LENGTH_MAX = 100

const types: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
}

const formatsInWords: Readonly<Record<string, string>> = {
  date: 'a date such as 2026-03-31',
  time: 'a time such as 14:30:00Z',
  'date-time': 'a date and time such as 2026-03-31T14:30:00Z',
  duration: 'a duration such as P1DT2H',
  email: 'an email address',
  'idn-email': 'an email address',
  hostname: 'a host name such as example.com',
  'idn-hostname': 'a host name such as example.com',
  ipv4: 'an IPv4 address such as 192.0.2.1',
  ipv6: 'an IPv6 address such as 2001:db8::1',
  uri: 'an address such as https://example.com/page',
  iri: 'an address such as https://example.com/page',
  url: 'a web address such as https://example.com/page',
  'uri-reference': 'an address or the end of one, such as /page',
  'iri-reference': 'an address or the end of one, such as /page',
  'uri-template': 'a template of addresses such as /users/{id}',
  uuid: 'a UUID',
  'json-pointer': 'a JSON pointer such as /a/0',
  'relative-json-pointer': 'a relative JSON pointer such as 1/a',
  regex: 'a regular expression',
}

export function messageOf(error: ErrorObject): string {
  const message = wordsFor(error)
  return error.propertyName === undefined ? message : `has a name that ${message}`
}

type Words = (error: ErrorObject) => string

const limitOf = ({ params }: ErrorObject): string => String(params['limit'])
const requiredBeside: Words = ({ params }) =>
  `is required together with ${inWords(params['property'])}`
const unexpected: Words = () => 'is not an allowed field'
const tooManyEntries: Words = (error) => `must have at most ${amount(limitOf(error), 'entry')}`

const wordsByKeyword = new Map<string, Words>([
  ['required', () => 'is required'],
  ['dependentRequired', requiredBeside],
  ['dependencies', requiredBeside],
  ['additionalProperties', unexpected],
  ['unevaluatedProperties', unexpected],
  ['type', ({ schema }) => `must be ${typesInWords(schema)}`],
  ['enum', ({ schema }) => `must be one of ${valuesInWords(schema)}`],
  ['const', ({ schema }) => `must be ${inWords(schema)}`],
  ['format', ({ schema }) => `must be ${formatsInWords[String(schema)] ?? String(schema)}`],
  ['pattern', patternInWords],
  ['minimum', (error) => `must be at least ${limitOf(error)}`],
  ['maximum', (error) => `must be at most ${limitOf(error)}`],
  ['exclusiveMinimum', (error) => `must be more than ${limitOf(error)}`],
  ['exclusiveMaximum', (error) => `must be less than ${limitOf(error)}`],
  ['multipleOf', ({ schema }) => `must be a multiple of ${String(schema)}`],
  ['minLength', (error) => `must be at least ${amount(limitOf(error), 'character')}`],
  ['maxLength', (error) => `must be at most ${amount(limitOf(error), 'character')}`],
  ['minItems', (error) => `must have at least ${amount(limitOf(error), 'entry')}`],
  ['maxItems', tooManyEntries],
  ['items', tooManyEntries],
  ['unevaluatedItems', () => 'has too many entries'],
  ['uniqueItems', () => 'must not have duplicate entries'],
  ['minProperties', (error) => `must have at least ${amount(limitOf(error), 'field')}`],
  ['maxProperties', (error) => `must have at most ${amount(limitOf(error), 'field')}`],
  ['contains', ({ params }) => containsInWords(params)],
  ['anyOf', ({ schema }) => choiceInWords(schema)],
  ['oneOf', ({ schema, params }) => (params['passingSchemas'] ? tooMany : choiceInWords(schema))],
])
const tooMany = 'matches more than one of the allowed alternatives'

function wordsFor(error: ErrorObject): string {
  return wordsByKeyword.get(error.keyword)?.(error) ?? 'is not allowed'
}

function patternInWords({ schema, parentSchema }: ErrorObject): string {
  return typeof parentSchema?.['description'] === 'string'
    ? `has the wrong format: ${parentSchema['description']}`
    : `must match the pattern ${String(schema)}`
}

function containsInWords({ minContains, maxContains }: ErrorObject['params']): string {
  if (maxContains === undefined)
    return `must have at least ${amount(String(minContains), 'matching entry')}`
  return `must have ${minContains} to ${amount(String(maxContains), 'matching entry')}`
}

/**
 * Returns the types of a choice in words, such as `must be text or null`, or a general message if a branch has no single type.
 */
function choiceInWords(branches: unknown): string {
  const named: unknown[] = Array.isArray(branches) ? branches.map((one) => Object(one).type) : []
  const says_all = named.length > 0 && named.every((type) => typeof type === 'string')
  return says_all
    ? `must be ${typesInWords([...new Set(named)])}`
    : 'does not match any of the allowed alternatives'
}

function typesInWords(named: unknown): string {
  const all: unknown[] = Array.isArray(named) ? named : [named]
  return all.map((type) => types[String(type)] ?? String(type)).join(' or ')
}

function valuesInWords(values: unknown): string {
  const all: unknown[] = Array.isArray(values) ? values : []
  const shown = all.slice(0, VALUES_NAMED_MAX).map(inWords).join(', ')
  const left = all.length - VALUES_NAMED_MAX
  return left > 0 ? `${shown} and ${left} more` : shown
}

function inWords(value: unknown): string {
  const text = JSON.stringify(value)
  return text.length > VALUE_LENGTH_MAX ? `${text.slice(0, VALUE_LENGTH_MAX)}…` : text
}

function amount(count: string, noun: string): string {
  if (count === '1') return `1 ${noun}`
  return noun.endsWith('y') ? `${count} ${noun.slice(0, -1)}ies` : `${count} ${noun}s`
}

const limitWords = {
  minLength: 'minLength',
  maxLength: 'maxLength',
  minimum: 'minimum',
  maximum: 'maximum',
  minItems: 'minimum',
  maxItems: 'maximum',
} as const
const formatWords = {
  email: 'email',
  'idn-email': 'email',
  url: 'url',
  uri: 'url',
  date: 'date',
  'date-time': 'date',
} as const

/** Reason codes shared with the form script (widget/forms/schema.js); `invalid` for all others. */
export function reasonFor({ keyword, params, schema, propertyName }: ErrorObject): FaultReason {
  if (propertyName !== undefined) return { word: 'invalid' }
  if (isKey(limitWords, keyword)) {
    return { word: limitWords[keyword], limit: Number(params['limit']) }
  }
  if (keyword === 'format' && isKey(formatWords, schema)) return { word: formatWords[schema] }
  if (keyword === 'type' && (schema === 'number' || schema === 'integer')) return { word: schema }
  if (keyword === 'enum') return { word: 'enum' }
  if (keyword === 'required' || keyword === 'dependentRequired' || keyword === 'const') {
    return { word: 'required' }
  }
  return { word: 'invalid' }
}

function isKey<T extends object>(table: T, key: unknown): key is keyof T {
  return typeof key === 'string' && Object.hasOwn(table, key)
}
