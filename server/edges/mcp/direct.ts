/**
 * The operations that are tools of their own. A model reads every tool before its first word, and
 * all of them together must stay below 8,000 tokens (a test counts), so there are only those that
 * most tasks begin with; every other operation is found by search_operations, and the project
 * itself is in get_state. A name that no area declares is passed over.
 */
export const directOperations: readonly string[] = [
  'status.get',
  // What became of something that waited for a person.
  'approvals.get',
  // A website: look, publish, and put pictures on it.
  'sites.list',
  'sites.create',
  'sites.publish',
  'media.list',
  // What the business keeps, and how it is found again.
  'collections.list',
  'collections.create',
  'documents.list',
  'documents.create',
  // The phone: a number, who answers it, and what was said. A call plan is a language of its own,
  // which alone takes more words than half of these; search_operations shows it to whoever needs it.
  'numbers.list',
  'numbers.order',
  'assistant.get',
  'assistant.put',
  'calls.list',
  'calls.get',
]

/** The interface names the first itself; every other tool but these is named after its operation. */
export const ownNames: ReadonlyMap<string, string> = new Map([
  ['status.get', 'get_status'],
  ['approvals.get', 'get_approval'],
])

/** What is no work for a tool: the description that search_operations takes the place of. */
export const neverTools: ReadonlySet<string> = new Set(['openapi.get'])
