/**
 * The official tests of JSON Schema 2020-12, the optional ones too: each gives the answer it asks
 * for, or stands in the list of exceptions with the reason. The list is held to both ways.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isObject, isSchema } from './outline.ts'
import { exceptions } from './suite-exceptions.ts'
import { prepare } from './validator.ts'

const folder = join(import.meta.dirname, '../../../../test/json-schema-test-suite')

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

/** The names of what differs, and how many tests gave the answer they ask for. */
function run(groups: Iterable<Group>): { different: string[]; right: number } {
  const different: string[] = []
  let right = 0
  for (const { file, description, schema, tests } of groups) {
    assert(isSchema(schema), `${file} | ${description}`)
    const prepared = prepare(schema)
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

test('every official test passes, but for the exceptions that are listed with their reason', () => {
  const { different, right } = run(readGroups())
  const listed = exceptions.flatMap(({ names }) => names)
  assert.deepEqual(different.toSorted(), listed.toSorted())
  assert.equal(new Set(listed).size, listed.length)
  assert(right > 2000, `${right} tests were run and right`)
})

test('a schema that is refused says where and why', () => {
  for (const { file, description, schema } of readGroups()) {
    if (!isSchema(schema)) continue
    const prepared = prepare(schema)
    if (!('faults' in prepared)) continue
    const [fault] = prepared.faults
    assert(fault && fault.message.length > 10, `${file} | ${description}`)
    assert(isObject(fault))
  }
})
