/** Describes the use of a tool for the transcript of a call. */
import type { ToolRecord } from './run-tools.ts'

/**
 * Returns null for tools whose effect the reply mentions itself. The name of a refused tool is
 * omitted, because an attacker may have chosen it.
 */
export function describeUse({ name, subject, outcome, count }: ToolRecord): string | null {
  if (outcome === 'refused') return 'The assistant was refused a tool.'
  if (outcome === 'limit') return `The assistant reached the limit of ${name}.`
  if (name === 'identify')
    return `The assistant found no record of ${subject} for the given values.`
  if (name === 'look_up') return `The assistant looked up ${subject}: ${count} found.`
  if (name === 'check_hours') return `The assistant checked the opening hours of ${subject}.`
  return null
}
