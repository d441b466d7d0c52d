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
const options = { allErrors: true, strict: false, useDefaults: true, verbose: true } as const
const bodies = new Ajv2020(options)
// Query values are texts; "20" is a good integer there and nowhere else.
const queries = new Ajv2020({ ...options, coerceTypes: true })
// The library's own uuid also takes `urn:uuid:…`, which PostgreSQL does not.
const knownFormats = { ...fullFormats, uuid: isUuid }
for (const ajv of [bodies, queries])
  for (const [name, format] of Object.entries(knownFormats)) ajv.addFormat(name, format)

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

function faultsFrom(errors: ErrorObject[]): Fault[] {
  const faults = new Map<string, Fault>()
  for (const error of errors.filter((one) => !isShadowed(one, errors))) {
    const fault = faultFrom(error)
    faults.set(`${fault.path} ${fault.message}`, fault)
  }
  return [...faults.values()].slice(0, FAULTS_MAX)
}

/**
 * A choice (anyOf) reports itself and every branch. If a branch got deeper into the value, its
 * fault is the telling one; if none did, the choice itself is.
 */
function isShadowed(error: ErrorObject, all: ErrorObject[]): boolean {
  if (error.keyword === 'if') return true
  const choice = (one: ErrorObject) => one.keyword === 'anyOf' || one.keyword === 'oneOf'
  const inside = (one: ErrorObject, outer: ErrorObject) =>
    one !== outer && one.schemaPath.startsWith(`${outer.schemaPath}/`)
  const deeper = (outer: ErrorObject) =>
    all.some((one) => inside(one, outer) && placeOf(one).length > outer.instancePath.length)
  if (choice(error) && deeper(error)) return true
  return all.some(
    (outer) =>
      choice(outer) &&
      inside(error, outer) &&
      (!deeper(outer) || placeOf(error).length <= outer.instancePath.length),
  )
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

function messageOf({ keyword, params, message, parentSchema }: ErrorObject): string {
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
        ? `is not of the right form: ${parentSchema['description']}`
        : `must match the pattern ${String(params['pattern'])}`
    case 'anyOf':
    case 'oneOf':
      return 'is none of the accepted shapes'
    default:
      return message ?? 'is not accepted'
  }
}
