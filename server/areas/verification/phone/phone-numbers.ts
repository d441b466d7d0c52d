/**
 * Phone numbers that codes are sent to: mobile and fixed lines in Europe. Other kinds and countries
 * cost many times more; fraudsters earn from calls to premium numbers of their own.
 */
import { parsePhoneNumber } from '../../../kernel/values/phone-numbers.ts'

const countries = new Set(
  (
    'AT BE BG HR CY CZ DK EE FI FR DE GR HU IS IE IT LV LI LT LU MT NL NO PL PT RO SK SI ES SE ' +
    'GB CH'
  ).split(' '),
)
const kinds: Readonly<Record<'sms' | 'call', readonly string[]>> = {
  sms: ['MOBILE', 'FIXED_LINE_OR_MOBILE'],
  call: ['MOBILE', 'FIXED_LINE_OR_MOBILE', 'FIXED_LINE'],
}
/** Fictional numbers, which simulated carriers accept. */
const testRangePattern = /^\+447700900[0-9]{3}$/

type PhoneReading = { e164: string } | { fault: string }

export function readPhone(
  text: string,
  { channel, production }: { channel: 'sms' | 'call'; production: boolean },
): PhoneReading {
  const number = parsePhoneNumber(text)
  if (!number) {
    return {
      fault: 'This is not a phone number. Write it with its country, such as +31 6 12345678.',
    }
  }
  const { number: e164, country } = number
  if (testRangePattern.test(e164)) {
    return production ? { fault: 'This number is fictional and reaches nobody.' } : { e164 }
  }
  if (!number.isValid()) return { fault: 'This phone number does not exist.' }
  if (country === undefined || !countries.has(country)) {
    return {
      fault:
        'Codes are sent to numbers in the European Union, Great Britain, Iceland, Liechtenstein, Norway and Switzerland only.',
    }
  }
  const type = number.getType() ?? ''
  if (kinds[channel].includes(type)) return { e164 }
  return type === 'FIXED_LINE'
    ? { fault: 'A landline gets no text messages. Choose a call.' }
    : {
        fault:
          'Use an ordinary mobile number or landline: no codes are sent to this kind of number.',
      }
}

/** Hides all digits but the country and the last two. */
export function maskPhone(e164: string): string {
  return `${e164.slice(0, 3)}${'•'.repeat(Math.max(e164.length - 5, 0))}${e164.slice(-2)}`
}
