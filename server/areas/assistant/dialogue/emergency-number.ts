/** Finds the emergency number of a phone number's country. */

/** Countries whose emergency number is not 112, by calling code. */
const byCallingCode: readonly (readonly [prefix: string, number: string])[] = [
  ['+1', '911'],
  ['+52', '911'],
  ['+54', '911'],
  ['+60', '999'],
  ['+61', '000'],
  ['+64', '111'],
  ['+81', '119'],
  ['+82', '119'],
  ['+86', '120'],
  ['+852', '999'],
]

/** 112 works in all of Europe including the United Kingdom, and in most other countries. */
const EVERYWHERE_ELSE = '112'

export function findEmergencyNumber(e164: string): string {
  return byCallingCode.find(([prefix]) => e164.startsWith(prefix))?.[1] ?? EVERYWHERE_ELSE
}
