/** Texts of the server in the language of the person. Those in Dutch load with that language only. */
import type * as Dutch from './dutch.ts'

type Language = 'en' | 'nl'

let dutch: typeof Dutch | null = null

/** Instructions for programs, which people cannot follow. */
const routePattern = /\b(?:GET|POST|PUT|PATCH|DELETE) \//

/** Loads the texts of a language. Until they are loaded, and if they cannot be, they are English. */
export async function loadServerTexts(language: Language): Promise<void> {
  if (language === 'nl') dutch ??= await import('./dutch.ts').catch(() => null)
}

export function translateMessage(message: string, language: Language): string {
  return language === 'nl' && dutch ? dutch.messageInDutch(message) : message
}

/** Returns null if the step is one of programs, or has no text in the language. */
export function translateStep(step: string | null, language: Language): string | null {
  if (step === null || routePattern.test(step)) return null
  return language === 'nl' && dutch ? dutch.stepInDutch(step) : step
}
