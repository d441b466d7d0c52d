/**
 * The schemas that become components of the OpenAPI document: every named one (contract/named.ts),
 * and every object that stands in two places. A component without a name of its own is named after
 * the shortest of its places. A union of components that differ in a constant property gets a
 * discriminator.
 */
import { nameOf } from '../../../contract/named.ts'
import type { JsonSchema } from './json-schema.ts'

interface Standing {
  names: string[]
  schema: JsonSchema
}

/** What two standings of one schema have in common: its name, or else the object itself. */
type Identity = string | JsonSchema

function identityOf(schema: JsonSchema): Identity {
  return nameOf(schema) ?? schema
}

export interface SharedSchemas {
  /** The schema with references in place of what is shared. */
  show(schema: JsonSchema): JsonSchema
  /** What the references point to. */
  components(): Record<string, JsonSchema>
}

/** `places` names every shape that stands at the top of something: `[['CallsGetReply', shape], …]`. */
export function sharedSchemas(
  places: Iterable<readonly [name: string, schema: JsonSchema]>,
): SharedSchemas {
  const standings = new Map<Identity, Standing>()
  for (const [name, schema] of places) note(schema, name, standings)
  const names = nameShared(standings)
  const show = (schema: JsonSchema): JsonSchema => {
    const name = names.get(identityOf(schema))
    return name === undefined ? showInside(schema) : { $ref: refTo(name) }
  }
  const showInside = (schema: JsonSchema): JsonSchema =>
    discriminated(schema, mapInside(schema, show))
  return {
    show,
    components: () =>
      Object.fromEntries(
        [...names].map(([identity, name]) => [name, showInside(standings.get(identity)!.schema)]),
      ),
  }
}

function refTo(name: string): string {
  return `#/components/schemas/${name}`
}

function note(schema: JsonSchema, name: string, standings: Map<Identity, Standing>): void {
  const identity = identityOf(schema)
  const standing = standings.get(identity)
  if (standing) {
    standing.names.push(name)
    return
  }
  standings.set(identity, { names: [name], schema })
  for (const [part, inner] of partsOf(schema)) note(inner, name + part, standings)
}

function nameShared(standings: ReadonlyMap<Identity, Standing>): Map<Identity, string> {
  const given = [...standings.keys()].filter((identity) => typeof identity === 'string')
  const taken = new Set<string>(given)
  const named = new Map<Identity, string>(given.map((name) => [name, name]))
  for (const [identity, { names, schema }] of standings) {
    if (named.has(identity) || names.length < 2 || !schema.properties) continue
    const shortest = names
      .toSorted((left, right) => left.length - right.length)
      .find((name) => !taken.has(name))
    if (shortest === undefined) continue
    taken.add(shortest)
    named.set(identity, shortest)
  }
  return named
}

/** A union as shown, with a discriminator if its components differ in a constant property. */
function discriminated(schema: JsonSchema, shown: JsonSchema): JsonSchema {
  const choices = schema.anyOf ?? schema.oneOf ?? []
  const refs = (shown.anyOf ?? shown.oneOf ?? []).flatMap(({ $ref }) => $ref ?? [])
  if (choices.length < 2 || refs.length !== choices.length) return shown
  const propertyName = discriminatorOf(choices)
  if (propertyName === undefined) return shown
  const values = choices.map(({ properties }) => String(properties?.[propertyName]?.const))
  const mapping = Object.fromEntries(values.map((value, index) => [value, refs[index]]))
  const { anyOf, oneOf, ...others } = shown
  return { ...others, oneOf: oneOf ?? anyOf ?? [], discriminator: { propertyName, mapping } }
}

/** The required property that has a different constant in every choice. */
function discriminatorOf(choices: readonly JsonSchema[]): string | undefined {
  const candidates = choices[0]?.required ?? []
  return candidates.find((name) => {
    const values = choices.map(({ properties }) => properties?.[name]?.const)
    return values.every((one) => typeof one === 'string') && new Set(values).size === values.length
  })
}

/** The shapes directly inside a shape, each with the word it adds to a name. */
function* partsOf(schema: JsonSchema): Generator<[word: string, inner: JsonSchema]> {
  const {
    properties = {},
    items,
    additionalProperties,
    anyOf = [],
    oneOf = [],
    allOf = [],
  } = schema
  for (const [name, inner] of Object.entries(properties)) yield [pascal(name), inner]
  if (items) yield ['Item', items]
  if (typeof additionalProperties === 'object') yield ['Value', additionalProperties]
  for (const choices of [anyOf, oneOf, allOf]) {
    for (const [index, inner] of choices.entries())
      yield [index === 0 ? '' : `Or${index + 1}`, inner]
  }
}

function mapInside(schema: JsonSchema, show: (inner: JsonSchema) => JsonSchema): JsonSchema {
  const { properties, items, additionalProperties, anyOf, oneOf, allOf } = schema
  return {
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, inner]) => [name, show(inner)]),
      ),
    }),
    ...(items && { items: show(items) }),
    ...(typeof additionalProperties === 'object' && {
      additionalProperties: show(additionalProperties),
    }),
    ...(anyOf && { anyOf: anyOf.map(show) }),
    ...(oneOf && { oneOf: oneOf.map(show) }),
    ...(allOf && { allOf: allOf.map(show) }),
  }
}

/** `numbers.get_call_plan` → `NumbersGetCallPlan`. */
export function pascal(name: string): string {
  return name
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')
}
