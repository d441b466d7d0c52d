/** Puts the use of a project beside its limits. */
import { limits } from '../../contract/limits.ts'
import type { MemberCaller } from '../../contract/people.ts'
import { plans } from '../../contract/plans.ts'
import { usageNames, type Usage, type UsageName } from './schema.ts'
import { readUsage } from './store.ts'

export { lockUsage, readUsage, type UsedRow } from './store.ts'

export async function showUsage({ runtime, db, project }: MemberCaller): Promise<Usage> {
  const used = await readUsage(db, { project_id: project.id, now: runtime.clock.now() })
  const plan = plans[project.plan]
  const max: Record<UsageName, number> = {
    sites: plan.sites_max,
    collections: plan.collections_max,
    data_bytes: plan.data_bytes_max,
    files_bytes: plan.files_bytes_max,
    team_members: plan.team_members_max,
    webhook_endpoints: limits.webhook_endpoints_max,
    numbers: limits.test_numbers_max + (plan.live_numbers ? limits.live_numbers_max : 0),
  }
  return {
    plan: plan.title,
    limits: usageNames.map((name) => ({
      name,
      used: name === 'numbers' ? project.numbers_count : Number(used[name]),
      max: max[name],
    })),
  }
}
