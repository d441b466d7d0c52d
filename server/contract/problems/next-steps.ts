/**
 * Next steps worded for the entry point of a request. A next step names operations by their REST
 * routes, and each entry point replaces them by its own names. A step with other differences, such
 * as a header that is an argument in MCP, has a separate text.
 */

export type EntryPoint = 'rest' | 'mcp' | 'portal'

export type NextStep = string | Readonly<{ rest: string; mcp: string; portal?: string }>

/** Joins several next steps. */
export function joinSteps(steps: readonly NextStep[]): NextStep {
  const at = (entry_point: EntryPoint) => steps.map((step) => textAt(entry_point, step)).join(' ')
  return { rest: at('rest'), mcp: at('mcp'), portal: at('portal') }
}

/** The style in which an entry point names operations. */
export interface Phrasing {
  readonly entry_point: EntryPoint
  /** Replaces REST routes in a text by the entry point's names of the operations. */
  rename(text: string): string
  /** Like `rename`, and explains how to run the named operations if that is not obvious. */
  rephrase(text: string): string
}

export const restPhrasing: Phrasing = {
  entry_point: 'rest',
  rename: (text) => text,
  rephrase: (text) => text,
}

/** Routes in a sentence, without a following full stop. */
export const routesInText = /\b(?:GET|POST|PUT|PATCH|DELETE) \/[\w\-/{}.]*[\w}]/g

/**
 * Returns the text of a next step for an entry point. `{wait}` becomes the time to wait before a
 * retry; `retry_after_s` null means unknown.
 */
export function writeNextStep(
  phrasing: Phrasing,
  step: NextStep,
  retry_after_s: number | null = null,
): string {
  return phrasing
    .rephrase(textAt(phrasing.entry_point, step))
    .replaceAll('{wait}', waitAt(phrasing, retry_after_s))
}

function textAt(entry_point: EntryPoint, step: NextStep): string {
  return typeof step === 'string' ? step : (step[entry_point] ?? step.rest)
}

function waitAt({ entry_point }: Phrasing, retry_after_s: number | null): string {
  const seconds = retry_after_s === 1 ? '1 second' : `${retry_after_s} seconds`
  if (entry_point === 'mcp') return retry_after_s === null ? 'a few seconds' : seconds
  if (retry_after_s === null) return 'the number of seconds in the Retry-After header'
  return `${seconds} (the Retry-After header)`
}
