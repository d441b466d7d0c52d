/**
 * The components of an OpenAPI document. A schema becomes a component if it is named (`nameSchema`
 * in contract/schema/named.ts) or if it is a whole body, reply or payload. Generated clients get
 * one type per component.
 */
import assert from 'node:assert/strict'
import { findSchemaName } from '../../contract/schema/named.ts'
import { listChoices, type JsonSchema } from './json-schema.ts'

export interface SharedSchemas {
  /** The schema with references to components. */
  show(schema: JsonSchema): JsonSchema
  /** The referenced components, by name. */
  components(): Record<string, JsonSchema>
}

/**
 * `places`: every whole body, reply and payload with its name: `[['CallsGetReply', schema], …]`.
 */
export function createSharedSchemas(
  places: Iterable<readonly [name: string, schema: JsonSchema]>,
): SharedSchemas {
  const named = new Map<string, JsonSchema>()
  const wholes = new Map<JsonSchema, string>()
  for (const [name, schema] of places) {
    collectNamed(schema, named)
    if (findSchemaName(schema) === undefined && !wholes.has(schema)) wholes.set(schema, name)
  }
  for (const [schema, name] of wholes) addNamed(name, schema, named)
  const componentOf = (schema: JsonSchema) => findSchemaName(schema) ?? wholes.get(schema)
  const show = (schema: JsonSchema): JsonSchema => {
    const name = componentOf(schema)
    return name === undefined ? showInside(schema) : reference(name, schema, named.get(name))
  }
  const showInside = (schema: JsonSchema): JsonSchema =>
    withDiscriminator(mapInside(schema, show), listChoices(schema))
  return {
    show,
    components: () =>
      Object.fromEntries([...named].map(([name, schema]) => [name, showInside(schema)])),
  }
}

function collectNamed(schema: JsonSchema, named: Map<string, JsonSchema>): void {
  const name = findSchemaName(schema)
  if (name !== undefined) {
    const is_known = named.has(name)
    addNamed(name, schema, named)
    if (is_known) return
  }
  for (const inner of partsOf(schema)) collectNamed(inner, named)
}

function addNamed(name: string, schema: JsonSchema, named: Map<string, JsonSchema>): void {
  const known = named.get(name)
  assert(!known || keyOf(known) === keyOf(schema), `Two shapes have the name ${name}.`)
  if (!known) named.set(name, schema)
}

/** The identity of a schema. Descriptions and examples may differ from place to place. */
function keyOf(schema: JsonSchema): string {
  const own = Object.entries(schema).filter(
    ([keyword]) => !['description', 'examples'].includes(keyword) && !keyword.startsWith('x-'),
  )
  return JSON.stringify(Object.fromEntries(own))
}

function reference(
  name: string,
  { description }: JsonSchema,
  component: JsonSchema | undefined,
): JsonSchema {
  const $ref = `#/components/schemas/${name}`
  const is_same = description === undefined || description === component?.description
  return is_same ? { $ref } : { $ref, description }
}

/** Adds a discriminator if one member distinguishes the alternatives. */
function withDiscriminator(shown: JsonSchema, choices: readonly JsonSchema[]): JsonSchema {
  const references = listChoices(shown).map(({ $ref }) => $ref)
  const member = discriminatorOf(choices)
  if (member === null || references.some(($ref) => $ref === undefined)) return shown
  const values = choices.map((choice) => String(choice.properties?.[member]?.const))
  const mapping = Object.fromEntries(values.map((value, at) => [value, references[at] ?? '']))
  const { anyOf, oneOf, ...others } = shown
  return {
    ...others,
    oneOf: oneOf ?? anyOf ?? [],
    discriminator: { propertyName: member, mapping },
  }
}

/** The required member with a different constant in each alternative; null if there is none. */
function discriminatorOf(choices: readonly JsonSchema[]): string | null {
  const [first] = choices
  if (!first || choices.length < 2) return null
  const decides = (member: string) => {
    const values = choices.map((choice) => choice.properties?.[member]?.const)
    const are_texts = values.every((value) => typeof value === 'string')
    return are_texts && new Set(values).size === values.length
  }
  return (first.required ?? []).find(decides) ?? null
}

/** The direct subschemas of a schema. */
function partsOf(schema: JsonSchema): JsonSchema[] {
  const { properties = {}, patternProperties = {}, items, additionalProperties } = schema
  const { anyOf = [], oneOf = [], allOf = [] } = schema
  return [
    ...Object.values(properties),
    ...Object.values(patternProperties),
    ...(items ? [items] : []),
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
    ...[anyOf, oneOf, allOf].flat(),
  ]
}

function mapInside(schema: JsonSchema, show: (inner: JsonSchema) => JsonSchema): JsonSchema {
  const { properties, patternProperties, items, additionalProperties, anyOf, oneOf, allOf } = schema
  return {
    ...schema,
    ...(properties && { properties: mapValues(properties, show) }),
    ...(patternProperties && { patternProperties: mapValues(patternProperties, show) }),
    ...(items && { items: show(items) }),
    ...(typeof additionalProperties === 'object' && {
      additionalProperties: show(additionalProperties),
    }),
    ...(anyOf && { anyOf: anyOf.map(show) }),
    ...(oneOf && { oneOf: oneOf.map(show) }),
    ...(allOf && { allOf: allOf.map(show) }),
  }
}

function mapValues<To>(
  map: Readonly<Record<string, JsonSchema>>,
  to: (schema: JsonSchema) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(map).map(([name, schema]) => [name, to(schema)]))
}
