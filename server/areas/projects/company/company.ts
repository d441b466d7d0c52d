/**
 * Rules of the company of a project: it is replaced as a whole, its VAT number is checked before
 * saving, and account_type changes under the project's lock.
 */
import type { Caller, ProjectRow } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import { microFromEuro } from '../../../kernel/values/money.ts'
import { isForVies } from '../../../providers/vat/vat-number.ts'
import { vatCheckerOf } from '../../../providers/vat/vat.ts'
import {
  listMissingDetails,
  parseDetails,
  type AccountType,
  type CompanyDetails,
} from './company-details.ts'
import type { CompanyInput } from './company-schema.ts'
import { type Company } from './company-schema.ts'
import * as companies from './company-store.ts'
import { enqueueVatRecheck } from '../jobs.ts'
import * as store from '../store.ts'

const nothingSaved = {
  company_name: null,
  kvk_number: null,
  registration_number: null,
  vat_number: null,
  vat_status: 'not_required',
  vat_checked_at: null,
  address: null,
  contact: null,
  registrar_contact_name: null,
} as const satisfies Omit<companies.CompanyRow, 'project_id' | 'updated_at'>

type SavedCompany = Omit<companies.CompanyRow, 'project_id' | 'updated_at'>

export async function showCompany({ db, project }: Caller): Promise<Company> {
  return present(project.account_type, (await companies.find(db, project.id)) ?? nothingSaved)
}

/** Returns the field names of the details that are missing before a number can be ordered. */
export async function listMissingCompanyDetails(
  db: Reader,
  project: ProjectRow,
): Promise<string[]> {
  const saved = (await companies.find(db, project.id)) ?? nothingSaved
  return listMissingDetails(project.account_type, saved)
}

/** Replaces the company. VIES is asked before any lock or connection is taken. */
export async function replaceCompany(caller: Caller, input: CompanyInput): Promise<Company> {
  const { db, runtime } = caller
  const project_id = caller.project.id
  const { account_type } = input
  const details = parseDetails(input)
  const vat = await checkVat(caller, details)
  return db.transact(async (tx) => {
    const project = await store.findLocked(tx, project_id)
    if (!project) throw new Problem('project_deleted', 'The project of this key was deleted.')
    await switchAccountType(tx, project, account_type)
    const saved = await companies.find(tx, project_id)
    const facts = { vat: latestOf(vat, details, saved), details, now: runtime.clock.now() }
    const row = await companies.replace(tx, { project_id, ...facts })
    if (saved && identifiesOther(saved, row)) await withdrawCompanyReview(tx, project)
    const { vat_number, vat_status } = row
    if (vat_number !== null && vat_status === 'unverified') {
      await enqueueVatRecheck(tx, runtime, { project_id, vat_number, asked: 1 })
    }
    return present(account_type, row)
  })
}

/**
 * Returns the VAT status of the number, from VIES if needed. A valid, unchanged number is not
 * checked again.
 */
async function checkVat(
  { db, runtime, project }: Caller,
  { vat_number, address }: CompanyDetails,
): Promise<companies.VatFacts> {
  if (vat_number === null || !isForVies(vat_number, address?.country ?? null)) {
    return { vat_status: 'not_required', vat_checked_at: null }
  }
  const saved = await companies.find(db, project.id)
  if (saved?.vat_number === vat_number && saved.vat_status === 'valid') {
    return { vat_status: 'valid', vat_checked_at: saved.vat_checked_at }
  }
  const answer = await vatCheckerOf(runtime).check(vat_number)
  if (answer === 'invalid') {
    const detail = `The EU VAT validation service reports that ${vat_number} is not valid.`
    throw new Problem('vat_number_invalid', detail)
  }
  return answer === 'valid'
    ? { vat_status: 'valid', vat_checked_at: runtime.clock.now() }
    : { vat_status: 'unverified', vat_checked_at: null }
}

/**
 * Keeps the VAT result that a concurrent request stored for the same number, if this request got no
 * answer.
 */
function latestOf(
  vat: companies.VatFacts,
  { vat_number }: CompanyDetails,
  saved: companies.CompanyRow | undefined,
): companies.VatFacts {
  if (vat.vat_status !== 'unverified' || saved?.vat_number !== vat_number) return vat
  return { vat_status: saved.vat_status, vat_checked_at: saved.vat_checked_at }
}

/**
 * Number orders take the same lock, so that no order can start between the check and the change.
 */
async function switchAccountType(
  tx: Transaction,
  project: ProjectRow,
  account_type: AccountType,
): Promise<void> {
  if (project.account_type === account_type) return
  if (account_type === 'personal') refuseNational(project)
  await store.update(tx, project.id, { account_type })
  await resetHigherLevels(tx, project)
  await withdrawCompanyReview(tx, { ...project, company_reviewed: false })
}

/** Resets number_documents and full. Their evidence is withdrawn by the new round. */
async function resetHigherLevels(tx: Transaction, project: ProjectRow): Promise<void> {
  const cap_micro_max = microFromEuro(limits.spending_cap_unverified_eur_max)
  await store.setMissingCap(tx, project.id, cap_micro_max)
  await store.update(tx, project.id, {
    number_documents_status: 'not_started',
    number_documents_reason: null,
    full_status: 'not_started',
    full_reason: null,
    verification_given: [],
    verification_round: project.verification_round + 1,
  })
  await store.lowerCap(tx, project.id, cap_micro_max)
}

/** Whether the details name another company than the register or the operator checked. */
function identifiesOther(before: companies.CompanyRow, after: companies.CompanyRow): boolean {
  const names = ['company_name', 'kvk_number', 'registration_number'] as const
  return (
    before.address?.country !== after.address?.country ||
    names.some((name) => before[name] !== after[name])
  )
}

/**
 * Withdraws an open or refused review of the level company, and an approval that a review gave, with
 * the levels that build on it. An approval of the operator's command stays.
 */
async function withdrawCompanyReview(tx: Transaction, project: ProjectRow): Promise<void> {
  const is_kept = project.company_status === 'approved' && !project.company_reviewed
  await store.update(tx, project.id, {
    company_round: project.company_round + 1,
    ...(is_kept ? {} : { company_status: 'not_started', company_reason: null }),
    ...(is_kept ? {} : { company_reviewed: false }),
  })
  if (project.company_reviewed) await resetHigherLevels(tx, project)
}

function refuseNational({ national_numbers_count, national_orders_count }: ProjectRow): void {
  if (national_numbers_count + national_orders_count === 0) return
  const has = national_numbers_count > 0 ? 'has one' : 'is ordering one'
  const detail = `A personal account cannot have a national number, and this project ${has}.`
  throw new Problem('account_type_change_blocked', detail)
}

function present(account_type: AccountType, saved: SavedCompany): Company {
  const missing = listMissingDetails(account_type, saved)
  const { address, contact } = saved
  return {
    account_type,
    company_name: saved.company_name,
    kvk_number: saved.kvk_number,
    registration_number: saved.registration_number,
    vat_number: saved.vat_number,
    vat_status: saved.vat_status,
    vat_checked_at: saved.vat_checked_at?.toISOString() ?? null,
    address: address && {
      street: address.street,
      house_number: address.house_number,
      postal_code: address.postal_code,
      city: address.city,
      country: address.country,
    },
    contact: contact && { name: contact.name, phone: contact.phone },
    registrar_contact_name: saved.registrar_contact_name,
    complete: missing.length === 0,
    missing,
    domain_contacts: {},
  }
}
