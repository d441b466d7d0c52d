/** The operator console: projects, reviews, work and providers. The audit log is in acts.ts. */

export { exportActs } from './acts.ts'
import type { PersonCaller } from '../../contract/people.ts'
import { Problem } from '../../contract/errors.ts'
import { deadJobs, retryDeadJobs } from '../../kernel/jobs/jobs.ts'
import { firstIdAt } from '../../kernel/values/ids.ts'
import { euroFromMicro } from '../../kernel/values/money.ts'
import { lastProviderError } from '../../providers/provider-errors.ts'
import * as billing from '../billing/service.ts'
import * as plans from '../plans/service.ts'
import * as projects from '../projects/service.ts'
import * as sites from '../sites/service.ts'
import * as status from '../status/service.ts'
import { limits } from '../../contract/limits.ts'
import { refuseSlowSearch } from '../../contract/problems/search-timeout.ts'
import { readPage } from './page.ts'
import type {
  OperatedProject,
  OperatedProjectPage,
  PhoneState,
  PlanChoice,
  ProjectSearch,
  Provider,
  Reason,
  Review,
  ReviewDecision,
  Work,
} from './schema.ts'
import * as store from './store.ts'

type Operator = Pick<PersonCaller, 'runtime' | 'db'>

const DAY_MS = 86_400_000
const REVIEWS_MAX = 200

export async function listProjects(
  caller: Operator,
  { search, only, ...query }: ProjectSearch,
): Promise<OperatedProjectPage> {
  const page = await readPage(caller, {
    list: 'projects',
    query,
    filter: { search, only },
    read: (count, after) =>
      store.listProjects(caller.db, {
        ...periodsOf(caller),
        after,
        count,
        search: search?.trim() || null,
        only_offline: only === 'offline',
        id: null,
      }),
  })
  return { ...page, data: page.data.map(presentProject) }
}

function periodsOf({ runtime }: Operator): { month: string; first: string } {
  const { clock } = runtime
  return {
    month: billing.findBillingMonth(runtime, clock.now()),
    first: firstIdAt(clock.now_ms() - DAY_MS),
  }
}

function presentProject(row: store.ProjectFacts): OperatedProject {
  const { offline_at: since, offline_reason: reason } = row
  const isFailing = row.errors + row.disabled_webhooks + row.failed_jobs > 0
  return {
    id: row.id,
    name: row.name,
    owner_email: row.owner_email,
    plan: row.plan,
    created_at: row.created_at.toISOString(),
    is_enabled: row.enabled,
    phone_verified: row.phone_verified,
    offline: since && reason !== null ? { since: since.toISOString(), reason } : null,
    health: since ? 'offline' : isFailing ? 'failing' : 'ok',
    balance_eur: euroFromMicro(row.balance_micro),
    spent_this_month_eur: euroFromMicro(row.spent_micro),
    numbers: row.numbers_count,
    sites: row.sites,
    members: row.members,
    requests_24h: row.requests,
    refused_24h: row.refused,
    errors_24h: row.errors,
    disabled_webhooks: row.disabled_webhooks,
    failed_jobs: row.failed_jobs,
  }
}

export function takeProjectOffline(
  caller: Operator,
  id: string,
  { reason }: Reason,
): Promise<OperatedProject> {
  const offline_at = caller.runtime.clock.now()
  return setOffline(caller, id, { offline_at, offline_reason: reason.trim() })
}

export function putProjectOnline(caller: Operator, id: string): Promise<OperatedProject> {
  return setOffline(caller, id, { offline_at: null, offline_reason: null })
}

async function setOffline(
  caller: Operator,
  id: string,
  change: store.OfflineChange,
): Promise<OperatedProject> {
  const { db, runtime } = caller
  await db.transact(async (tx) => {
    sites.announceSites(tx, runtime, id)
    const row = await store.setOffline(tx, id, change)
    if (!row) throw new Problem('not_found', 'There is no project with this id.')
    return row
  })
  return findProject(caller, id)
}

async function findProject(caller: Operator, id: string): Promise<OperatedProject> {
  const wanted = { ...periodsOf(caller), after: null, count: 1, search: null, only_offline: false }
  const [project] = await store.listProjects(caller.db, { ...wanted, id })
  if (!project) throw new Problem('not_found', 'There is no project with this id.')
  return presentProject(project)
}

export async function setPlan(
  caller: Operator,
  id: string,
  { plan }: PlanChoice,
): Promise<OperatedProject> {
  const is_set = await plans.setByOperator(caller.runtime, { project_id: id, plan })
  if (!is_set) throw new Problem('not_found', 'There is no project with this id.')
  return findProject(caller, id)
}

/** Confirms the phone of the owner, or withdraws that. */
export async function setPhone(
  caller: Operator,
  id: string,
  { verified: phone_verified }: PhoneState,
): Promise<OperatedProject> {
  const row = await projects.change(caller.db, id, { phone_verified })
  if (!row) throw new Problem('not_found', 'There is no project with this id.')
  return findProject(caller, id)
}

const refuseSlowReviews = refuseSlowSearch(
  limits.operator_list_s_max,
  'Ask for the open ones with open=true, or try again later.',
)

export async function listReviews(
  { db }: Operator,
  { open }: { open: boolean },
): Promise<{ data: Review[] }> {
  const rows = await sites
    .listReviews(db, { open, count: REVIEWS_MAX })
    .catch(refuseSlowReviews({ open }))
  return { data: rows.map(presentReview) }
}

export async function decide(
  { runtime }: Operator,
  review_id: string,
  { decision, note }: ReviewDecision,
): Promise<Review> {
  const said = note?.trim() || null
  const decided = await sites.decide(runtime, { review_id, decision, note: said })
  if (!decided) throw new Problem('not_found', 'There is no review with this id.')
  return presentReview(decided)
}

export async function takeSiteOffline(
  { runtime }: Operator,
  id: string,
  { reason }: Reason,
): Promise<sites.ModeratedSite> {
  const taken = await sites.takeOffline(runtime, { id, reason: reason.trim() })
  if (!taken) throw noSite()
  const { appeal_url: _, ...site } = taken
  return site
}

export async function putSiteOnline(
  { runtime }: Operator,
  id: string,
): Promise<sites.ModeratedSite> {
  const site = await sites.restoreOnline(runtime, id)
  if (!site) throw noSite()
  return site
}

function noSite(): Problem {
  return new Problem('not_found', 'There is no site with this id.')
}

export async function readWork({ db, runtime }: Operator): Promise<Work> {
  const now = runtime.clock.now()
  const since = new Date(now.getTime() - DAY_MS)
  const [jobs, dead, deliveries] = await Promise.all([
    store.readJobs(db, now),
    deadJobs(db),
    store.readDeliveries(db, { now, since }),
  ])
  return {
    jobs: { ...queueOf(jobs), failed: dead.count },
    deliveries: { ...queueOf(deliveries), failed_24h: deliveries.failed_24h },
    failed_jobs: dead.jobs.map(({ id, job, project_id, attempt, last_error, dead_at }) => ({
      id,
      job,
      project_id,
      attempt,
      last_error,
      failed_at: dead_at?.toISOString() ?? null,
    })),
  }
}

function queueOf({ due, running, scheduled, oldest_s, ...rest }: store.QueueFacts) {
  const { under_10_s, under_1_min, under_10_min, under_1_h, over_1_h } = rest
  const ages = { under_10_s, under_1_min, under_10_min, under_1_h, over_1_h }
  return { due, running, scheduled, oldest_s, ages }
}

export async function retryJobs({ db, runtime }: Operator): Promise<{ retried: number }> {
  return { retried: await db.transact((tx) => retryDeadJobs(tx, runtime)) }
}

export async function listProviders({ runtime }: Operator): Promise<{ data: Provider[] }> {
  const { carrier, model, mail, payments, vat, blobs } = runtime.config
  const healths = await status.checkComponents(runtime)
  const known: [Provider['interface'], string, Provider['status']][] = [
    ['phone', carrier.provider, healths.phone],
    ['ai', model.provider, healths.ai],
    ['mail', mail.provider, healths.mail],
    ['payments', payments.provider, healths.payments],
    ['vat', vat.provider, 'unknown'],
    ['files', /^\w+/.exec(blobs.address)?.[0] ?? blobs.address, healths.sites],
  ]
  return {
    data: known.map(([name, provider, state]) => {
      const error = lastProviderError(runtime, name)
      const last_error = error && { at: error.at.toISOString(), message: error.message }
      return { interface: name, provider, status: state, last_error }
    }),
  }
}

/** A review as operators see it. */
function presentReview(review: sites.Review): Review {
  return {
    id: review.id,
    project_id: review.project_id,
    project_name: review.project_name,
    site_id: review.site_id,
    slug: review.slug,
    created_at: review.created_at.toISOString(),
    findings: review.findings.map(({ rule, path, line, what }) => ({ rule, path, line, what })),
    appeal: review.appeal,
    appealed_at: review.appealed_at?.toISOString() ?? null,
    decision: review.decision,
    decision_note: review.decision_note,
    decided_at: review.decided_at?.toISOString() ?? null,
  }
}
