/**
 * Limits of the specification for areas that this server does not have. An area that is added takes
 * over its entries.
 */
import type { LimitEntry } from '../entries/limit-entry.ts'

export const laterLimits = {} as const satisfies Record<string, LimitEntry>
