/** The fields of the company form, all as texts, and their conversion to and from the API. */
import { phoneIn } from '../../language/phones.ts'
import type { Company, CompanyInput } from './queries.ts'

export interface CompanyFields {
  account_type: Company['account_type']
  company_name: string
  /** The number in the business register, of any country. */
  register_number: string
  vat_number: string
  street: string
  house_number: string
  postal_code: string
  city: string
  country: string
  name: string
  phone: string
  registrar_contact_name: string
}

function text(value: string | null | undefined): string {
  return value?.trim() ?? ''
}

export function companyFields(company: Company): CompanyFields {
  const { account_type, address, contact } = company
  return {
    account_type,
    company_name: text(company.company_name),
    register_number: text(company.kvk_number ?? company.registration_number),
    vat_number: text(company.vat_number),
    street: text(address?.street),
    house_number: text(address?.house_number),
    postal_code: text(address?.postal_code),
    city: text(address?.city),
    country: text(address?.country),
    name: text(contact?.name),
    phone: text(contact?.phone),
    registrar_contact_name: text(company.registrar_contact_name),
  }
}

/**
 * Returns the body of the request. Empty texts become null. The API has a separate field for the
 * register number of a Dutch company.
 */
export function companyBody(fields: CompanyFields): CompanyInput {
  const country = text(fields.country).toUpperCase()
  const register_number = text(fields.register_number) || null
  const isDutch = country === 'NL' || country === ''
  const address = {
    street: text(fields.street),
    house_number: text(fields.house_number),
    postal_code: text(fields.postal_code),
    city: text(fields.city),
    country,
  }
  const contact = { name: text(fields.name), phone: phoneIn(fields.phone, country || null) }
  return {
    account_type: fields.account_type,
    company_name: text(fields.company_name) || null,
    kvk_number: isDutch ? register_number : null,
    registration_number: isDutch ? null : register_number,
    vat_number: text(fields.vat_number) || null,
    address: isEmpty(address) ? null : address,
    contact: isEmpty(contact) ? null : contact,
    registrar_contact_name: text(fields.registrar_contact_name) || null,
  }
}

function isEmpty(part: object): boolean {
  return Object.values(part).every((value) => value === '')
}

/** Maps each path of the API to its field in the form. */
export const pathsOf: Readonly<Record<string, keyof CompanyFields>> = {
  '/company_name': 'company_name',
  '/kvk_number': 'register_number',
  '/registration_number': 'register_number',
  '/vat_number': 'vat_number',
  '/address/street': 'street',
  '/address/house_number': 'house_number',
  '/address/postal_code': 'postal_code',
  '/address/city': 'city',
  '/address/country': 'country',
  '/contact/name': 'name',
  '/contact/phone': 'phone',
  '/registrar_contact_name': 'registrar_contact_name',
}
