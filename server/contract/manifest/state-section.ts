/**
 * Declares a section of the MCP tool get_state: an excerpt of the reply of a read operation, under
 * the scope of that operation.
 */
export type JsonRecord = Record<string, unknown>

export interface StateSection {
  /** The field in the reply of get_state. */
  name: string
  /** A few words for the description of the tool. */
  about: string
  /** The name of the operation. Its argument `limit` is set if it has one. */
  operation: string
  /** Further arguments for the operation. */
  given?: JsonRecord
  show(reply: JsonRecord): unknown
}

/** Returns those of the named fields that exist. */
export function pickFields(from: JsonRecord, names: readonly string[]): JsonRecord {
  return Object.fromEntries(names.filter((name) => name in from).map((name) => [name, from[name]]))
}

/**
 * Returns the items of a page and their count, with `more` if another page follows. `show` returns
 * null to omit an item.
 */
export function summarizePage(
  reply: JsonRecord,
  show: (item: JsonRecord) => JsonRecord | null,
): JsonRecord {
  const all = Array.isArray(reply['data']) ? reply['data'].filter(isRecord) : []
  const more = typeof reply['next_cursor'] === 'string'
  const items = all.map(show).filter((item) => item !== null)
  return { count: items.length, ...(more && { more }), items }
}

export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
