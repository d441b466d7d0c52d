/**
 * Permissions of deploys: the sites of a limited key, the verified owner of a public site, the
 * number of sites, and the deploys per hour.
 */
import { describeLimit } from '../../contract/access.ts'
import type { Access, Caller, ProjectRow } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { plans } from '../../contract/plans.ts'
import type { Reader, Transaction } from '../../kernel/database/database.ts'
import { createSlidingWindow, type SlidingWindow } from '../../kernel/limits/sliding-window.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { newId } from '../../kernel/values/ids.ts'
import * as billing from '../billing/service.ts'
import * as projects from '../projects/service.ts'
import * as store from './store.ts'
import { transactInSequence } from './change/sequence.ts'

/** How long a deploy counts against the hourly limit, in seconds. */
export const DEPLOYS_COUNTED_S = 3600

/** Throws for a site outside the grants of a limited key, whether it exists or not. */
export async function requireSiteAccess(caller: Caller, id: string): Promise<void> {
  const { access } = caller
  if (!access || access.sites.includes(id)) return
  throw await createLimitProblem(
    caller,
    access,
    (it) => `${it} is limited, and the limit does not include the site ${id}.`,
  )
}

/** Creates the error for a limited caller, with the names of the permitted sites and apps. */
export async function createLimitProblem(
  { db, project }: Pick<Caller, 'db' | 'project'>,
  access: Access,
  detailFor: (it: string) => string,
): Promise<Problem> {
  const { it, who, advice } = describeLimit(access)
  const slugs = await store.listSlugs(db, { project_id: project.id, ids: access.sites })
  // The apps of a site come along, and people know sites by their names.
  const [sorts, names] = slugs.length > 0 ? ['sites', slugs] : ['apps', access.apps]
  const named = names.join(', ') || 'none'
  return new Problem('forbidden', detailFor(it), {
    user_message: `${who} may only use these ${sorts}: ${named}.`,
    ...advice,
  })
}

/**
 * Adds the collections that forms of its sites post to, to the grants of a limited key
 * (specification: Limiting a key).
 */
export async function addFormCollections(
  db: Reader,
  project_id: string,
  access: Access,
): Promise<Access> {
  if (access.sites.length === 0) return access
  const along = await store.listFormCollections(db, { project_id, ids: access.sites })
  return { ...access, collections: [...new Set([...access.collections, ...along])] }
}

/**
 * Returns the form collections of a deploy that limited keys of the site may use. A limited key
 * adds no collection outside its grants, because it could otherwise extend its own access.
 */
export function limitCollections({ access }: Caller, named: readonly string[]): string[] {
  return named.filter((name) => !access || access.collections.includes(name))
}

/**
 * Returns those of the named collections that an earlier deploy made available to limited keys;
 * files that stay add no others.
 */
export function keepCollections(
  named: readonly string[],
  { collections }: { collections: readonly string[] },
): string[] {
  return named.filter((name) => collections.includes(name))
}

/** Throws unless the owner of a public site has a verified phone number or a card. */
export function requireMayBePublic(project: ProjectRow, visibility: store.SiteRow['visibility']) {
  if (visibility !== 'public' || project.phone_verified || project.card) return
  const detail =
    'A public site needs a verified phone number or a payment method. With the visibility ' +
    'unlisted or password it can be published now.'
  throw new Problem('phone_verification_required', detail, {
    user_message:
      'A public site needs a saved card or a verified phone number. Unlisted, it can be published now.',
  })
}

export async function requireRoomForSite(db: Reader, project: ProjectRow): Promise<void> {
  const count = await store.countSites(db, project.id)
  const { title, sites_max } = plans[project.plan]
  if (count < sites_max) return
  throw new Problem('site_limit_reached', `The project has ${count} sites already.`, {
    user_message:
      `This project already has ${count} sites, and ${sites_max} are the most on the plan ` +
      `${title}, as on every plan.`,
  })
}

/** Number of refused deploys per hour, project and process that are not counted. */
const REFUSED_FREE_MAX = limits.first_week_deploys_per_hour_max
const refusals = new WeakMap<Runtime, SlidingWindow>()

/**
 * Runs a deploy and counts it at its start, so that parallel deploys stay within the limit. A
 * refused deploy does not count, unless many were refused within the hour.
 */
export async function runCountedDeploy(caller: Caller, work: () => Promise<void>): Promise<void> {
  const { runtime, project, db } = caller
  const id = await countDeploy(caller)
  try {
    await work()
  } catch (error) {
    if (error instanceof Problem && refusalsIn(runtime).pass(project.id).allowed)
      await db.transact((tx) => store.deleteDeploy(tx, { project_id: project.id, id }))
    throw error
  }
}

function refusalsIn(runtime: Runtime): SlidingWindow {
  const rule = { limit: REFUSED_FREE_MAX, window_ms: DEPLOYS_COUNTED_S * 1000 }
  const window = refusals.get(runtime) ?? createSlidingWindow(runtime.clock, rule)
  refusals.set(runtime, window)
  return window
}

/** Inserts a deploy and returns its id. Throws `deploy_limit_reached` at the hourly limit. */
function countDeploy(caller: Caller): Promise<string> {
  const { runtime, project } = caller
  return transactInSequence(caller, async (tx) => {
    const locked = await projects.findLocked(tx, project.id)
    if (!locked) throw new Problem('project_deleted', 'The project of this key was deleted.')
    const now = runtime.clock.now()
    const most = await deploysPerHour(tx, { runtime, project: locked })
    const since = new Date(now.getTime() - DEPLOYS_COUNTED_S * 1000)
    const recent = await store.listDeployTimes(tx, { project_id: project.id, since, count: most })
    const oldest = recent[most - 1]
    if (oldest)
      throw tooManyDeploys(most, oldest.getTime() + DEPLOYS_COUNTED_S * 1000 - now.getTime())
    const id = newId(runtime.clock)
    await store.insertDeploy(tx, { project_id: project.id, id, created_at: now })
    return id
  })
}

function tooManyDeploys(most: number, wait_ms: number): Problem {
  const retry_after_s = Math.max(1, Math.ceil(wait_ms / 1000))
  const detail = `The project has used its maximum of ${most} deploys per hour.`
  return new Problem('deploy_limit_reached', detail, { retry_after_s })
}

/**
 * Returns the hourly limit of deploys, which is lower in the first week without payment or
 * verification.
 */
async function deploysPerHour(
  tx: Transaction,
  { runtime, project }: { runtime: Runtime; project: ProjectRow },
): Promise<number> {
  const age_ms = runtime.clock.now_ms() - project.created_at.getTime()
  const levels = [project.company_status, project.number_documents_status, project.full_status]
  const is_trusted =
    age_ms >= limits.first_week_s * 1000 ||
    levels.includes('approved') ||
    (await billing.hasPaid(tx, projects.findPayingProject(project)))
  return is_trusted ? limits.deploys_per_hour_max : limits.first_week_deploys_per_hour_max
}
