/**
 * Runs the official JSON Schema 2020-12 test suite with its optional tests. The failures must equal
 * `test/json-schema-test-suite/exceptions.json`.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isObject, isSchema } from './subschemas.ts'
import { compile } from './validator.ts'

const folder = join(import.meta.dirname, '../../../test/json-schema-test-suite')
const exceptions: { reason: string; names: string[] }[] = JSON.parse(
  readFileSync(join(folder, 'exceptions.json'), 'utf8'),
)

interface Group {
  file: string
  description: string
  schema: unknown
  tests: { description: string; data: unknown; valid: unknown }[]
}

function* readGroups(): Generator<Group> {
  for (const line of readFileSync(join(folder, 'draft2020-12.jsonl'), 'utf8').trim().split('\n')) {
    const { file, groups } = JSON.parse(line)
    for (const group of groups) yield { file, ...group }
  }
}

/** Returns the names of failed groups and tests, and the number of passed tests. */
function run(groups: Iterable<Group>): { different: string[]; right: number } {
  const different: string[] = []
  let right = 0
  for (const { file, description, schema, tests } of groups) {
    assert(isSchema(schema), `${file} | ${description}`)
    const prepared = compile(schema)
    if ('faults' in prepared) {
      different.push(`${file} | ${description}`)
      continue
    }
    for (const one of tests) {
      const valid = prepared.compiled.check(one.data).length === 0
      if (valid === one.valid) right += 1
      else different.push(`${file} | ${description} | ${one.description}`)
    }
  }
  return { different, right }
}

test('the validator passes every official test except those listed with a reason', () => {
  const { different, right } = run(readGroups())
  const listed = exceptions.flatMap(({ names }) => names)
  assert.deepEqual(different.toSorted(), listed.toSorted())
  assert.equal(new Set(listed).size, listed.length)
  assert(right > 1900, `${right} tests were run and right`)
})

test('the validator returns the path and the reason for a refused schema', () => {
  for (const { file, description, schema } of readGroups()) {
    if (!isSchema(schema)) continue
    const prepared = compile(schema)
    if (!('faults' in prepared)) continue
    const [fault] = prepared.faults
    assert(fault && fault.message.length > 10, `${file} | ${description}`)
    assert(isObject(fault))
  }
})
