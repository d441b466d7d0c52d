/**
 * Decides to which phone numbers a call may be forwarded. Forwarding is the usual source of
 * telephone fraud and can loop, so costly, looping or dangerous targets are refused when the plan
 * is saved, not during a call.
 */
import { callingCodes, parsePhoneNumber } from '../../kernel/values/phone-numbers.ts'

/** The facts about the plan's number that the rules need. */
export interface NumberFacts {
  id: string
  e164: string
  type: 'national' | 'geographic'
  test: boolean
}

export interface TargetRules {
  number: NumberFacts
  /** Every number of the project, with or without `number` itself. */
  own_numbers: readonly string[]
}

const shortPattern = /^[0-9]{2,6}$/

// Inmarsat, and the global satellite, network and premium-rate codes: expensive everywhere.
const satellitePattern = /^\+(870|88[123]|979)/

/** Ofcom's fictional range, which test numbers come from. It has no real lines. */
const testRangePattern = /^\+447700900[0-9]{3}$/

// Other fictional ranges, which libphonenumber accepts as ordinary numbers.
const fictionPattern = /^\+(442079460[0-9]{3}|448081570[0-9]{3})$/

const emergencyNumbers = (
  '000 100 101 102 103 104 106 108 110 111 112 113 114 115 117 118 119 120 122 123 127 128 129 ' +
  '131 132 133 140 144 150 155 158 160 166 190 191 192 193 194 195 197 198 199 911 912 933 991 ' +
  '993 994 995 997 998 999 1122'
).split(' ')

/** Returns the digits of a phone number in any grouping. */
function compact(written: string): string {
  return written.replaceAll(/[\s().\-/]/g, '')
}

/**
 * Whether a text is an emergency number, in any spelling, or a short number without a country. Such
 * targets are refused as targets, not as malformed E.164, because no other spelling would be
 * accepted.
 */
export function isShortNumber(written: string): boolean {
  return isEmergencyNumber(written) || shortPattern.test(compact(written))
}

function isEmergencyNumber(written: string): boolean {
  const digits = compact(written).replace(/^\+/, '')
  return emergencyNumbers.some((number) => {
    const code = digits.slice(0, -number.length)
    return digits.endsWith(number) && (code === '' || callingCodes().has(code))
  })
}

/** Returns the E.164 form of a valid number in another spelling; otherwise null. */
export function correctSpelling(e164: string): string | null {
  const parsed = parsePhoneNumber(e164)
  return parsed?.isValid() && parsed.number !== e164 ? parsed.number : null
}

/**
 * Returns why calls may not be forwarded to a number, as the end of a sentence that starts with the
 * number; null if they may.
 */
export function describeTargetRefusal(e164: string, rules: TargetRules): string | null {
  if (isEmergencyNumber(e164)) return 'is an emergency number'
  if (isShortNumber(e164)) return 'is a short number'
  if (satellitePattern.test(e164)) return 'is a satellite or international network number'
  const { number, own_numbers } = rules
  if (e164 === number.e164) return 'is the called number itself, which would loop the call'
  if (own_numbers.includes(e164)) {
    return 'is another number of this project, which could loop the call'
  }
  if (testRangePattern.test(e164)) return number.test ? null : fictionReason
  if (fictionPattern.test(e164) && !number.test) return fictionReason
  const parsed = parsePhoneNumber(e164)
  if (!parsed?.isValid()) return 'is not a valid phone number'
  return parsed.getType() === 'PREMIUM_RATE' ? 'is a premium-rate number' : null
}

const fictionReason = 'is a fictional or test number, which no real line answers'
