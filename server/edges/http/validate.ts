/**
 * Checks values against the shapes of operations and words every fault at once, each with a JSON
 * pointer to its place and a message that says what would be right.
 */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import type { TSchema } from 'typebox'
import { isUuid } from '../../kernel/ids.ts'
import { pointerPart } from '../../kernel/json.ts'

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

/** Faults deeper in the value; else those of the one branch whose type was right. */
function tellingOf(choice: ErrorObject, inside: readonly ErrorObject[]): readonly ErrorObject[] {
  const deeper = inside.filter((one) => placeOf(one).length > choice.instancePath.length)
  if (deeper.length > 0) return deeper
  const branchOf = (one: ErrorObject) =>
    one.schemaPath.slice(choice.schemaPath.length + 1).split('/')[0] ?? ''
  const branches = Object.values(Object.groupBy(inside, branchOf))
  const [only, ...others] = branches.filter((branch) =>
    branch?.every(({ keyword }) => keyword !== 'type'),
  )
  return only && others.length === 0 ? only : []
}

function placeOf({ keyword, instancePath, params }: ErrorObject): string {
  const named: unknown =
    keyword === 'required'
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
      return typeof parentSchema?.['description'] === 'string'
        ? `is not of the right form: ${parentSchema['description'].replace(/\.$/, '')}`
        : `must match the pattern ${String(params['pattern'])}`
    case 'anyOf':
    case 'oneOf':
      return shapesOf(error.schema)
    default:
      return message ?? 'is not accepted'
  }
}

/** The types of a choice where that says it all, such as `must be string or null`. */
function shapesOf(branches: unknown): string {
  const types = Array.isArray(branches) ? branches.map((branch) => Object(branch).type) : []
  const all = types.every((type) => typeof type === 'string') && types.length > 0
  return all ? `must be ${[...new Set(types)].join(' or ')}` : 'is none of the accepted shapes'
}
