/**
 * An OpenAPI document under test: its operations one by one, its examples against its schemas, and
 * two validators that know nothing of each other.
 */
import assert from 'node:assert/strict'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'

const METHODS = ['get', 'post', 'put', 'patch', 'delete']
export interface Described {
  path: string
  method: string
  operation: any
}

export function operationsOf(document: any): Described[] {
  return Object.entries<any>(document.paths).flatMap(([path, item]) =>
    METHODS.filter((method) => item[method]).map((method) => ({
      path,
      method,
      operation: item[method],
    })),
  )
}

export function webhooksOf(document: any): Described[] {
  return Object.entries<any>(document.webhooks).map(([path, { post }]) => ({
    path,
    method: 'post',
    operation: post,
  }))
}

function describedIn(document: any): any[] {
  return [...operationsOf(document), ...webhooksOf(document)].map(({ operation }) => operation)
}

/** Parameters, and properties of components, that have no description. */
export function undescribedIn(document: any): string[] {
  const parameters = describedIn(document).flatMap(({ operationId, parameters }) =>
    parameters
      .filter(({ description }: any) => !description)
      .map(({ name }: any) => `${operationId} ${name}`),
  )
  const components = Object.entries<any>(document.components.schemas)
  return [...parameters, ...components.flatMap(([name, one]) => silentIn(document, one, name))]
}

/** The places of the properties that neither they nor the component they refer to describe. */
function silentIn(document: any, schema: any, place: string): string[] {
  const described = ({ description, $ref }: any): boolean =>
    Boolean(description) || ($ref && described(document.components.schemas[$ref.split('/').at(-1)]))
  const parts = [
    schema.items,
    schema.additionalProperties,
    ...Object.values(schema.patternProperties ?? {}),
    ...[schema.anyOf, schema.oneOf, schema.allOf].flatMap((list) => list ?? []),
  ].filter((part) => typeof part === 'object')
  const properties = Object.entries<any>(schema.properties ?? {})
  return [
    ...properties.filter(([, one]) => !described(one)).map(([name]) => `${place}.${name}`),
    ...properties.flatMap(([name, one]) => silentIn(document, one, `${place}.${name}`)),
    ...parts.flatMap((part) => silentIn(document, part, `${place}[]`)),
  ]
}

// Bytes cannot be written into a JSON document.
const binary = /spreadsheetml|octet-stream/

/** Bodies and replies without an example. */
export function withoutExample(document: any): string[] {
  return describedIn(document).flatMap((operation) => {
    const bodies = [operation.requestBody, ...Object.values<any>(operation.responses)]
    return bodies
      .flatMap((body) => Object.entries<any>(body?.content ?? {}))
      .filter(([type, one]) => !binary.test(type) && examplesOf(document, one).length === 0)
      .map(([type]) => `${operation.operationId} ${type}`)
  })
}

/** Values in examples that say nothing: the name of the field, `string`, `{}`, `{"key": …}`. */
export function placeholdersIn(document: any): string[] {
  return describedIn(document).flatMap((operation) => {
    const values = [
      ...operation.parameters.map(({ name, example }: any) => ({ [name]: example })),
      ...contentsOf(operation).flatMap((content) => examplesOf(document, content)),
    ]
    return values.flatMap((value) => emptyWordsIn(value, operation.operationId))
  })
}

function emptyWordsIn(value: any, place: string): string[] {
  const name = place.split('.').at(-1) ?? ''
  // A JSON Schema says `string` and means it.
  if (name === 'schema') return []
  if (Array.isArray(value)) return value.flatMap((one) => emptyWordsIn(one, place))
  if (typeof value === 'object' && value !== null) {
    const keys = Object.keys(value)
    if (keys.length === 0 || (keys.includes('key') && keys.length === 1))
      return [`${place}: {${keys}}`]
    return keys.flatMap((key) => emptyWordsIn(value[key], `${place}.${key}`))
  }
  const words = [name, name.replace(/s$/, '')].flatMap((one) => [one, one.replaceAll('_', ' ')])
  const says_nothing = [...words, 'string', 'text', 'x'].includes(String(value).toLowerCase())
  return says_nothing && typeof value === 'string' ? [`${place}: ${value}`] : []
}

/** Checks values against schemas of a document, whose references lead to its components. */
export function checkerOf(document: any) {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  for (const [name, format] of Object.entries(fullFormats)) ajv.addFormat(name, format)
  ajv.addSchema({ $id: 'https://document.test/', components: document.components })
  return (schema: any, value: unknown, where: string) => {
    const text = JSON.stringify(schema).replaceAll('"#/', '"https://document.test/#/')
    assert.ok(
      ajv.validate(JSON.parse(text), value),
      `${where}: ${ajv.errorsText()}\n${JSON.stringify(value)}`,
    )
  }
}

async function lint(document: unknown): Promise<string[]> {
  const config = await createConfig({
    extends: ['recommended-strict'],
    rules: {
      'no-invalid-media-type-examples': 'error',
      'no-invalid-schema-examples': 'error',
      'no-invalid-parameter-examples': 'error',
      'operation-operationId-unique': 'error',
      'path-parameters-defined': 'error',
      'spec-components-invalid-map-name': 'error',
      // A tag is a noun, and says it all.
      'tag-description': 'off',
      // A server of one's own is often on localhost.
      'no-server-example.com': 'off',
      // A shape may document a value and take any other as well.
      'no-illogical-composition-keywords': 'off',
      'no-unused-components': 'off',
    },
  })
  const found = await lintFromString({
    source: JSON.stringify(document),
    absoluteRef: 'openapi.json',
    config,
  })
  return found.map(
    ({ ruleId, message, location }) => `${ruleId}: ${message} ${location[0]?.pointer}`,
  )
}

export function contentsOf(operation: any): any[] {
  const bodies = [operation.requestBody, ...Object.values<any>(operation.responses)]
  return bodies.flatMap((one) => Object.values(one?.content ?? {}))
}

export function examplesOf(document: any, { example, examples = {} }: any): unknown[] {
  const named = Object.values<any>(examples).map(
    (one) => document.components.examples[one.$ref.split('/').at(-1)].value,
  )
  return example === undefined ? named : [example, ...named]
}

/** Fails unless both validators find nothing to say. */
export async function assertValid(document: any): Promise<void> {
  const { valid, errors } = await new Validator().validate(structuredClone(document))
  assert.ok(valid, JSON.stringify(errors))
  assert.deepEqual(await lint(document), [])
}
