/** How long resolved alerts are kept. */
export const HISTORY_MS = 30 * 86_400_000
