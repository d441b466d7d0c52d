/**
 * Checks the prerequisites of a live number in the order of the specification (POST /numbers), each
 * with its own error.
 */
import type { ProjectRow } from '../../../contract/caller.ts'
import type { ErrorSlug } from '../../../contract/error-catalogue.ts'
import { Problem } from '../../../contract/errors.ts'
import { mergeProblems } from '../../../contract/problems/merged-problem.ts'
import type { Reader } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import type { MicroEuro } from '../../../kernel/values/money.ts'
import * as billing from '../../billing/service.ts'
import * as projects from '../../projects/service.ts'
import type { NumberType } from '../schema.ts'

export interface OrderIntent {
  /** The current project; read under its lock if the result must stay valid. */
  project: ProjectRow
  type: NumberType
  /** The price of the first month. */
  price_micro: MicroEuro
}

/** A reason that prevents an order, with the codes of the missing items. */
export interface Blocker {
  problem: Problem
  missing: readonly string[]
}

/**
 * Throws the first blocker in the order of the specification; its `missing` lists those of all
 * blockers.
 */
export async function requirePrerequisites(
  db: Reader,
  runtime: Runtime,
  intent: OrderIntent,
): Promise<void> {
  const refusal = refusalOf(await listBlockers(db, runtime, intent))
  if (refusal) throw refusal
}

/**
 * Like `requirePrerequisites`, for a project whose plan has no live numbers: the plan is the first
 * blocker.
 */
export async function refuseWithPlan(
  db: Reader,
  runtime: Runtime,
  intent: OrderIntent,
): Promise<never> {
  const detail = 'On the Free plan phone numbers work in test mode only.'
  const problem = new Problem('plan_limit_reached', detail, { status: 402 })
  const others = await listBlockers(db, runtime, intent)
  throw refusalOf([{ problem, missing: ['plan'] }, ...others]) ?? problem
}

/** Lists everything that is missing, in the order of the specification. */
export async function listBlockers(
  db: Reader,
  runtime: Runtime,
  intent: OrderIntent,
): Promise<Blocker[]> {
  const { project, type } = intent
  const details = await projects.listMissingCompanyDetails(db, project)
  const payer = projects.findPayingProject(project)
  const cannotPay = !project.card && (await billing.readUnspentFunds(db, payer)) === 0n
  return [
    details.length > 0 &&
      blocker(
        'company_details_missing',
        details,
        `The company details miss ${details.join(', ')}.`,
      ),
    project.spending_limit_micro === null &&
      blocker('spend_cap_missing', ['spending_cap'], 'This project has no monthly spending cap.'),
    cannotPay &&
      blocker(
        'payment_mandate_missing',
        ['payment_mandate'],
        'This project has no saved card and no prepaid balance.',
      ),
    ...unconfirmedOwner(project),
    // The balance is checked only if there is a means of payment, because without one the balance
    // is empty too.
    !cannotPay && (await findUnpaid(db, runtime, intent)),
    ...missingLevels(project, type),
  ].filter((one) => one !== false && one !== null)
}

function blocker(slug: ErrorSlug, missing: readonly string[], detail: string): Blocker {
  return { problem: new Problem(slug, detail, { missing }), missing }
}

/** Returns the blockers about the owner: a verified phone, and one bank-confirmed payment. */
function unconfirmedOwner(project: ProjectRow): (Blocker | false)[] {
  return [
    !project.phone_verified &&
      blocker(
        'phone_verification_required',
        ['phone_verification'],
        'The phone number of the owner is not verified yet.',
      ),
    !project.payment_authenticated &&
      blocker(
        'verification_required',
        ['payment_authentication'],
        'No payment of this project was confirmed with the bank yet.',
      ),
  ]
}

async function findUnpaid(
  db: Reader,
  runtime: Runtime,
  { project, price_micro }: OrderIntent,
): Promise<Blocker | null> {
  const project_id = projects.findPayingProject(project)
  try {
    await billing.requireAffordable(db, runtime, { project_id, amount_micro: price_micro })
    return null
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== 402) throw error
    return {
      problem: error,
      missing: [error.slug === 'billing_blocked' ? 'spending_cap' : 'balance'],
    }
  }
}

/**
 * Returns the missing verification levels. National numbers are for businesses; geographic ones
 * also need documents.
 */
function missingLevels(project: ProjectRow, type: NumberType): (Blocker | false)[] {
  const isBusiness = project.account_type === 'business'
  const levels = projects.listVerificationLevels(project)
  const documents = levels.find(({ level }) => level === 'number_documents')?.missing ?? []
  return [
    type === 'national' &&
      !isBusiness &&
      blocker(
        'business_required',
        ['business'],
        'A personal account cannot have a national number.',
      ),
    // The operator approves the level once the register lists the business.
    project.company_status !== 'approved' &&
      blocker(
        'verification_required',
        isBusiness ? ['kvk_check', 'level.company'] : ['level.company'],
        'The verification level company is not approved yet.',
      ),
    type === 'geographic' &&
      project.number_documents_status !== 'approved' &&
      blocker(
        'regulatory_documents_missing',
        documents,
        'The documents for a geographic number are not there yet.',
      ),
  ]
}

/** Returns the first blocker as a Problem that lists all of them; null without blockers. */
function refusalOf(blockers: readonly Blocker[]): Problem | null {
  const missing = [...new Set(blockers.flatMap((one) => one.missing))]
  const problems = blockers.map(({ problem }) => problem)
  return mergeProblems(problems, { missing })
}
