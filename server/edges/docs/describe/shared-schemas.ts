/**
 * Shapes that several places of a document show. The same TypeBox object in two places becomes one
 * component with references to it, so that a client generated from the document gets one type for
 * it. Its name is the shortest of the places it stands in.
 */
import type { JsonSchema } from './json-schema.ts'

interface Standing {
  names: string[]
  schema: JsonSchema
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
  const standings = new Map<JsonSchema, Standing>()
  for (const [name, schema] of places) note(schema, name, standings)
  const names = nameShared(standings.values())
  const show = (schema: JsonSchema): JsonSchema => {
    const name = names.get(schema)
    return name === undefined ? showInside(schema) : { $ref: `#/components/schemas/${name}` }
  }
  const showInside = (schema: JsonSchema): JsonSchema => mapInside(schema, show)
  return {
    show,
    components: () =>
      Object.fromEntries([...names].map(([schema, name]) => [name, showInside(schema)])),
  }
}

function note(schema: JsonSchema, name: string, standings: Map<JsonSchema, Standing>): void {
  const standing = standings.get(schema)
  if (standing) {
    standing.names.push(name)
    return
  }
  standings.set(schema, { names: [name], schema })
  for (const [part, inner] of partsOf(schema)) note(inner, name + part, standings)
}

function nameShared(standings: Iterable<Standing>): Map<JsonSchema, string> {
  const named = new Map<JsonSchema, string>()
  const taken = new Set<string>()
  for (const { names, schema } of standings) {
    if (names.length < 2 || !schema.properties) continue
    const shortest = names
      .toSorted((left, right) => left.length - right.length)
      .find((name) => !taken.has(name))
    if (shortest === undefined) continue
    taken.add(shortest)
    named.set(schema, shortest)
  }
  return named
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
