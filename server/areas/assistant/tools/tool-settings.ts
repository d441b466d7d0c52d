/** What the owner allows the assistant to read and write in conversations. */

export interface Lookup {
  collection_id: string
  collection: string
  /** The top-level fields that may be read. */
  fields: string[]
  /** Fields whose exact values a visitor must give; empty: records are searched by words. */
  match: string[]
}

export interface ToolSettings {
  lookups: Lookup[]
  /** The collection to which messages are also written; null: none. */
  messages: { collection_id: string; collection: string } | null
}

export const noTools: ToolSettings = { lookups: [], messages: null }
