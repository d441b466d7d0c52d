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
