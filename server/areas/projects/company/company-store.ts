/** SQL of companies. */
import type { Selectable, Updateable } from 'kysely'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { CompaniesTable } from '../../../kernel/database/tables.ts'
import type { CompanyDetails } from './company-details.ts'

export type CompanyRow = Selectable<CompaniesTable>
export type VatFacts = Pick<CompanyRow, 'vat_status' | 'vat_checked_at'>

export function find(db: Reader, project_id: string): Promise<CompanyRow | undefined> {
  return db
    .selectFrom('companies')
    .selectAll()
    .where('project_id', '=', project_id)
    .executeTakeFirst()
}

export interface CompanyWrite {
  project_id: string
  details: CompanyDetails
  vat: VatFacts
  now: Date
}

/** Replaces all saved details. */
export function replace(
  tx: Transaction,
  { project_id, details, vat, now }: CompanyWrite,
): Promise<CompanyRow> {
  const { address, contact, registrar_contact_name, ...texts } = details
  const columns = {
    ...texts,
    ...vat,
    address: address && JSON.stringify(address),
    contact: contact && JSON.stringify(contact),
    updated_at: now,
    ...(registrar_contact_name === undefined ? {} : { registrar_contact_name }),
  } satisfies Updateable<CompaniesTable>
  return tx
    .insertInto('companies')
    .values({ project_id, ...columns })
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(columns))
    .returningAll()
    .executeTakeFirstOrThrow()
}

export interface VatCheckKey {
  project_id: string
  vat_number: string
}

/** Whether the project exists and this VAT number is still unverified. */
export async function isVatUnverified(
  db: Reader,
  { project_id, vat_number }: VatCheckKey,
): Promise<boolean> {
  const row = await db
    .selectFrom('companies')
    .innerJoin('projects', 'projects.id', 'companies.project_id')
    .select('companies.project_id')
    .where('companies.project_id', '=', project_id)
    .where('vat_number', '=', vat_number)
    .where('vat_status', '=', 'unverified')
    .where('projects.deleted_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Stores a late VIES result if this VAT number is still unverified. */
export async function saveVatResult(
  tx: Transaction,
  { project_id, vat_number }: VatCheckKey,
  vat: VatFacts,
): Promise<void> {
  await tx
    .updateTable('companies')
    .set(vat)
    .where('project_id', '=', project_id)
    .where('vat_number', '=', vat_number)
    .where('vat_status', '=', 'unverified')
    .execute()
}
