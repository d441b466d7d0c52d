/**
 * Converts Ajv errors to paths and messages. For anyOf and oneOf, only the errors of the branch
 * that the value resembles are reported, if there is one.
 */
import type { ErrorObject } from 'ajv/dist/2020.js'
import { noteReason } from '../../contract/problems/fault-reasons.ts'
import { escapePointerPart } from '../../kernel/values/json.ts'
import { isObject, subschemasIn, type SchemaObject } from './subschemas.ts'
import { messageOf, reasonFor } from './wording.ts'

export interface FieldError {
  /** JSON pointer; empty for the whole value. */
  path: string
  message: string
}

export type ErrorReader = (errors: readonly ErrorObject[]) => FieldError[]

/** A value can have a hundred thousand errors; this bounds the work. */
const ERRORS_READ_MAX = 500
const choices = new Set(['anyOf', 'oneOf', 'contains', 'not'])

/** Returns a function that converts the errors of one check. `root` is the compiled schema. */
export function errorReader(root: SchemaObject | boolean, faults_max: number): ErrorReader {
  const reach = reachWithin(root)
  return (reported) => {
    const errors = reported.slice(0, ERRORS_READ_MAX)
    const hidden = hiddenIn(errors, reach)
    const faults = new Map<string, FieldError>()
    for (const error of errors) {
      if (hidden.has(error)) continue
      const fault = { path: placeOf(error), message: messageOf(error) }
      noteReason(fault, reasonFor(error))
      faults.set(`${fault.path} ${fault.message}`, fault)
    }
    return [...faults.values()].slice(0, faults_max)
  }
}

type Reach = (schema: unknown) => ReadonlySet<unknown>

/** Lists every schema reachable from a schema, itself included, through references too. */
function reachWithin(root: SchemaObject | boolean): Reach {
  const known = new Map<unknown, Set<unknown>>()
  let targets: Map<string, unknown> | null = null
  const resolvePointer = (reference: unknown): unknown => {
    targets ??= new Map([...subschemasIn(root)].map((place) => [place.pointer, place.schema]))
    return targets.get(decodeURIComponent(String(reference).slice(1)))
  }
  return (schema) => {
    const found = known.get(schema) ?? new Set([schema])
    if (known.has(schema)) return found
    known.set(schema, found)
    for (const one of found) {
      if (!isObject(one)) continue
      for (const place of subschemasIn(one)) found.add(place.schema)
      if (one['$ref'] !== undefined) found.add(resolvePointer(one['$ref']))
    }
    return found
  }
}

function hiddenIn(errors: readonly ErrorObject[], reach: Reach): Set<ErrorObject> {
  const hidden = new Set(errors.filter(({ keyword }) => keyword === 'if'))
  for (const [index, choice] of errors.entries()) {
    if (choice.keyword === 'propertyNames') hidden.add(choice)
    if (!choices.has(choice.keyword)) continue
    const inside = errors
      .slice(0, index)
      .filter((one) => isWithin(one, choice) && reach(choiceOf(choice)).has(one.parentSchema))
    const telling = new Set(meantBranch(choice, { inside, reach }))
    if (telling.size > 0) hidden.add(choice)
    for (const error of inside) if (!telling.has(error)) hidden.add(error)
  }
  return hidden
}

function isWithin(one: ErrorObject, choice: ErrorObject): boolean {
  const path = choice.instancePath
  return one.instancePath === path || one.instancePath.startsWith(`${path}/`)
}

/** Returns the branches of a choice as one schema. */
function choiceOf({ schema, parentSchema, keyword }: ErrorObject): unknown {
  return Array.isArray(schema) ? (parentSchema ?? schema) : isObject(schema) ? schema : keyword
}

/** Returns the errors of the branch whose type and constant fields match the value; empty if none or several do. */
function meantBranch(
  choice: ErrorObject,
  { inside, reach }: { inside: readonly ErrorObject[]; reach: Reach },
): readonly ErrorObject[] {
  if (choice.keyword === 'contains' || choice.keyword === 'not') return []
  if (choice.params['passingSchemas']) return []
  const branches: unknown[] = Array.isArray(choice.schema) ? choice.schema : []
  const meant = branches
    .map((branch) => inside.filter((one) => reach(branch).has(one.parentSchema)))
    .filter((found) => found.length > 0 && !found.some((one) => tellsApart(one, choice)))
  const [only, ...others] = meant
  return only && others.length === 0 ? only : []
}

function tellsApart({ keyword, instancePath }: ErrorObject, choice: ErrorObject): boolean {
  const deeper = instancePath.slice(choice.instancePath.length)
  if (deeper === '') return ['type', 'const', 'enum', 'false schema'].includes(keyword)
  return keyword === 'const' && deeper.lastIndexOf('/') === 0
}

function placeOf({ instancePath, params, propertyName, keyword }: ErrorObject): string {
  const named: unknown =
    params['missingProperty'] ??
    params['additionalProperty'] ??
    params['unevaluatedProperty'] ??
    (keyword === 'propertyNames' ? undefined : propertyName)
  return typeof named === 'string' ? `${instancePath}/${escapePointerPart(named)}` : instancePath
}
