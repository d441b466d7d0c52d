/** Who we say we are, and for how long a list may be kept by whoever got it. */
export const identity = { name: 'homeport', title: 'Homeport', version: '1.0.0' }

const LISTS_KEPT_MS = 300_000
export const listHint = { ttlMs: LISTS_KEPT_MS, cacheScope: 'private' } as const
