/** Why the business register does not confirm a company, in English as stored and in Dutch. Pure. */
import type { MailLanguage } from '../../../providers/mail/mail-contract.ts'

export const noCompany =
  'The business register has no company with this number. Check the number on your extract.'

export function companyEnded(number: string): string {
  return `The business register lists ${number} as ended. Enter the number of an active company.`
}

export function otherName(number: string, name: string | null): string {
  return `The business register has another name for ${number} than "${name}". Enter the statutory name or a trade name as registered.`
}

export function otherAddress(number: string): string {
  return `The business register has another address for ${number}. Enter the postal code and house number as registered.`
}

/** Returns the reason as it is if the operator wrote it. */
export function reasonIn(language: MailLanguage, reason: string): string {
  if (language !== 'nl') return reason
  for (const [pattern, write] of dutch) {
    const [, number = '', name = ''] = pattern.exec(reason) ?? []
    if (pattern.test(reason)) return write(number, name)
  }
  return reason
}

const dutch: readonly (readonly [RegExp, (number: string, name: string) => string])[] = [
  [
    /^The business register has no company with this number\. /,
    () =>
      'Het handelsregister kent geen bedrijf met dit nummer. Controleer het nummer op uw uittreksel.',
  ],
  [
    /^The business register lists (\S+) as ended\. /,
    (number) =>
      `Volgens het handelsregister is ${number} beëindigd. Vul het nummer van een actief bedrijf in.`,
  ],
  [
    /^The business register has another name for (\S+) than "(.*)"\. Enter /s,
    (number, name) =>
      `Het handelsregister heeft bij ${number} een andere naam dan "${name}". Vul de statutaire naam of een handelsnaam in zoals geregistreerd.`,
  ],
  [
    /^The business register has another address for (\S+)\. Enter /,
    (number) =>
      `Het handelsregister heeft bij ${number} een ander adres. Vul de postcode en het huisnummer in zoals geregistreerd.`,
  ],
]
