/** The published JSON Schemas of nodes, as far as the editor reads them. */
import type { Json } from './json.ts'

export interface Schema {
  readonly type?: string
  readonly title?: string
  readonly description?: string
  readonly const?: Json
  readonly enum?: readonly string[]
  readonly default?: Json
  readonly examples?: readonly Json[]
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly maxItems?: number
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  /** `false` in objects whose keys are all known. */
  readonly additionalProperties?: Schema | false
  readonly propertyNames?: { readonly pattern: string }
  /** Names a next node. */
  readonly 'x-edge'?: boolean
}

/** By node type. */
export type NodeSchemas = Readonly<Record<string, Schema>>

export function propertiesOf(schema: Schema | undefined): [name: string, schema: Schema][] {
  return Object.entries(schema?.properties ?? {})
}

export function isRequired(schema: Schema | undefined, name: string): boolean {
  return schema?.required?.includes(name) === true
}

/** The schema of the values of a map; undefined if the object is no map. */
export function valuesOf({ properties, additionalProperties }: Schema): Schema | undefined {
  if (properties !== undefined) return undefined
  return additionalProperties === false ? undefined : additionalProperties
}

/** A value to begin with: constants and choices, and otherwise empty texts to fill in. */
export function emptyValue(schema: Schema): Json {
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return schema.enum[0] ?? ''
  if (schema.type === 'array')
    return schema.items?.type === 'object' ? [emptyValue(schema.items)] : []
  if (schema.type === 'boolean') return true
  if (schema.type === 'integer') return schema.default ?? schema.minimum ?? 0
  if (schema.type !== 'object') return ''
  const required = propertiesOf(schema).filter(([name]) => isRequired(schema, name))
  return Object.fromEntries(required.map(([name, one]) => [name, emptyValue(one)]))
}
