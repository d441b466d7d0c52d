/**
 * Texts of the server in the language of the person, and in words of an owner. Those in Dutch load with
 * that language only.
 */
import type * as Dutch from './dutch.ts'
import { lookupIn } from './patterns.ts'
import { dutchSteps, plainSteps } from './people-steps.ts'
import { plainEnglish } from './plain-english.ts'

type Language = 'en' | 'nl'

let dutch: typeof Dutch | null = null
const plainMessage = lookupIn(plainEnglish)
const plainStep = lookupIn(plainSteps)
const dutchStep = lookupIn(dutchSteps)

/** Loads the texts of a language. Until they are loaded, and if they cannot be, they are English. */
export async function loadServerTexts(language: Language): Promise<void> {
  if (language === 'nl') dutch ??= await import('./dutch.ts').catch(() => null)
}

export function translateMessage(message: string, language: Language): string {
  return language === 'nl' && dutch
    ? dutch.messageInDutch(message)
    : (plainMessage(message) ?? message)
}

/** Returns null for a step that is an instruction for programs. */
export function translateStep(step: string | null, language: Language): string | null {
  if (step === null) return null
  const inDutch = dutchStep(step)
  if (inDutch === null || language === 'nl') return inDutch
  return plainStep(step) ?? step
}
