/**
 * VIES for development and tests. Numbers with a valid check digit are valid.
 *
 * | Number | Reply |
 * |---|---|
 * | ends in 9999, or for the Netherlands before the B (NL123459999B01) | none |
 * | only zeros, such as NL000000000B00 | invalid |
 * | valid check digit | valid |
 * | anything else | invalid |
 */
import type { Validator } from 'stdnum'
import type { SimulatedReply, Simulator } from './simulator.ts'
import { readVatNumber, viesPrefixes } from '../../../providers/vat/vat-number.ts'

const silentPattern = /9999$|^NL.*9999B\d\d$/

export const viesSimulator: Simulator = {
  name: 'vies',
  async answer({ clock }, { method, path, body }) {
    if (path !== '/check-vat-number') return { status: 404, json: { error: 'Not Found' } }
    if (method !== 'POST') return { status: 405, json: { error: 'Method Not Allowed' } }
    const asked = readQuestion(body)
    if (asked === null) return failure('INVALID_INPUT')
    const { countryCode, vatNumber } = asked
    if (silentPattern.test(countryCode + vatNumber)) return 'silence'
    const valid = await isKnown(countryCode, vatNumber)
    return {
      status: 200,
      json: {
        countryCode,
        vatNumber,
        requestDate: clock.now().toISOString(),
        valid,
        requestIdentifier: '',
        name: valid ? 'Simulated trader' : '---',
        address: '---',
        ...notMatched,
      },
    }
  },
}

const notMatched = Object.fromEntries(
  ['Name', 'Street', 'PostalCode', 'City', 'CompanyType'].flatMap((part) => [
    [`trader${part}`, '---'],
    [`trader${part}Match`, 'NOT_PROCESSED'],
  ]),
)

/** VIES reports failures with status 200. */
function failure(error: string): SimulatedReply {
  return { status: 200, json: { actionSucceed: false, errorWrappers: [{ error }] } }
}

function readQuestion(body: string): { countryCode: string; vatNumber: string } | null {
  try {
    const { countryCode, vatNumber } = JSON.parse(body)
    const known = typeof countryCode === 'string' && viesPrefixes.includes(countryCode)
    return known && typeof vatNumber === 'string' && vatNumber !== ''
      ? { countryCode, vatNumber }
      : null
  } catch {
    return null
  }
}

async function isKnown(prefix: string, number: string): Promise<boolean> {
  if (readVatNumber(prefix + number) === null || !/[1-9]/.test(number)) return false
  const validators = await validatorsOf(prefix)
  return validators.some((validator) => validator.validate(number).isValid)
}

/** Imported on demand, because the check-digit rules are large. */
async function validatorsOf(prefix: string): Promise<readonly Validator[]> {
  const { euVat, stdnum } = await import('stdnum')
  // Northern Ireland uses the format of the United Kingdom.
  const british = prefix === 'XI' ? stdnum['GB']?.['vat'] : undefined
  if (british) return [british]
  return euVat[prefix === 'EL' ? 'GR' : prefix] ?? []
}
