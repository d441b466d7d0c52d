/** Tests of the words with which the portal describes schedules. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeSchedule } from '../../../portal/src/areas/agents/describe-schedule.ts'

test('common schedules are recognized, and others are not', () => {
  const time = '08:05'
  const cases = {
    '5 8 * * *': { kind: 'daily', time },
    ' 5  08 * * 1-5 ': { kind: 'workdays', time },
    '5 8 * * 1': { kind: 'weekly', time, weekday: 1 },
    '5 8 * * 7': { kind: 'weekly', time, weekday: 0 },
    '5 8 31 * *': { kind: 'monthly', time, day: 31 },
    '0 * * * *': { kind: 'hourly' },
    '5 * * * *': null,
    '*/5 8 * * *': null,
    '5 8 * 3 *': null,
    '5 8 1 * 1': null,
    '5 8,9 * * *': null,
    '': null,
  }
  for (const [cron, words] of Object.entries(cases)) assert.deepEqual(describeSchedule(cron), words)
})
