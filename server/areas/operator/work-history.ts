/** Waiting, late and failed work over time: samples every five minutes, shown in intervals. */
import { limits } from '../../contract/limits.ts'
import type { PersonCaller } from '../../contract/people.ts'
import { countJobs, reconciler } from '../../kernel/jobs/jobs.ts'
import type { WorkHistory, WorkRange } from './schema.ts'
import * as store from './store.ts'

const EVERY_S = 300
const EVERY_MS = EVERY_S * 1000

export const sampleWork = reconciler({
  name: 'operator.sample_work',
  every_s: EVERY_S,
  async run({ db, clock }) {
    const now = clock.now()
    const since = new Date(now.getTime() - EVERY_MS)
    const [jobs, { dead }, deliveries] = await Promise.all([
      store.readJobs(db, now),
      countJobs(db),
      store.readDeliveries(db, { now, since }),
    ])
    const kept_since = new Date(now.getTime() - limits.queue_samples_kept_s * 1000)
    await db.transact(async (tx) => {
      await store.insertSample(tx, {
        sampled_at: new Date(Math.floor(now.getTime() / EVERY_MS) * EVERY_MS),
        jobs_due: jobs.due,
        jobs_oldest_s: jobs.oldest_s ?? 0,
        jobs_failed: dead,
        deliveries_due: deliveries.due,
        deliveries_oldest_s: deliveries.oldest_s ?? 0,
        deliveries_failed: deliveries.failed_24h,
      })
      await store.deleteSamples(tx, kept_since)
    })
  },
})

/** The length of a range and of its intervals in seconds. */
const ranges = {
  '24h': { length_s: 86_400, interval_s: 1_800 },
  '7d': { length_s: 7 * 86_400, interval_s: 10_800 },
  '30d': { length_s: 30 * 86_400, interval_s: 43_200 },
} as const

/** One entry for each interval, oldest first; `samples` is 0 for an interval in which no process ran. */
export async function readWorkHistory(
  { db, runtime }: Pick<PersonCaller, 'db' | 'runtime'>,
  { range }: WorkRange,
): Promise<WorkHistory> {
  const { length_s, interval_s } = ranges[range]
  const last_s = Math.floor(runtime.clock.now_ms() / 1000 / interval_s) * interval_s
  const count = length_s / interval_s
  const first_s = last_s - (count - 1) * interval_s
  const rows = await store.readSamples(db, { since: new Date(first_s * 1000), interval_s })
  const known = new Map(rows.map((row) => [row.at_s, row]))
  const data = Array.from({ length: count }, (_, index) => {
    const at_s = first_s + index * interval_s
    return presentInterval(at_s, known.get(at_s))
  })
  return { interval_s, data }
}

const noSamples: Omit<store.SampledInterval, 'at_s'> = {
  samples: 0,
  jobs_due: 0,
  jobs_oldest_s: 0,
  jobs_failed: 0,
  deliveries_due: 0,
  deliveries_oldest_s: 0,
  deliveries_failed: 0,
}

function presentInterval(
  at_s: number,
  row: Omit<store.SampledInterval, 'at_s'> = noSamples,
): WorkHistory['data'][number] {
  return {
    at: new Date(at_s * 1000).toISOString(),
    samples: row.samples,
    jobs: { due: row.jobs_due, oldest_s: row.jobs_oldest_s, failed: row.jobs_failed },
    deliveries: {
      due: row.deliveries_due,
      oldest_s: row.deliveries_oldest_s,
      failed: row.deliveries_failed,
    },
  }
}
