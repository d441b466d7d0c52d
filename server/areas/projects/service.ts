/**
 * Rules of projects. A single project has test and live keys, and each rail goes live separately.
 * Older projects are pairs of a test and a live project that refer to each other. The command line
 * and the portal authorize changes.
 */
import type { Caller, ProjectRow } from '../../contract/caller.ts'
import { limits } from '../../contract/limits.ts'
import type { Plan } from '../../contract/plans.ts'
import { fillAllowed } from '../../contract/access/limited-to.ts'
import type { Database, Transaction } from '../../kernel/database/database.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { newId } from '../../kernel/values/ids.ts'
import { euroFromMicro, microFromEuro, type MicroEuro } from '../../kernel/values/money.ts'
import * as webhooks from '../webhooks/service.ts'
import type { LimitedProject, WholeProject } from './schema.ts'
import * as store from './store.ts'
import {
  railNames,
  listVerificationLevels,
  type CheckedLevel,
  type RailName,
} from './verification.ts'

export {
  railNames,
  approvedLevels,
  listVerificationLevels,
  type RailName,
  type CheckedLevel,
} from './verification.ts'

export { CompanyInput } from './company/company-schema.ts'
export {
  isCompanyInput,
  listMissingCompanyDetails,
  replaceCompany,
  showCompany,
} from './company/company.ts'

export interface NewProject {
  name: string
  shape: 'single' | 'pair'
  plan: Plan
  owner_email: string | null
}

export type CreatedProject =
  | { project_id: string }
  | { live_project_id: string; test_project_id: string }

/** Creates a single project, or a pair that refer to each other. */
export function create(
  runtime: Runtime,
  { name, shape, plan, owner_email }: NewProject,
): Promise<CreatedProject> {
  const now = runtime.clock.now()
  const facts = { name, plan, owner_email, created_at: now }
  return runtime.db.transact(async (tx) => {
    if (shape === 'single') return { project_id: (await insertSingle(tx, runtime, facts)).id }
    const live_project_id = newId(runtime.clock)
    const test_project_id = newId(runtime.clock)
    const live = {
      ...facts,
      id: live_project_id,
      pair_id: test_project_id,
      shape: 'live' as const,
      rails: rails('live'),
    }
    const test = {
      ...facts,
      id: test_project_id,
      pair_id: live_project_id,
      shape: 'test' as const,
      rails: rails('test'),
    }
    await store.insert(tx, live)
    await store.insert(tx, test)
    return { live_project_id, test_project_id }
  })
}

/** Creates a single project in test mode. */
export function insertSingle(
  tx: Transaction,
  runtime: Runtime,
  facts: Pick<NewProject, 'name' | 'plan' | 'owner_email'>,
): Promise<ProjectRow> {
  const shape = 'single' as const
  const made = { id: newId(runtime.clock), created_at: runtime.clock.now() }
  return store.insert(tx, { ...facts, ...made, shape, rails: rails('test') })
}

function rails(mode: 'live' | 'test'): string {
  return JSON.stringify(Object.fromEntries(railNames.map((rail) => [rail, mode])))
}

export function rename(
  db: Database,
  { project_id, name }: { project_id: string; name: string },
): Promise<ProjectRow | undefined> {
  return db.transact((tx) => store.update(tx, project_id, { name }))
}

export const find = store.find
export const list = store.list

/** Locks the project's row until the transaction ends. Limit checks take this lock first. */
export function lock(tx: Transaction, project_id: string): Promise<void> {
  return store.lock(tx, project_id)
}

/** Locks and reads the project; undefined if it is unknown or deleted. */
export const findLocked = store.findLocked

/**
 * Updates the counters of numbers (GET /project) and national numbers, in the transaction that adds
 * or releases a number.
 */
export function updateNumbersCount(tx: Transaction, change: store.NumbersChange): Promise<void> {
  return store.addToNumbersCount(tx, change)
}

/**
 * Updates the counter of open number orders. While a national number is on order, the account
 * cannot become personal.
 */
export function updateOrdersCount(tx: Transaction, change: store.NumbersChange): Promise<void> {
  return store.addToOrdersCount(tx, change)
}

/**
 * Marks a project deleted: its keys get 401 project_deleted from the next request on, and its
 * webhook endpoints are removed.
 */
export async function remove(runtime: Runtime, project_id: string): Promise<boolean> {
  const now = runtime.clock.now()
  return runtime.db.transact(async (tx) => {
    await webhooks.removeAll(tx, project_id)
    return (await store.update(tx, project_id, { deleted_at: now })) !== undefined
  })
}

export function setVerification(
  db: Database,
  {
    project_id,
    level,
    status,
  }: { project_id: string; level: CheckedLevel; status: 'approved' | 'not_started' },
): Promise<ProjectRow | undefined> {
  return db.transact(async (tx) => {
    await store.update(tx, project_id, { [`${level}_status`]: status })
    return store.lowerCap(tx, project_id, UNVERIFIED_CAP_MICRO)
  })
}

/** Switches one rail of a project to live or test; for the operator. */
export function setRail(
  db: Database,
  { project_id, rail, mode }: { project_id: string; rail: RailName; mode: 'live' | 'test' },
): Promise<ProjectRow | undefined> {
  return db.transact(async (tx) => {
    const project = await store.findLocked(tx, project_id)
    return project && switchRail(tx, { project, rail, mode })
  })
}

/** Like `setRail`, but the caller has locked the project and checked the preconditions. */
export async function switchRail(
  tx: Transaction,
  { project, rail, mode }: { project: ProjectRow; rail: RailName; mode: 'live' | 'test' },
): Promise<ProjectRow> {
  const rails = { ...project.rails, [rail]: mode }
  await store.update(tx, project.id, { rails: JSON.stringify(rails) })
  return { ...project, rails }
}

export interface ProjectChanges {
  spending_limit_micro?: MicroEuro | null
  plan?: Plan
  enabled?: boolean
  card?: boolean
  /** Whether the bank has confirmed a payment; separate from the saved card. */
  payment_authenticated?: boolean
  phone_verified?: boolean
}

/** The highest spending cap without the verification level full. */
const UNVERIFIED_CAP_MICRO = microFromEuro(limits.spending_cap_unverified_eur_max)

/** The spending cap is too high for a project without the level full. */
export class SpendingCapTooHigh extends Error {
  override readonly name = 'CapNeedsFull'
}

/**
 * Sets facts of the owner or operator. A saved card counts as confirmed with 3-D Secure. Throws
 * SpendingCapTooHigh, changing nothing, if the spending cap is too high for the level.
 */
export function change(
  db: Database,
  project_id: string,
  changes: ProjectChanges,
): Promise<ProjectRow | undefined> {
  const { card, ...others } = changes
  const payment = card === undefined ? {} : { payment_authenticated: card, card }
  return db.transact(async (tx) => {
    const project = await store.findLocked(tx, project_id)
    const cap_micro = changes.spending_limit_micro ?? 0n
    if (project && cap_micro > UNVERIFIED_CAP_MICRO && project.full_status !== 'approved') {
      throw new SpendingCapTooHigh(`Project ${project_id} has not reached the level full.`)
    }
    return store.update(tx, project_id, { ...payment, ...others })
  })
}

/** Records that the bank has confirmed a payment. */
export async function setPaymentAuthenticated(tx: Transaction, project_id: string): Promise<void> {
  await store.update(tx, project_id, { payment_authenticated: true })
}

/** Records whether a card is saved; independent of `payment_authenticated`. */
export async function setCard(tx: Transaction, project_id: string, card: boolean): Promise<void> {
  await store.update(tx, project_id, { card })
}

/** Needs no query, because authentication has read the row of the project. */
export function show(caller: Caller): WholeProject | LimitedProject {
  const { project, mode, access } = caller
  return access ? presentLimited(project, mode, access) : present(project, mode)
}

export function present(project: ProjectRow, mode: 'live' | 'test'): WholeProject {
  const limit = project.spending_limit_micro
  return {
    id: project.id,
    name: project.name,
    edition: project.edition,
    created_at: project.created_at.toISOString(),
    spending_limit_eur: limit === null ? null : euroFromMicro(limit),
    numbers_count: project.numbers_count,
    mode,
    rails: {
      phone: project.rails.phone,
      outbound: project.rails.outbound,
      sms: project.rails.sms,
      email: project.rails.email,
      payments: project.rails.payments,
      domains: project.rails.domains,
    },
    verification: { account_type: project.account_type, levels: listVerificationLevels(project) },
    access: null,
  }
}

function presentLimited(
  project: ProjectRow,
  mode: 'live' | 'test',
  access: LimitedProject['access'],
): LimitedProject {
  return {
    id: project.id,
    name: project.name,
    edition: project.edition,
    created_at: project.created_at.toISOString(),
    mode,
    access: { ...fillAllowed(access), limited_by: access.limited_by },
  }
}

/**
 * Returns the id of the project whose balance is used: the live one of a pair, or the project
 * itself.
 */
export function findPayingProject(project: ProjectRow): string {
  return project.shape === 'test' && project.pair_id ? project.pair_id : project.id
}
