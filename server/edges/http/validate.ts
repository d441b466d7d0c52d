/**
 * Validates values against schemas and reports all errors, each with a JSON pointer and a message
 * that says what would be valid.
 */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import type { TSchema } from 'typebox'
import { isUuid } from '../../kernel/values/ids.ts'
import { escapePointerPart } from '../../kernel/values/json.ts'

export interface InputFault {
  path: string
  message: string
}

export type Validator = (value: unknown) => InputFault[]

const FAULTS_MAX = 100
const ERRORS_READ_MAX = 500
const options = {
  allErrors: true,
  strict: false,
  useDefaults: true,
  verbose: true,
  // The schemas are our own, and the test of the OpenAPI document validates them.
  validateSchema: false,
} as const
const bodies = new Ajv2020(options)
// Query values are strings, so "20" is a valid integer in queries only.
const queries = new Ajv2020({ ...options, coerceTypes: true })
// Ajv's uuid format accepts `urn:uuid:…`, which PostgreSQL does not.
const knownFormats = { ...fullFormats, uuid: isUuid }
for (const ajv of [bodies, queries]) {
  // Tracking for `unevaluatedProperties`, which no schema uses, would evaluate every branch of a
  // union and record every field.
  ajv.opts.unevaluated = false
  for (const [name, format] of Object.entries(knownFormats)) ajv.addFormat(name, format)
}

/** Creates a validator for a body. It fills in defaults. */
export function createBodyValidator(schema: TSchema): Validator {
  return validatorOf(bodies.compile(schema))
}

/** Creates a validator for a query. It converts strings. */
export function createQueryValidator(schema: TSchema): Validator {
  return validatorOf(queries.compile(schema))
}

function validatorOf(validate: ValidateFunction): Validator {
  return (value) => (validate(value) ? [] : faultsFrom(validate.errors ?? []))
}

function faultsFrom(reported: ErrorObject[]): InputFault[] {
  // Limits the errors that are read: a body can have a hundred thousand errors, too many for a
  // useful reply.
  const errors = reported.slice(0, ERRORS_READ_MAX).filter(({ keyword }) => keyword !== 'if')
  const hidden = hiddenBehindChoices(errors)
  const faults = new Map<string, InputFault>()
  for (const error of errors) {
    if (hidden.has(error)) continue
    const fault = faultFrom(error)
    faults.set(`${fault.path} ${fault.message}`, fault)
  }
  return [...faults.values()].slice(0, FAULTS_MAX)
}

/**
 * Returns the errors that hide others: a union (anyOf) reports itself and every branch. If some
 * branch errors are relevant, only those are kept; otherwise only the union's own.
 */
function hiddenBehindChoices(errors: readonly ErrorObject[]): Set<ErrorObject> {
  const hidden = new Set<ErrorObject>()
  for (const choice of errors) {
    if (choice.keyword !== 'anyOf' && choice.keyword !== 'oneOf') continue
    const inside = errors.filter((one) => one.schemaPath.startsWith(`${choice.schemaPath}/`))
    const telling = new Set(tellingOf(choice, inside))
    if (telling.size > 0) hidden.add(choice)
    for (const error of inside) if (!telling.has(error)) hidden.add(error)
  }
  return hidden
}

/**
 * Returns the errors of a union that help most: those of the branch that the discriminator selects,
 * otherwise errors deeper in the value, otherwise errors of the branch with the value's type.
 */
function tellingOf(choice: ErrorObject, inside: readonly ErrorObject[]): readonly ErrorObject[] {
  const branchOf = (one: ErrorObject) =>
    one.schemaPath.slice(choice.schemaPath.length + 1).split('/')[0] ?? ''
  const named = namedChoice(choice)
  if (named) return inside.filter((one) => branchOf(one) === String(named.at))
  const deeper = inside.filter((one) => placeOf(one).length > choice.instancePath.length)
  if (deeper.length > 0) return deeper
  const branches = Object.values(Object.groupBy(inside, branchOf))
  const [only, ...others] = branches.filter((branch) =>
    branch?.every(({ keyword }) => keyword !== 'type'),
  )
  return only && others.length === 0 ? only : []
}

interface NamedChoice {
  /** The discriminator, and its value in each branch. */
  member: string
  names: readonly unknown[]
  given: unknown
  /** Index of the selected branch; -1 if none. */
  at: number
}

/**
 * Finds the discriminator of a union of objects: a member with a fixed value in each branch, such
 * as `op`.
 */
function namedChoice({ schema, data }: ErrorObject): NamedChoice | null {
  if (!Array.isArray(schema) || typeof data !== 'object' || data === null) return null
  const all = schema.map((branch): Record<string, unknown> => Object(Object(branch).properties))
  const fixed = (member: string) => all.map((members) => Object(members[member])['const'])
  const member = Object.keys(all[0] ?? {}).find((name) => {
    const names = fixed(name)
    return names.every((one) => one !== undefined) && new Set(names).size === names.length
  })
  if (member === undefined || all.length < 2) return null
  const names = fixed(member)
  const given: unknown = Object.hasOwn(data, member) ? Object(data)[member] : undefined
  return { member, names, given, at: given === undefined ? -1 : names.indexOf(given) }
}

function placeOf(error: ErrorObject): string {
  const { keyword, instancePath, params } = error
  const named: unknown =
    keyword === 'anyOf' || keyword === 'oneOf'
      ? namedChoice(error)?.member
      : keyword === 'required'
        ? params['missingProperty']
        : keyword === 'additionalProperties'
          ? params['additionalProperty']
          : undefined
  return typeof named === 'string' ? `${instancePath}/${escapePointerPart(named)}` : instancePath
}

function faultFrom(error: ErrorObject): InputFault {
  return { path: placeOf(error), message: messageOf(error) }
}

function messageOf(error: ErrorObject): string {
  const { keyword, params, message, parentSchema } = error
  switch (keyword) {
    case 'required':
      return 'is required'
    case 'additionalProperties':
      return refusedName(Object(parentSchema))
    case 'enum':
      return `must be one of ${JSON.stringify(params['allowedValues']).slice(1, -1)}`
    case 'const':
      return `must be ${JSON.stringify(params['allowedValue'])}`
    case 'pattern':
      return patternMessage(Object(parentSchema), params['pattern'])
    case 'anyOf':
    case 'oneOf':
      return choiceMessage(error)
    default:
      return message ?? 'is not allowed'
  }
}

function refusedName(shape: Record<string, unknown>): string {
  const [pattern] = Object.keys(Object(shape['patternProperties']))
  return pattern === undefined ? 'is not a field of this request' : patternMessage(shape, pattern)
}

/** Describes the pattern by `title`, otherwise by `description`. */
function patternMessage(shape: Record<string, unknown>, pattern: unknown): string {
  if (pattern === String.raw`\S`) return 'must not be blank'
  const form = shape['title'] ?? shape['description']
  return typeof form === 'string'
    ? `has the wrong format: ${form.replace(/\.$/, '')}`
    : `must match the pattern ${String(pattern)}`
}

function choiceMessage(error: ErrorObject): string {
  const named = namedChoice(error)
  if (!named) return shapesOf(error.schema)
  const names = JSON.stringify(named.names).slice(1, -1)
  return named.given === undefined ? `is required, one of ${names}` : `must be one of ${names}`
}

/** Returns the types of a union if they describe it, such as `must be string or null`. */
function shapesOf(branches: unknown): string {
  const types = Array.isArray(branches) ? branches.map((branch) => Object(branch).type) : []
  const all = types.every((type) => typeof type === 'string') && types.length > 0
  return all
    ? `must be ${[...new Set(types)].join(' or ')}`
    : 'does not match any of the allowed alternatives'
}
