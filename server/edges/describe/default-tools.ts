/**
 * The operations that tools/list shows by default. A model reads every listed tool before its first
 * word, so the list has a fixed size however many areas exist (a test holds it below 8,000 tokens).
 * search_operations and the two tools that run any operation reach the rest; `?toolsets=` lists
 * more. README.md gives the reasons for the choice.
 */
export const defaultOperations: readonly string[] = [
  'status.get',
  'approvals.get',
  'documents.list',
  'documents.create',
  'documents.update',
  'calls.list',
  'calls.get',
  'assistant.get',
  'assistant.put',
  'sites.create',
  'sites.publish',
]

/** Operations that MCP leaves out: search_operations describes the operations instead. */
export const neverTools: ReadonlySet<string> = new Set(['openapi.get'])
