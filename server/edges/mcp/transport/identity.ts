/** The server's name and version, and the cache hint of lists. */
export const identity = { name: 'homeport', title: 'Homeport', version: '1.0.0' }

const LISTS_KEPT_MS = 300_000
export const listHint = { ttlMs: LISTS_KEPT_MS, cacheScope: 'private' } as const
