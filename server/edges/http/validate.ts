/**
 * Checks values against the shapes of operations and words every fault at once, each with a JSON
 * pointer to its place and a message that says what would be right.
 */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import type { TSchema } from 'typebox'
import { isUuid } from '../../kernel/values/ids.ts'
import { pointerPart } from '../../kernel/values/json.ts'

export interface Fault {
  path: string
  message: string
}

export type Validator = (value: unknown) => Fault[]

const FAULTS_MAX = 100
const ERRORS_READ_MAX = 500
const options = { allErrors: true, strict: false, useDefaults: true, verbose: true } as const
const bodies = new Ajv2020(options)
// Query values are texts; "20" is a good integer there and nowhere else.
const queries = new Ajv2020({ ...options, coerceTypes: true })
// The library's own uuid also takes `urn:uuid:…`, which PostgreSQL does not.
const knownFormats = { ...fullFormats, uuid: isUuid }
for (const ajv of [bodies, queries]) {
  // To keep books for `unevaluatedProperties`, which no shape has, it would look at every branch of a
  // choice and note every field.
  ajv.opts.unevaluated = false
  for (const [name, format] of Object.entries(knownFormats)) ajv.addFormat(name, format)
}

/** A validator for a body. Defaults of the shape are filled in. */
export function bodyValidator(schema: TSchema): Validator {
  return validatorOf(bodies.compile(schema))
}

/** A validator for a query, whose values are texts to begin with. */
export function queryValidator(schema: TSchema): Validator {
  return validatorOf(queries.compile(schema))
}

function validatorOf(validate: ValidateFunction): Validator {
  return (value) => (validate(value) ? [] : faultsFrom(validate.errors ?? []))
}

function faultsFrom(reported: ErrorObject[]): Fault[] {
  // A body can be wrong in a hundred thousand places, and nobody mends them from one reply.
  const errors = reported.slice(0, ERRORS_READ_MAX).filter(({ keyword }) => keyword !== 'if')
  const hidden = hiddenBehindChoices(errors)
  const faults = new Map<string, Fault>()
  for (const error of errors) {
    if (hidden.has(error)) continue
    const fault = faultFrom(error)
    faults.set(`${fault.path} ${fault.message}`, fault)
  }
  return [...faults.values()].slice(0, FAULTS_MAX)
}

/**
 * A choice (anyOf) reports itself and every branch. If some of it tells what is wrong, that is
 * shown and the rest hidden, the choice included; if nothing does, the choice itself is shown.
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

/** Those of the branch that was meant; faults deeper in the value; or of the branch of its type. */
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
  /** The member by which the branches are told apart, and what each of them has there. */
  member: string
  names: readonly unknown[]
  given: unknown
  /** The branch that the value names; -1 for none. */
  at: number
}

/** A choice between objects that have one member with a fixed value each, such as `op`. */
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
  return typeof named === 'string' ? `${instancePath}/${pointerPart(named)}` : instancePath
}

function faultFrom(error: ErrorObject): Fault {
  return { path: placeOf(error), message: messageOf(error) }
}

function messageOf(error: ErrorObject): string {
  const { keyword, params, message, parentSchema } = error
  switch (keyword) {
    case 'required':
      return 'is required'
    case 'additionalProperties':
      return 'is not a field of this request'
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
      return message ?? 'is not accepted'
  }
}

/** `title` says what form a value has; `description` says it where there is no title. */
function patternMessage(shape: Record<string, unknown>, pattern: unknown): string {
  const form = shape['title'] ?? shape['description']
  return typeof form === 'string'
    ? `is not of the right form: ${form.replace(/\.$/, '')}`
    : `must match the pattern ${String(pattern)}`
}

function choiceMessage(error: ErrorObject): string {
  const named = namedChoice(error)
  if (!named) return shapesOf(error.schema)
  const names = JSON.stringify(named.names).slice(1, -1)
  return named.given === undefined ? `is required, one of ${names}` : `must be one of ${names}`
}

/** The types of a choice where that says it all, such as `must be string or null`. */
function shapesOf(branches: unknown): string {
  const types = Array.isArray(branches) ? branches.map((branch) => Object(branch).type) : []
  const all = types.every((type) => typeof type === 'string') && types.length > 0
  return all ? `must be ${[...new Set(types)].join(' or ')}` : 'is none of the accepted shapes'
}
