/** The emergency number of the country that a phone number belongs to. */

/** By calling code, where callers have to dial another number than 112. */
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

/** 112 works in all of Europe, the United Kingdom included, and in most other countries. */
const EVERYWHERE_ELSE = '112'

export function emergencyNumber(e164: string): string {
  return byCallingCode.find(([prefix]) => e164.startsWith(prefix))?.[1] ?? EVERYWHERE_ELSE
}
