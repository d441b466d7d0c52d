/**
 * Compares the details of a company with the business register. Pure. Spelling is compared loosely:
 * without case, accents, punctuation and the legal form.
 */
import type { CompanyRow } from '../../projects/service.ts'
import type { RegisteredCompany } from '../../../providers/register/register.ts'
import { companyEnded, otherAddress, otherName } from './reasons.ts'

/** null: everything matches. `unknown_address`: the register shields it, so a person compares. */
export type Comparison = { reason: string | null } | 'unknown_address'

const legalForms =
  /\b(?:b ?v|n ?v|v ?o ?f|c ?v|u ?a|besloten vennootschap|naamloze vennootschap|vennootschap onder firma|eenmanszaak)\b/g

export function compareCompany(
  { company_name, address }: Pick<CompanyRow, 'company_name' | 'address'>,
  { number, names, addresses, ended }: RegisteredCompany,
): Comparison {
  if (ended) {
    return { reason: companyEnded(number) }
  }
  const name = simplify(company_name ?? '')
  if (name === '' || !names.some((one) => simplify(one) === name)) {
    return { reason: otherName(number, company_name) }
  }
  if (addresses.length === 0) return 'unknown_address'
  const here = place(address?.postal_code, address?.house_number)
  const matches = addresses.some((one) => place(one.postal_code, one.house_number) === here)
  if (matches) return { reason: null }
  return { reason: otherAddress(number) }
}

function simplify(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll('&', ' en ')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .replaceAll(legalForms, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

function place(postal_code = '', house_number = ''): string {
  return `${postal_code} ${house_number}`.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}
