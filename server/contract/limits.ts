/**
 * Every fixed limit that the service promises: code reads `limits.<name>`, the documentation prints
 * `limitTable`. Each area has its own in its `limits.ts`. Limits that a plan decides are in plans.ts.
 */
import { sharedLimits } from './catalogue/shared-limits.ts'
import { laterLimits } from './catalogue/later/later-limits.ts'
import { limitsOfAreas } from './catalogue/limits-of-areas.ts'
import { mergeTables } from './catalogue/merge.ts'

/** Every limit by its name: shared ones first, then by area. */
export const limitTable = mergeTables({
  shared: sharedLimits,
  ...limitsOfAreas,
  later: laterLimits,
})

type LimitTable = typeof limitTable
type LimitName = keyof LimitTable

/** The values alone: `limits.webhook_endpoints_max` is 10. */
export const limits = Object.fromEntries(
  Object.entries(limitTable).map(([name, entry]) => [name, entry.value]),
) as { readonly [Name in LimitName]: LimitTable[Name]['value'] }
