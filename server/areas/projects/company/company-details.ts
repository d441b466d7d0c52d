/**
 * Normalises and validates the body of PUT /project/company beyond its schema, and lists the
 * details that are still missing.
 */
import countries from 'i18n-iso-countries/index.js'
import { parsePhoneNumber } from '../../../kernel/values/phone-numbers.ts'
import { Problem } from '../../../contract/errors.ts'
import { compactVatNumber, isForVies, readVatNumber } from '../../../providers/vat/vat-number.ts'
import type {
  CompanyAddress,
  CompanyInput,
  CompanyContact,
  MissingDetail,
} from './company-schema.ts'

export type AccountType = CompanyInput['account_type']

export interface CompanyDetails {
  company_name: string | null
  kvk_number: string | null
  registration_number: string | null
  /** Compact; for the EU, in the format of VIES. */
  vat_number: string | null
  address: CompanyAddress | null
  contact: CompanyContact | null
  /** undefined means that the saved value stays. */
  registrar_contact_name: string | null | undefined
}

interface Fault {
  path: string
  message: string
}

/** Countries under sanctions, for which the service is not available. */
const notServed = new Set(['RU', 'BY', 'KP', 'IR', 'SY', 'CU'])

/** Ofcom's range for drama use, which test numbers come from. */
const testRangePattern = /^\+447700900[0-9]{3}$/

/** Normalises a body. Throws a Problem with every invalid field. */
export function parseDetails(input: CompanyInput): CompanyDetails {
  const address = input.address ? trimmed(input.address) : null
  const details: CompanyDetails = {
    company_name: input.company_name?.trim() ?? null,
    kvk_number: input.kvk_number ?? null,
    registration_number: input.registration_number?.trim() ?? null,
    vat_number: input.vat_number ?? null,
    address: address && { ...address, country: address.country.toUpperCase() },
    contact: input.contact ? trimmed(input.contact) : null,
    registrar_contact_name: trimmedName(input.registrar_contact_name),
  }
  refuseCountry(details.address)
  const faults = faultsOf(input.account_type, details)
  const [first] = faults
  if (first) {
    const detail = `${first.path} ${first.message}.`
    throw new Problem('validation_failed', detail, { errors: faults })
  }
  return { ...details, vat_number: readVat(details) }
}

function trimmedName(name: string | null | undefined): string | null | undefined {
  return typeof name === 'string' ? name.trim() : name
}

function trimmed<T extends Record<string, string>>(texts: T): T {
  const copy = { ...texts }
  for (const name of Object.keys(copy)) Object.assign(copy, { [name]: copy[name]?.trim() })
  return copy
}

function refuseCountry(address: CompanyAddress | null): void {
  if (!address || !notServed.has(address.country)) return
  const detail = `An address in ${address.country} cannot be served.`
  throw new Problem('country_not_supported', detail)
}

function faultsOf(account_type: AccountType, details: CompanyDetails): Fault[] {
  const { company_name, registration_number, vat_number, registrar_contact_name } = details
  const { address, contact } = details
  const texts: [path: string, text: string | null | undefined][] = [
    ['/company_name', company_name],
    ['/registration_number', registration_number],
    ['/vat_number', vat_number],
    ...entriesOf('/address', address),
    ...entriesOf('/contact', contact),
    ['/registrar_contact_name', registrar_contact_name],
  ]
  return [
    ...texts.flatMap(([path, text]) => textFaults(path, text)),
    ...(address ? countryFaults(address.country) : []),
    ...(contact ? phoneFaults(contact.phone) : []),
    ...registerFaults(account_type, details),
  ]
}

function entriesOf(
  path: string,
  texts: CompanyAddress | CompanyContact | null,
): [string, string][] {
  return Object.entries(texts ?? {}).map(([name, text]) => [`${path}/${name}`, text])
}

function textFaults(path: string, text: string | null | undefined): Fault[] {
  if (typeof text !== 'string') return []
  if (text === '') return [{ path, message: 'must not be blank' }]
  // Format characters can hide or reorder text. Only the two joiners belong to scripts.
  if (/[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/u.test(text)) {
    return [{ path, message: 'must be one line without control characters' }]
  }
  // A VAT number without letters and digits is reported by the VAT check instead.
  if (path === '/vat_number' || /(?!\u3164)[\p{L}\p{N}]/u.test(text)) return []
  return [{ path, message: 'must have a letter or digit' }]
}

function countryFaults(country: string): Fault[] {
  // The package accepts XK for Kosovo, which is not part of ISO 3166-1.
  if (countries.isValid(country) && country !== 'XK') return []
  const message = 'must be a two-letter country code of ISO 3166-1, such as NL'
  return [{ path: '/address/country', message }]
}

function phoneFaults(phone: string): Fault[] {
  const path = '/contact/phone'
  if (testRangePattern.test(phone)) return []
  const parsed = parsePhoneNumber(phone)
  // `isPossible` instead of `isValid`, because assigned ranges change faster than any list of them.
  if (!parsed?.isPossible()) return [{ path, message: 'is not a phone number that can exist' }]
  return parsed.number === phone ? [] : [{ path, message: `should be written as ${parsed.number}` }]
}

/** The country decides which register applies; an unknown country allows either number. */
function registerFaults(account_type: AccountType, details: CompanyDetails): Fault[] {
  const { address, kvk_number, registration_number } = details
  if (account_type === 'personal') return []
  if (address === null) {
    if (kvk_number === null || registration_number === null) return []
    const message = 'is for other countries than kvk_number; send one of them'
    return [{ path: '/registration_number', message }]
  }
  const { country } = address
  if (country === 'NL' && registration_number !== null) {
    const message = 'is for other countries; a business in the Netherlands sends kvk_number'
    return [{ path: '/registration_number', message }]
  }
  if (country !== 'NL' && kvk_number !== null) {
    const message = `is for the Netherlands; a business in ${country} sends registration_number`
    return [{ path: '/kvk_number', message }]
  }
  return []
}

/**
 * Normalises a VAT number. Throws a Problem for a number that VIES could not know, without asking
 * VIES.
 */
function readVat({ vat_number, address }: CompanyDetails): string | null {
  if (vat_number === null) return null
  if (!isForVies(vat_number, address?.country ?? null)) return compactVatNumber(vat_number)
  const read = readVatNumber(vat_number)
  if (read === null) {
    const detail =
      'vat_number does not look like one of the EU: the letters of the country come first, then ' +
      'what its tax office gave out.'
    throw new Problem('vat_number_invalid', detail)
  }
  return read
}

/**
 * Returns the details that are required before ordering a number (specification: PUT
 * /project/company).
 */
export function listMissingDetails(
  account_type: AccountType,
  details: Omit<CompanyDetails, 'registrar_contact_name'>,
): MissingDetail[] {
  const { company_name, kvk_number, registration_number, address, contact } = details
  const is_business = account_type === 'business'
  const no_register_number = kvk_number === null && registration_number === null
  const register = address?.country === 'NL' ? 'kvk_number' : 'registration_number'
  const needs: [missing: boolean, name: MissingDetail][] = [
    [is_business && company_name === null, 'company_name'],
    [is_business && no_register_number, register],
    [address === null, 'address'],
    [contact === null, 'contact'],
  ]
  return needs.filter(([missing]) => missing).map(([, name]) => name)
}
