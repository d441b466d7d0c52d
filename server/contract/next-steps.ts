/**
 * Next steps in the words of the door that a request came through. A next step names operations by
 * their REST routes, which each door replaces by its own names. Where more differs than the names,
 * such as a header that MCP has as an argument, the step has its own text for that door.
 */

export type DoorName = 'rest' | 'mcp' | 'portal'

export type NextStep = string | Readonly<{ rest: string; mcp: string; portal?: string }>

/** Several next steps as one. */
export function joinSteps(steps: readonly NextStep[]): NextStep {
  const at = (door: DoorName) => steps.map((step) => textAt(door, step)).join(' ')
  return { rest: at('rest'), mcp: at('mcp'), portal: at('portal') }
}

/** How a door names operations. */
export interface Phrasing {
  readonly door: DoorName
  /** Replaces the REST routes in a text by the names that the operations have at this door. */
  rename(text: string): string
  /** Does the same and adds how to run what it names, where the names alone do not say it. */
  rephrase(text: string): string
}

export const restPhrasing: Phrasing = {
  door: 'rest',
  rename: (text) => text,
  rephrase: (text) => text,
}

/** Routes in a sentence, without the full stop that may follow one. */
export const routesInText = /\b(?:GET|POST|PUT|PATCH|DELETE) \/[\w\-/{}.]*[\w}]/g

/**
 * The text of a next step at a door. `{wait}` in it becomes the time after which to retry;
 * `retry_after_s` is null where it is not known.
 */
export function nextStepAt(
  phrasing: Phrasing,
  step: NextStep,
  retry_after_s: number | null = null,
): string {
  return phrasing
    .rephrase(textAt(phrasing.door, step))
    .replaceAll('{wait}', waitAt(phrasing, retry_after_s))
}

function textAt(door: DoorName, step: NextStep): string {
  return typeof step === 'string' ? step : (step[door] ?? step.rest)
}

function waitAt({ door }: Phrasing, retry_after_s: number | null): string {
  const seconds = retry_after_s === 1 ? '1 second' : `${retry_after_s} seconds`
  if (door === 'mcp') return retry_after_s === null ? 'a few seconds' : seconds
  if (retry_after_s === null) return 'the number of seconds in the Retry-After header'
  return `${seconds} (the Retry-After header)`
}
