/** Limits of JSON Schemas. */
import type { LimitEntry } from '../../contract/catalogue/entries/limit-entry.ts'

export const limits = {
  json_schema_bytes_max: {
    value: 65_536,
    unit: 'bytes',
    about: 'Size of the JSON Schema of a collection',
    applies_to: 'POST /collections, PATCH /collections/{name}',
  },
  json_schema_depth_max: {
    value: 40,
    unit: 'levels',
    about: 'How deep objects and arrays of a JSON Schema may be nested',
    applies_to: 'POST /collections, PATCH /collections/{name}',
  },
  json_schema_schemas_max: {
    value: 500,
    unit: 'schemas',
    about: 'Subschemas in one JSON Schema: each property, branch and definition counts',
    applies_to: 'POST /collections, PATCH /collections/{name}',
  },
  json_schema_enum_values_max: {
    value: 1000,
    unit: 'values',
    about: 'Values of one enum in a JSON Schema',
    applies_to: 'POST /collections, PATCH /collections/{name}',
  },
  json_schema_patterns_max: {
    value: 100,
    unit: 'patterns',
    about: 'Regular expressions in one JSON Schema',
    applies_to: 'POST /collections, PATCH /collections/{name}',
  },
  json_schema_pattern_characters_max: {
    value: 1000,
    unit: 'characters',
    about: 'Length of one regular expression in a JSON Schema',
    applies_to: 'POST /collections, PATCH /collections/{name}',
  },
  json_schema_pattern_program_max: {
    value: 10_000,
    unit: 'instructions',
    about: 'Total size of the regular expressions of a JSON Schema, with repetitions expanded',
    applies_to: 'POST /collections, PATCH /collections/{name}',
  },
  json_schema_steps_max: {
    value: 100_000,
    unit: 'steps',
    about: 'Validation steps for one document: about one for each schema applied to a value',
    applies_to: 'data',
  },
  json_schema_faults_max: {
    value: 50,
    unit: 'faults',
    about: 'Errors of one document or schema listed in a reply',
    applies_to: 'data',
  },
} as const satisfies Record<string, LimitEntry>
