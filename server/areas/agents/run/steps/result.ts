/** What a step stores: its problem, its cost and its reply. */
import { errorCatalogue } from '../../../../contract/error-catalogue.ts'
import type { Problem } from '../../../../contract/errors.ts'
import { limits } from '../../../../contract/limits.ts'
import { microFromEuro } from '../../../../kernel/values/money.ts'

/** `waits`: a person has to decide, or the run ended meanwhile. */
export type StepResult = 'next' | 'waits'

const DETAIL_CHARACTERS_MAX = 1000

export interface StoredProblem {
  slug: string
  user_message: string
  detail: string
}

/** Converts a Problem to the form that runs and steps store. */
export function problemOf({ slug, detail, extra }: Problem): StoredProblem {
  const faults = (extra.errors ?? []).map(({ path, message }) => `${path} ${message}`)
  const whole = [detail, ...faults].join(' ').slice(0, DETAIL_CHARACTERS_MAX)
  return { slug, user_message: extra.user_message ?? errorCatalogue[slug].user, detail: whole }
}

/** The cost of a step in micro-euro, from `cost_eur` of its reply. */
export function costOf(reply: string): bigint {
  const { cost_eur }: { cost_eur?: unknown } = Object(reply === '' ? null : JSON.parse(reply))
  return typeof cost_eur === 'number' && cost_eur > 0 ? microFromEuro(cost_eur) : 0n
}

/** The arguments or reply to store, as JSON text; null for an empty reply, a marker for a too large one. */
export function outputOf(text: string): string | null {
  if (text === '') return null
  return Buffer.byteLength(text) > limits.agent_output_bytes_max ? '{"too_large":true}' : text
}
