import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from './log.ts'

test('of an error and its causes the log has what happened and where, and not what was said', () => {
  const lines: string[] = []
  const log = createLog('warn', { write: (line) => void lines.push(line) })
  const parse = new Error('JSON parsing failed: Text: my private words')
  parse.name = 'AI_JSONParseError'
  const failed = Object.assign(new Error('no object', { cause: parse }), {
    code: 'E1',
    text: 'my private words',
    requestBodyValues: { messages: ['my private words'] },
  })
  log.warn({ err: failed }, 'no summary')
  const [line = ''] = lines
  assert.doesNotMatch(line, /private/)
  const { err } = JSON.parse(line)
  assert.deepEqual([err.type, err.message, err.code], ['Error', 'no object', 'E1'])
  assert.match(err.stack, /^Error: \n {4}at .*log\.test/)
  assert.equal(err.cause.type, 'AI_JSONParseError')
})
