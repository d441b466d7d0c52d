/**
 * Checks a schema itself: supported keywords, the meta-schema, and limits of size, depth and cost.
 * Checks sizes first, to bound the later work.
 */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { limits } from '../../contract/limits.ts'
import { escapePointerPart } from '../../kernel/values/json.ts'
import { errorReader, type FieldError } from './field-errors.ts'
import { isObject, subschemasIn, type SchemaObject, type Subschema } from './subschemas.ts'
import { patternSize } from './patterns/patterns.ts'
import { isObjectOrArray } from './values.ts'
import { formatSize } from '../../kernel/values/size.ts'

const DIALECT = 'https://json-schema.org/draft/2020-12/schema'
const {
  json_schema_bytes_max: bytes_max,
  json_schema_depth_max: depth_max,
  json_schema_schemas_max: schemas_max,
  json_schema_enum_values_max: enum_values_max,
  json_schema_patterns_max: patterns_max,
  json_schema_faults_max: faults_max,
  json_schema_pattern_program_max: program_max,
} = limits
const tooMuch =
  'makes the patterns of this schema too large, once repetitions are written out; ' +
  'repeat less, or use "maxLength"'

const metaSchema = new Ajv2020({
  allErrors: true,
  strict: false,
  verbose: true,
  validateFormats: false,
})

const metaFaults = errorReader({}, faults_max)

export function structureErrors(schema: SchemaObject | boolean): FieldError[] {
  const tooLarge = sizeFault(schema)
  if (tooLarge) return [tooLarge]
  if (!metaSchema.validate(DIALECT, schema)) return metaFaults(metaSchema.errors ?? [])
  const places = [...subschemasIn(schema)]
  if (places.length > schemas_max)
    return [{ path: '', message: `must not hold more than ${schemas_max} schemas` }]
  const has_if = places.some(({ schema }) => isObject(schema) && schema['if'] !== undefined)
  const faults = places.flatMap(({ schema, pointer }) =>
    isObject(schema) ? [...faultsAt(schema, pointer, has_if)] : [],
  )
  return faults.length > 0 ? faults : patternFaults(places)
}

function sizeFault(schema: unknown): FieldError | null {
  const waiting = [{ value: schema, path: '', depth: 0 }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, path, depth } = next
    if (!isObjectOrArray(value)) continue
    if (depth >= depth_max)
      return { path, message: `must not be nested more than ${depth_max} levels deep` }
    for (const [key, inner] of Object.entries(value)) {
      const at = `${path}/${escapePointerPart(key)}`
      if (key === '__proto__') return { path: at, message: 'is a name that is not allowed' }
      waiting.push({ value: inner, path: at, depth: depth + 1 })
    }
  }
  if (Buffer.byteLength(JSON.stringify(schema)) <= bytes_max) return null
  return { path: '', message: `must be at most ${formatSize(bytes_max)} of JSON` }
}

function* faultsAt(schema: SchemaObject, pointer: string, has_if: boolean): Generator<FieldError> {
  const dialect = schema['$schema']
  if (typeof dialect === 'string' && dialect.replace(/#$/, '') !== DIALECT)
    yield { path: `${pointer}/$schema`, message: `must be ${DIALECT} or absent` }
  if (schema['$dynamicRef'] !== undefined)
    yield { path: `${pointer}/$dynamicRef`, message: 'is not supported; use "$ref"' }
  if (schema['unevaluatedItems'] !== undefined) {
    const message = 'is not supported; use "items", "prefixItems" or "contains"'
    yield { path: `${pointer}/unevaluatedItems`, message }
  }
  // Ajv counts properties in a failing "if" as evaluated.
  if (has_if && schema['unevaluatedProperties'] !== undefined) {
    const message = 'cannot be used in a schema that also has "if"; use "additionalProperties"'
    yield { path: `${pointer}/unevaluatedProperties`, message }
  }
  const values = schema['enum']
  if (Array.isArray(values) && values.length > enum_values_max)
    yield { path: `${pointer}/enum`, message: `must have at most ${enum_values_max} values` }
}

function patternFaults(places: readonly Subschema[]): FieldError[] {
  const patterns = places.flatMap((place) => [...patternsAt(place)])
  if (patterns.length > patterns_max)
    return [{ path: '', message: `must not have more than ${patterns_max} patterns` }]
  let instructions = 0
  return patterns.flatMap(({ source, path }) => {
    const size = patternSize(source)
    if (typeof size !== 'number') return [{ path, message: size.fault }]
    const fitted = instructions <= program_max
    instructions += size
    return fitted && instructions > program_max ? [{ path, message: tooMuch }] : []
  })
}

function* patternsAt({ schema, pointer }: Subschema): Generator<{ source: string; path: string }> {
  if (!isObject(schema)) return
  if (typeof schema['pattern'] === 'string')
    yield { source: schema['pattern'], path: `${pointer}/pattern` }
  if (!isObject(schema['patternProperties'])) return
  for (const source of Object.keys(schema['patternProperties']))
    yield { source, path: `${pointer}/patternProperties/${escapePointerPart(source)}` }
}
