/** The use of language models by day, area and model. */
import type { Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import { euroFromMicro } from '../../kernel/values/money.ts'
import * as billing from '../billing/service.ts'
import type { ModelUsage, ModelUsageQuery } from './schema.ts'
import { DAYS_MAX, usageAreas } from './schema.ts'
import { readModelUsage } from './store.ts'

const DAYS_DEFAULT = 30

export async function listModelUsage(
  { runtime, db, project }: Caller,
  { from, to }: ModelUsageQuery,
): Promise<ModelUsage> {
  const { clock, config } = runtime
  const today = Temporal.PlainDate.from(billing.toDay(clock.now(), config.billing_timezone))
  const last = to === undefined ? today : Temporal.PlainDate.from(to)
  const first =
    from === undefined ? last.subtract({ days: DAYS_DEFAULT - 1 }) : Temporal.PlainDate.from(from)
  const days = first.until(last).days + 1
  if (days < 1 || days > DAYS_MAX) {
    const detail = `from and to must be 1 to ${DAYS_MAX} days apart, from first.`
    throw new Problem('invalid_parameter', detail, { fields: { parameter: 'from' } })
  }
  const period = { from: first.toString(), to: last.toString() }
  const rows = await readModelUsage(db, { project_id: project.id, ...period })
  const data = rows.map(({ cost_micro, ...row }) => ({
    day: row.day,
    area: row.area,
    model: row.model,
    requests: row.requests,
    estimated_requests: row.estimated_requests,
    input_tokens: Number(row.input_tokens),
    cached_tokens: Number(row.cached_tokens),
    output_tokens: Number(row.output_tokens),
    cost_eur: euroFromMicro(cost_micro),
    test: row.test,
  }))
  const cost_micro = rows.reduce((sum, row) => sum + row.cost_micro, 0n)
  return { ...period, areas: [...usageAreas], cost_eur: euroFromMicro(cost_micro), data }
}
