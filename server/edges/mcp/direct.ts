/**
 * The operations that are tools of their own. A model reads every tool before its first word, so
 * there are only those that most tasks begin with; every other operation is found by
 * search_operations. A name that no area declares is passed over.
 */
export const directOperations: readonly string[] = [
  // Where am I, and is everything up?
  'status.get',
  'project.get',
  'balance.get',
  // A website: look, upload what is large, publish.
  'sites.list',
  'sites.create',
  'sites.publish',
  'media.list',
  // What the business keeps, and how it is found again.
  'collections.list',
  'collections.create',
  'documents.list',
  'documents.query',
  'documents.create',
  'documents.update',
  // The phone: a number, what happens when it rings, who answers, and what was said.
  'numbers.list',
  'numbers.order',
  'numbers.put_call_plan',
  'assistant.get',
  'assistant.put',
  'calls.list',
  'calls.get',
  'calls.simulate',
]

/** The interface names this tool itself; every other one is named after its operation. */
export const ownNames: ReadonlyMap<string, string> = new Map([['status.get', 'get_status']])

/** What is no work for a tool: the description that search_operations takes the place of. */
export const neverTools: ReadonlySet<string> = new Set(['openapi.get'])
