/** Compares the use of a project with the limits of a plan. */
import type { ProjectRow } from '../../contract/caller.ts'
import { limits } from '../../contract/limits.ts'
import { plans, type Plan } from '../../contract/plans.ts'
import type { Reader } from '../../kernel/database/database.ts'
import * as usage from '../usage/service.ts'

export const limitNames = [
  'sites',
  'collections',
  'data_bytes',
  'files_bytes',
  'team_members',
  'live_numbers',
  'live_payments',
] as const
export type LimitName = (typeof limitNames)[number]

/** The use of a limit. */
export interface Used {
  name: LimitName
  used: number
}

/** A limit that is exceeded. */
export interface Excess extends Used {
  max: number
  project: HalfOfPair
}

/** A project, or one of a pair. A deleted one counts too, because it can be restored. */
export type HalfOfPair = Pick<ProjectRow, 'id' | 'deleted_at'>

/** The pages of the portal where the use of a limit is reduced. */
export const pagesOfLimits = {
  sites: '/sites',
  collections: '/data',
  data_bytes: '/data',
  files_bytes: '/media',
  team_members: '/team',
  live_numbers: '/numbers',
  live_payments: '/go-live',
} as const satisfies Record<LimitName, string>

export function maximaOf(plan: Plan): Readonly<Record<LimitName, number>> {
  const entry = plans[plan]
  return {
    sites: entry.sites_max,
    collections: entry.collections_max,
    data_bytes: entry.data_bytes_max,
    files_bytes: entry.files_bytes_max,
    team_members: entry.team_members_max,
    live_numbers: entry.live_numbers ? limits.live_numbers_max : 0,
    live_payments: Number(entry.live_payments),
  }
}

export async function readUsed(
  db: Reader,
  project: Pick<ProjectRow, 'id' | 'rails'>,
  now: Date,
): Promise<Used[]> {
  const row = await usage.readUsage(db, { project_id: project.id, now })
  return limitNames.map((name) => ({
    name,
    used: name === 'live_payments' ? Number(project.rails.payments === 'live') : Number(row[name]),
  }))
}

/** Returns the limits of a plan that the use exceeds. */
export function findExcess(project: HalfOfPair, used: readonly Used[], plan: Plan): Excess[] {
  const maxima = maximaOf(plan)
  return used
    .map((one) => ({ ...one, max: maxima[one.name], project }))
    .filter((one) => one.used > one.max)
}

/** Returns the limits of a plan that the locked projects (a pair, or one) exceed. */
export async function listExcess(
  db: Reader,
  { locked, plan, now }: { locked: readonly ProjectRow[]; plan: Plan; now: Date },
): Promise<Excess[]> {
  const found: Excess[] = []
  for (const project of locked)
    found.push(...findExcess(project, await readUsed(db, project, now), plan))
  return found
}
