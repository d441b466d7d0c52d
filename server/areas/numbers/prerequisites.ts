/**
 * What must be there before a live number is ordered, asked in the order the specification gives
 * (POST /numbers), each with an error of its own.
 */
import type { ProjectRow } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import type { Reader } from '../../kernel/database.ts'
import type { House } from '../../kernel/house.ts'
import type { MicroEuro } from '../../kernel/money.ts'
import * as billing from '../billing/service.ts'
import * as projects from '../projects/service.ts'
import type { NumberType } from './schema.ts'

export interface Intent {
  /** As it is now: read under its lock where the answer must still be true afterwards. */
  project: ProjectRow
  type: NumberType
  /** The first month. */
  price_micro: MicroEuro
}

export async function requireReady(db: Reader, house: House, intent: Intent): Promise<void> {
  const { project, type, price_micro } = intent
  const missing = await projects.missingCompanyDetails(db, project)
  if (missing.length > 0) {
    const detail = `The company details miss ${missing.join(', ')}.`
    throw new Problem('company_details_missing', detail, { missing })
  }
  if (project.spending_limit_micro === null) {
    throw new Problem('spend_cap_missing', 'This project has no monthly spending cap.')
  }
  const payer = projects.payingProject(project)
  if (!project.card && (await billing.fundsOf(db, payer)) === 0n) {
    throw new Problem(
      'payment_mandate_missing',
      'This project has no saved card and no prepaid balance.',
    )
  }
  requireConfirmedOwner(project)
  await billing.refusalFor(db, house, { project_id: payer, amount_micro: price_micro })
  requireLevels(project, type)
}

/** A verified phone, and one payment that was confirmed with the bank. */
function requireConfirmedOwner(project: ProjectRow): void {
  if (!project.phone_verified) {
    throw new Problem(
      'phone_verification_required',
      'The phone number of the owner is not verified yet.',
    )
  }
  if (!project.payment_authenticated) {
    throw new Problem(
      'verification_required',
      'No payment of this project was confirmed with the bank yet.',
      { missing: ['payment_authentication'] },
    )
  }
}

/** National numbers are for businesses; geographic ones need documents as well. */
function requireLevels(project: ProjectRow, type: NumberType): void {
  const isBusiness = project.account_type === 'business'
  if (type === 'national' && !isBusiness) {
    throw new Problem('business_required', 'A personal account cannot have a national number.')
  }
  const levels = projects.verificationLevels(project)
  if (project.company_status !== 'approved') {
    // The operator approves the level once the register shows the business.
    const missing = isBusiness ? ['kvk_check', 'level.company'] : ['level.company']
    throw new Problem(
      'verification_required',
      'The verification level company is not approved yet.',
      { missing },
    )
  }
  if (type === 'geographic' && project.number_documents_status !== 'approved') {
    const missing = levels.find(({ level }) => level === 'number_documents')?.missing ?? []
    throw new Problem(
      'regulatory_documents_missing',
      'The documents for a geographic number are not there yet.',
      { missing },
    )
  }
}
