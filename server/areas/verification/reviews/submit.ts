/** Sends a level for review: to the business register if it covers the company, else to the operator. */
import type { ProjectRow } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { MemberCaller } from '../../../contract/people.ts'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import { enqueue } from '../../../kernel/jobs/jobs.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { registerOf } from '../../../providers/register/register.ts'
import * as billing from '../../billing/service.ts'
import * as projects from '../../projects/service.ts'
import * as documents from '../documents/document-store.ts'
import { lockProject } from '../documents/documents.ts'
import { kindsOfLevel } from '../documents/evidence.ts'
import { enqueueOperatorNotice } from '../mail-jobs.ts'
import { checkRegister } from '../register/check-job.ts'
import { roundOf } from './decide.ts'
import * as store from './review-store.ts'

const DAY_MS = 86_400_000

export async function submitLevel(
  { runtime, project }: MemberCaller,
  level: projects.CheckedLevel,
): Promise<void> {
  await runtime.db.transact(async (tx) => {
    const locked = await lockProject(tx, project.id)
    requireSubmittable(locked, level)
    await requireComplete(tx, locked, level)
    const now = runtime.clock.now()
    await requireRate(tx, project.id, now)
    const way = level === 'company' ? await findChecker(tx, runtime, locked) : 'operator'
    const { id: project_id } = locked
    await store.withdraw(tx, { project_id, level, now })
    const review = {
      project_id,
      id: newId(runtime.clock),
      level,
      round: roundOf(locked, level),
      status: 'pending' as const,
      way,
      submitted_at: now,
    }
    await store.insert(tx, review)
    await projects.setLevel(tx, { project_id, level, status: 'pending', reason: null })
    await documents.scheduleDeletion(tx, {
      project_id,
      kinds: kindsOfLevel(level),
      delete_at: null,
    })
    if (level === 'full')
      await documents.scheduleDeclarationDeletion(tx, project_id, { delete_at: null })
    if (way === 'register') {
      const payload = { review_id: review.id, asked: 0 }
      await enqueue(tx, runtime, checkRegister, { project_id, payload })
    } else await enqueueOperatorNotice(tx, runtime, { project: locked, level })
  })
}

/** Takes a level back out of review, so that its evidence can be changed. */
export async function withdrawLevel(
  { runtime, project }: MemberCaller,
  level: projects.CheckedLevel,
): Promise<void> {
  await runtime.db.transact(async (tx) => {
    const locked = await lockProject(tx, project.id)
    if (locked[`${level}_status`] !== 'pending') throw conflict('This level is not in review.')
    const { id: project_id } = locked
    await store.withdraw(tx, { project_id, level, now: runtime.clock.now() })
    await projects.setLevel(tx, { project_id, level, status: 'not_started', reason: null })
    const delete_at = new Date(runtime.clock.now_ms() + limits.verification_unsent_kept_s * 1000)
    await documents.scheduleDeletion(tx, { project_id, kinds: kindsOfLevel(level), delete_at })
    if (level === 'full') await documents.scheduleDeclarationDeletion(tx, project_id, { delete_at })
  })
}

function requireSubmittable(project: ProjectRow, level: projects.CheckedLevel): void {
  const status = project[`${level}_status`]
  if (status === 'pending') throw conflict('This level is in review already.')
  if (status === 'approved') throw conflict('This level is approved already.')
}

/** Each submission costs a request to the register, or a mail to the operator. */
async function requireRate(tx: Transaction, project_id: string, now: Date): Promise<void> {
  const since = new Date(now.getTime() - DAY_MS)
  const count = await store.countSince(tx, project_id, since)
  if (count < limits.verification_submissions_per_day_max) return
  const user_message = 'This was sent for review too often today. Try again tomorrow.'
  throw new Problem('rate_limited', user_message, { user_message, retry_after_s: DAY_MS / 1000 })
}

async function requireComplete(
  db: Reader,
  project: ProjectRow,
  level: projects.CheckedLevel,
): Promise<void> {
  const details = level === 'company' ? await projects.listMissingCompanyDetails(db, project) : []
  if (details.length > 0) {
    const detail = `The company details miss ${details.join(', ')}.`
    throw new Problem('company_details_missing', detail, { missing: details })
  }
  const found = projects.listVerificationLevels(project).find((one) => one.level === level)
  const has_funds = level === 'company' && (await hasFunds(db, project))
  const missing = (found?.missing ?? []).filter(
    (code) => code !== 'review' && !(code === 'payment_mandate' && has_funds),
  )
  if (missing.length === 0) return
  const user_message = 'Something is still missing before this can be reviewed.'
  throw new Problem('verification_required', `Still missing: ${missing.join(', ')}.`, {
    missing,
    user_message,
    next_step:
      'Complete the items of the list missing on the page Verification of the portal. Then send it again.',
  })
}

export async function hasFunds(db: Reader, project: ProjectRow): Promise<boolean> {
  return (await billing.readUnspentFunds(db, projects.findPayingProject(project))) > 0n
}

/** Returns who checks the company: the register for businesses of its country, else the operator. */
export async function findChecker(
  db: Reader,
  runtime: Runtime,
  project: ProjectRow,
): Promise<'register' | 'operator'> {
  const register = registerOf(runtime)
  if (!register || project.account_type !== 'business') return 'operator'
  const company = await projects.findCompany(db, project.id)
  return company?.address?.country === register.country && company.kvk_number !== null
    ? 'register'
    : 'operator'
}

function conflict(user_message: string): Problem {
  return new Problem('conflict', user_message, { user_message })
}
