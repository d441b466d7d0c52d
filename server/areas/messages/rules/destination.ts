/** Which numbers text messages are sent to: mobile phones in the allowed countries. */
import { parsePhoneNumber } from '../../../kernel/values/phone-numbers.ts'

/** Fictional numbers: test mode accepts the first range, and nothing is ever sent to the others. */
const testRange = /^\+447700900\d{3}$/
const fictional = /^\+44(?:7700900\d{3}|2079460\d{3}|8081570\d{3}|1632960\d{3}|3069990\d{3})$/
/** Dutch machine-to-machine numbers, which libphonenumber classifies as mobile. */
const machines = /^\+3197/
const sanctioned: readonly string[] = ['RU', 'BY', 'KP', 'IR', 'SY', 'CU']

export interface DestinationRules {
  countries: readonly string[]
  test: boolean
}

/** The reason why nothing is sent to a number, as the end of a sentence; null if it is allowed. */
export function findDestinationFault(e164: string, rules: DestinationRules): string | null {
  if (testRange.test(e164)) {
    return rules.test ? null : 'is a fictional number for test mode'
  }
  if (fictional.test(e164)) return 'is a fictional number'
  const number = parsePhoneNumber(e164)
  if (!number?.isValid() || number.country === undefined) return 'is not an existing number'
  const { country } = number
  if (sanctioned.includes(country) || !rules.countries.includes(country)) {
    return `is in ${country}, where this server sends no text messages`
  }
  if (machines.test(e164)) return 'belongs to a machine, not to a person'
  const type = number.getType()
  const is_mobile =
    type === 'MOBILE' || (type === 'FIXED_LINE_OR_MOBILE' && number.countryCallingCode === '1')
  return is_mobile ? null : 'is not the number of a mobile phone'
}
