/** The next time at which the schedule of an agent starts it. */
import type { Definition } from '../schema.ts'
import { nextTime, readCron } from '../../../kernel/values/cron.ts'

/** Returns null for a trigger that is not a schedule. */
export function nextRunAt({ trigger }: Definition, after: Date): Date | null {
  if (trigger.type !== 'schedule') return null
  const schedule = readCron(trigger.cron)
  return typeof schedule === 'string' ? null : nextTime(schedule, trigger.timezone ?? 'UTC', after)
}
