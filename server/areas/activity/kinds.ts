/** The kinds of records whose changes are streamed to pages. */

export const recordKinds = [
  'activity',
  'agents',
  'approvals',
  'apps',
  'assistant',
  'balance',
  'calls',
  'chat_tokens',
  'collections',
  'company',
  'connections',
  'conversations',
  'deliveries',
  'go_live',
  'invitations',
  'keys',
  'knowledge_sources',
  'media',
  'members',
  'messages',
  'numbers',
  'orders',
  'plan',
  'projects',
  'requests',
  'sites',
  'webhooks',
] as const

export type RecordKind = (typeof recordKinds)[number]

/** The kind of records that an operation on this noun changes; null if no page follows it. */
export function kindOf(resource_type: string): RecordKind | null {
  if (['auto_reload', 'spending_cap', 'top_ups'].includes(resource_type)) return 'balance'
  return recordKinds.find((kind) => kind === resource_type) ?? null
}
