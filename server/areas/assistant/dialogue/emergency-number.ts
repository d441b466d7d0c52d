/**
 * Finds the number for a caller in danger: the one that the owner gave for such a danger, or the
 * emergency number of the called number's country.
 */
import type { Language } from '../../../providers/model/language/language.ts'
import { detectLanguage, isDirective } from '../../../providers/model/language/words.ts'
import { analyse } from '../../../providers/model/understanding/analysis.ts'
import { splitSentences } from '../knowledge/passages.ts'

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

function findEmergencyNumber(e164: string): string {
  return byCallingCode.find(([prefix]) => e164.startsWith(prefix))?.[1] ?? EVERYWHERE_ELSE
}

export interface EmergencyAdvice {
  number: string
  /** The owner's sentence for this danger, if it may be said in the caller's language. */
  sentence: string | null
}

/** Short numbers such as 112, and numbers of an emergency service such as 0800 9009. */
const emergencyNumber = /(?<![\d.,€£$])(?:112|999|911|000|111|119|11[0578])(?![\d.,])/
const serviceNumber = /(?<!\d)\+?0[\d ()-]{5,16}\d/

interface Danger {
  said: string
  language: Language
  called: string
  instructions: string
}

/** A sentence about gas counts for a caller who speaks of gas only. */
export function findEmergencyAdvice({
  said,
  language,
  called,
  instructions,
}: Danger): EmergencyAdvice {
  const sentences = splitSentences(instructions)
  if (aboutGas(said, language)) {
    const own = sentences.find((one) => aboutGas(one, detectLanguage(one) ?? language))
    const number = own && (serviceNumber.exec(own) ?? emergencyNumber.exec(own))?.[0]
    if (own !== undefined && number !== undefined) {
      const is_sayable = !isDirective(own) && detectLanguage(own) === language
      return { number: number.trim(), sentence: is_sayable ? own : null }
    }
  }
  const numbers = sentences.flatMap((one) => emergencyNumber.exec(one)?.[0] ?? [])
  return { number: numbers[0] ?? findEmergencyNumber(called), sentence: null }
}

function aboutGas(text: string, language: Language): boolean {
  return analyse(text, language).some(({ keys }) => keys.get('#gas') === 1)
}
