/** Counts refused orders of visitors by reason, for the owner. Visitors do not get the reason. */
import type { Caller } from '../../contract/caller.ts'
import type { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { readPage, type PageQuery } from '../../contract/schema/pages.ts'
import { reconciler } from '../../kernel/jobs/jobs.ts'
import { announceRecordsAfter } from '../../kernel/jobs/record-wakeups.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { newId } from '../../kernel/values/ids.ts'
import * as billing from '../billing/service.ts'
import type { OrderRefusal, RefusalPage, RefusalReason } from './shop/shop-schema.ts'
import * as store from './refusal-store.ts'

const DAY_MS = 86_400_000
const DAY_S = 86_400

/** Thrown to refuse the order of a visitor. `reason` is for the owner, `problem` for the visitor. */
export class Refusal extends Error {
  readonly reason: RefusalReason
  readonly problem: Problem

  constructor(reason: RefusalReason, problem: Problem) {
    super(problem.detail)
    this.reason = reason
    this.problem = problem
  }
}

export interface RefusalScope {
  project_id: string
  test: boolean
}

/** Runs `work`. If it throws a Refusal, counts it and throws its problem instead. */
export async function countRefusals<Result>(
  runtime: Runtime,
  { project_id, test }: RefusalScope,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { clock, db } = runtime
    const row = {
      project_id,
      test,
      id: newId(clock),
      day: toDay(runtime, clock.now()),
      reason: error.reason,
      last_at: clock.now(),
    }
    await db.transact(async (tx) => {
      await store.count(tx, row)
      announceRecordsAfter(tx, runtime, project_id, 'orders')
    })
    throw error.problem
  }
}

function toDay({ config }: Runtime, moment: Date): string {
  return billing.toDay(moment, config.billing_timezone)
}

export async function listRefusals(caller: Caller, query: PageQuery): Promise<RefusalPage> {
  const { project, db } = caller
  const page = await readPage(caller, {
    list: 'order_refusals',
    query,
    read: (count, after) => store.list(db, { project_id: project.id, count, after }),
  })
  return { data: page.data.map(present), next_cursor: page.next_cursor }
}

function present({
  first_at,
  last_at,
  project_id: _project_id,
  ...row
}: store.RefusalRow): OrderRefusal {
  return { ...row, first_at: first_at.toISOString(), last_at: last_at.toISOString() }
}

export const deleteOldRefusals = reconciler({
  name: 'orders.trim_refusals',
  every_s: DAY_S,
  async run(runtime) {
    const oldest = new Date(runtime.clock.now_ms() - limits.order_refusals_kept_days * DAY_MS)
    await runtime.db.transact((tx) => store.removeBefore(tx, toDay(runtime, oldest)))
  },
})
