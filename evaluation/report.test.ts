/** Tests of the report as table and JSON. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createReport, writeTable } from './report.ts'
import type { TaskResult } from './run.ts'

const result: TaskResult = {
  task: 'publish a site',
  success: true,
  faults: [],
  tool_calls: 2,
  tools: { get_state: 1, sites_create: 1 },
  tokens_estimated: 8_000,
  tokens_counted: { input: 16_000, output: 300 },
  time_ms: 1_500,
  ended: 'done',
  said: 'Your site is there.',
}
const failed: TaskResult = {
  ...result,
  task: 'import a CSV',
  success: false,
  faults: ['A line is missing.'],
  tokens_counted: null,
  ended: 'step_limit',
}

test('a report adds up its results', () => {
  const { results, ...sums } = createReport('scripted', 3, [result, failed])
  assert.deepEqual(sums, {
    driver: 'scripted',
    seed: 3,
    done: 1,
    of: 2,
    tool_calls: 4,
    tokens_estimated: 16_000,
    time_ms: 3_000,
  })
  assert.deepEqual(results, [result, failed])
})

test('a table has a row for each task, the totals, and the failed checks', () => {
  assert.deepEqual(writeTable(createReport('scripted', 3, [result, failed])).split('\n'), [
    'scripted, seed 3',
    '',
    'task            result      calls  tokens, estimated  tokens, counted  seconds',
    '------------------------------------------------------------------------------',
    'publish a site  done            2               8000      16000 + 300      1.5',
    'import a CSV    step limit      2               8000                       1.5',
    '------------------------------------------------------------------------------',
    '1 of 2                          4              16000                       3.0',
    '',
    'import a CSV: A line is missing.',
  ])
})
