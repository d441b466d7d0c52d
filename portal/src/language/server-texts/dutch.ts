/** Texts of the server, which are English, in Dutch. */
import { dutchDetails, dutchSteps } from './dutch-details.ts'
import { dutchErrors } from './dutch-errors.ts'
import { dutchOfAreas } from './dutch-of-areas.ts'

interface Pattern {
  pattern: RegExp
  dutch: string
}

const messages = { ...dutchErrors, ...dutchOfAreas, ...dutchDetails }
const patterns = patternsOf(messages)
const stepPatterns = patternsOf(dutchSteps)

/** A message without a Dutch text stays English, because it says more than none. */
export function messageInDutch(message: string): string {
  return messages[message] ?? fill(patterns, message) ?? message
}

/** Returns null if the step has no Dutch text. */
export function stepInDutch(step: string): string | null {
  return dutchSteps[step] ?? fill(stepPatterns, step)
}

function fill(known: readonly Pattern[], text: string): string | null {
  for (const { pattern, dutch } of known) {
    const parts = pattern.exec(text)?.slice(1)
    if (parts) return dutch.replaceAll('…', () => parts.shift() ?? '')
  }
  return null
}

function patternsOf(table: Readonly<Record<string, string>>): Pattern[] {
  return Object.entries(table)
    .filter(([english]) => english.includes('…'))
    .map(([english, dutch]) => ({
      pattern: new RegExp(`^${english.split('…').map(escapePattern).join('(.+?)')}$`, 's'),
      dutch,
    }))
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
}
