/**
 * Rules of projects. A single project has test and live keys, and each rail goes live separately.
 * Older projects are pairs of a test and a live project that refer to each other. The command line
 * and the portal authorize changes.
 */
import type { Caller, ProjectRow } from '../../contract/caller.ts'
import { limits } from '../../contract/limits.ts'
import type { Plan } from '../../contract/plans.ts'
import { fillAllowed } from '../../contract/limited-to.ts'
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
  type EvidenceCode,
  type RailName,
} from './verification.ts'

export {
  railNames,
  approvedLevels,
  evidenceCodes,
  listEvidence,
  listVerificationLevels,
  type EvidenceCode,
  type RailName,
  type CheckedLevel,
} from './verification.ts'

export { listMissingCompanyDetails, replaceCompany, showCompany } from './company/company.ts'
export { find as findCompany, type CompanyRow } from './company/company-store.ts'

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

/** Creates a single project in test mode; an imported one keeps its id. */
export function insertSingle(
  tx: Transaction,
  runtime: Runtime,
  facts: Pick<NewProject, 'name' | 'plan' | 'owner_email'> & {
    id?: string
    imported_at?: Date
  },
): Promise<ProjectRow> {
  const shape = 'single' as const
  const made = { id: facts.id ?? newId(runtime.clock), created_at: runtime.clock.now() }
  return store.insert(tx, { ...facts, ...made, shape, rails: rails('test') })
}

/** Sets the email address to which messages for the owner of the project are sent. */
export async function setOwnerEmail(
  tx: Transaction,
  { project_id, owner_email }: { project_id: string; owner_email: string },
): Promise<void> {
  await store.update(tx, project_id, { owner_email })
}

/** Replaces the address for messages to the owner in projects that have it, deleted ones included. */
export const replaceOwnerEmail = store.replaceOwnerEmail

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
export const findRestorable = store.findRestorable
export const list = store.list

/** Locks the project's row until the transaction ends. Limit checks take this lock first. */
export function lock(tx: Transaction, project_id: string): Promise<void> {
  return store.lock(tx, project_id)
}

/** Locks and reads the project; undefined if it is unknown or deleted. */
export const findLocked = store.findLocked

/**
 * Locks and reads a project and the other project of its pair, deleted or not; a pair shares one
 * plan.
 */
export const lockWithPair = store.lockWithPair

/**
 * Sets the plan of locked projects, deleted or not. `lowered_at` is the time of a change to a
 * smaller plan.
 */
export async function setPlan(
  tx: Transaction,
  locked: readonly ProjectRow[],
  { plan, lowered_at }: { plan: Plan; lowered_at: Date | null },
): Promise<void> {
  const plan_lowered_at = lowered_at ?? undefined
  for (const { id } of locked)
    await store.updatePlan(tx, id, { plan, ...(plan_lowered_at && { plan_lowered_at }) })
}

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
 * webhook endpoints get no events. Returns false if it is unknown or already deleted.
 */
export function remove(runtime: Runtime, project_id: string): Promise<boolean> {
  return runtime.db.transact((tx) => markDeleted(tx, { project_id, now: runtime.clock.now() }))
}

/**
 * Like `remove`, in the transaction of the caller. A live project takes the plan of its pair along:
 * the test project gets the limits of Free.
 */
export async function markDeleted(
  tx: Transaction,
  {
    project_id,
    now,
    by_operator = false,
  }: { project_id: string; now: Date; by_operator?: boolean },
): Promise<boolean> {
  const others = await lockOthersOfPair(tx, project_id)
  const changes = { deleted_at: now, deleted_by_operator: by_operator }
  const row = await store.update(tx, project_id, changes)
  if (!row) return false
  await webhooks.suspendAll(tx, { project_id, now })
  if (row.shape === 'live') await setPlan(tx, others, { plan: 'free', lowered_at: now })
  return true
}

/** Locks a project and the other one of its pair. Returns the other one, or an empty list. */
async function lockOthersOfPair(tx: Transaction, project_id: string): Promise<ProjectRow[]> {
  const known = await store.findRestorable(tx, project_id)
  if (!known || known.pair_id === null) return []
  const locked = await store.lockWithPair(tx, known)
  return locked.filter(({ id }) => id !== project_id)
}

/**
 * Undoes `remove`; undefined if the project is not deleted, or its removal has begun. A live
 * project brings the plan of its pair back.
 */
export async function restore(
  tx: Transaction,
  project_id: string,
): Promise<ProjectRow | undefined> {
  const others = await lockOthersOfPair(tx, project_id)
  const row = await store.restore(tx, project_id)
  if (!row) return undefined
  await webhooks.resumeAll(tx, project_id)
  if (row.shape === 'live') await setPlan(tx, others, { plan: row.plan, lowered_at: null })
  return row
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
    const loses_full = level === 'full' && status !== 'approved'
    if (loses_full) await store.setMissingCap(tx, project_id, UNVERIFIED_CAP_MICRO)
    await store.update(tx, project_id, {
      [`${level}_status`]: status,
      [`${level}_reason`]: null,
      ...(level === 'company' && { company_reviewed: false }),
    })
    return store.lowerCap(tx, project_id, UNVERIFIED_CAP_MICRO)
  })
}

export interface LevelResult {
  status: ProjectRow['company_status']
  /** Why the level was refused, for the team. */
  reason: string | null
}

/** Sets the state of a review of a level. The caller holds the lock of the project. */
export async function setLevel(
  tx: Transaction,
  { project_id, level, status, reason }: LevelResult & { project_id: string; level: CheckedLevel },
): Promise<ProjectRow | undefined> {
  await store.update(tx, project_id, {
    [`${level}_status`]: status,
    [`${level}_reason`]: reason,
    ...(level === 'company' && { company_reviewed: status === 'approved' }),
  })
  return store.lowerCap(tx, project_id, UNVERIFIED_CAP_MICRO)
}

/** Records which evidence is stored. The caller holds the lock of the project. */
export async function setEvidence(
  tx: Transaction,
  project_id: string,
  verification_given: EvidenceCode[],
): Promise<void> {
  await store.update(tx, project_id, { verification_given })
}

/** Records that the phone of the owner is verified. */
export async function setPhoneVerified(tx: Transaction, project_id: string): Promise<void> {
  await store.update(tx, project_id, { phone_verified: true })
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

/** The spending cap is too high, or removed while a rail is live, for a project without the level full. */
export class SpendingCapTooHigh extends Error {
  override readonly name = 'SpendingCapTooHigh'
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
    if (project && project.full_status !== 'approved' && needsFull(project, changes)) {
      throw new SpendingCapTooHigh(`Project ${project_id} has not reached the level full.`)
    }
    return store.update(tx, project_id, { ...payment, ...others })
  })
}

/** A cap above the maximum, and the removal of a cap while the project spends from its balance. */
function needsFull(project: ProjectRow, { spending_limit_micro }: ProjectChanges): boolean {
  if (spending_limit_micro === undefined) return false
  if (spending_limit_micro !== null) return spending_limit_micro > UNVERIFIED_CAP_MICRO
  const spends = railNames.some((rail) => rail !== 'payments' && project.rails[rail] === 'live')
  return spends && project.spending_limit_micro !== null
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
