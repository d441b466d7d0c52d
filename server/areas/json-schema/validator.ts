/**
 * Compiles one schema to a function that checks values. Each schema has its own Ajv instance, so
 * that dropping the schema frees the generated code.
 */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { limits } from '../../contract/limits.ts'
import { errorReader, type FieldError, type ErrorReader } from './field-errors.ts'
import { formats } from './patterns/formats.ts'
import { addKeywords, StepMeter, TooMuchWork } from './keywords.ts'
import { subschemasIn, type SchemaObject } from './subschemas.ts'
import { compilePattern } from './patterns/patterns.ts'
import { resolveReferences } from './references.ts'
import { rewrite } from './rewrite.ts'
import { structureErrors } from './structure.ts'

export interface CompiledSchema {
  /** Returns at most 50 errors; an empty array if the value is valid. */
  check(data: unknown): FieldError[]
}

export type CompileResult = { faults: FieldError[] } | { compiled: CompiledSchema }

const { json_schema_faults_max: FAULTS_MAX, json_schema_steps_max: STEPS_MAX } = limits

export function compile(schema: SchemaObject | boolean): CompileResult {
  const faults = structureErrors(schema)
  if (faults.length > 0) return { faults: faults.slice(0, FAULTS_MAX) }
  const references = resolveReferences([...subschemasIn(schema)])
  if (references.faults.length > 0) return { faults: references.faults.slice(0, FAULTS_MAX) }
  const meter = new StepMeter(STEPS_MAX)
  const written = rewrite(schema, references.targets)
  const validate = compiled(written, meter)
  if (validate === null) return { faults: [{ path: '', message: 'follows too many references' }] }
  const read = errorReader(written, FAULTS_MAX)
  return { compiled: { check: (data) => check(data, { validate, read, meter }) } }
}

/** Returns null if a chain of references is too long for the compiler. */
function compiled(written: SchemaObject | boolean, meter: StepMeter): ValidateFunction | null {
  try {
    return ajvWith(meter).compile(written)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function ajvWith(meter: StepMeter): Ajv2020 {
  const engine = Object.assign((source: string) => compilePattern(source, meter), {
    code: 'engine',
  })
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    verbose: true,
    logger: false,
    meta: false,
    validateSchema: false,
    inlineRefs: false,
    ownProperties: true,
    code: { regExp: engine, optimize: false },
  })
  for (const [name, format] of Object.entries(formats)) ajv.addFormat(name, format)
  addKeywords(ajv, meter)
  return ajv
}

interface Ready {
  validate: ValidateFunction
  read: ErrorReader
  meter: StepMeter
}

function check(data: unknown, { validate, read, meter }: Ready): FieldError[] {
  meter.start()
  try {
    return validate(data) ? [] : read(validate.errors ?? [])
  } catch (error) {
    if (error instanceof TooMuchWork)
      return [{ path: '', message: 'needs too many steps to check with this schema' }]
    if (error instanceof RangeError)
      return [{ path: '', message: 'is nested too deep to check with this schema' }]
    throw error
  } finally {
    validate.errors = null
  }
}
