/**
 * Development clock: advances the clock of every rule, schedule and signature. The offset is stored
 * in the database, so that restarts and the command line use it too.
 */
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { MovableClock } from '../../kernel/clock.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { parseJson } from '../../kernel/values/json.ts'
import { storeClockOffset } from '../../kernel/settings.ts'
import { createInvalidBodyProblem } from '../http/request.ts'
import { createBodyValidator } from '../http/validate.ts'

const SECONDS_MAX = 10 * 366 * 86_400
const Advance = Type.Object(
  { advance_seconds: Type.Number({ minimum: 0, maximum: SECONDS_MAX }) },
  { additionalProperties: false },
)

export function addDevelopmentClock(
  app: FastifyInstance,
  runtime: Runtime,
  clock: MovableClock,
): void {
  const check = createBodyValidator(Advance)
  const now = () => ({ now: clock.now().toISOString() })
  app.get('/dev/clock', async () => now())
  app.post('/dev/clock', async (request) => {
    const parsed = parseJson(Buffer.isBuffer(request.body) ? request.body.toString() : '', 2)
    const body = 'value' in parsed ? parsed.value : undefined
    const faults = check(body)
    if (faults.length > 0) throw createInvalidBodyProblem(faults)
    if (isAdvance(body)) clock.advance(body.advance_seconds)
    await storeClockOffset(runtime.db, clock.offset_ms())
    for (const topic of ['jobs', 'reconcilers', 'deliveries']) runtime.wakeups.announce(topic)
    return now()
  })
}

function isAdvance(body: unknown): body is { advance_seconds: number } {
  return typeof body === 'object' && body !== null && 'advance_seconds' in body
}
