/** The page of the portal for the records of an operation, by its noun. */

const pages: Readonly<Record<string, string>> = {
  activity: '/activity',
  approvals: '/approvals',
  assistant: '/assistant',
  auto_reload: '/billing',
  balance: '/billing',
  call_plan: '/numbers',
  calls: '/calls',
  chat_tokens: '/sites',
  collections: '/data',
  company: '/company',
  connections: '/keys',
  deliveries: '/webhooks',
  documents: '/data',
  go_live: '/go-live',
  invitations: '/team',
  keys: '/keys',
  media: '/media',
  members: '/team',
  numbers: '/numbers',
  projects: '/settings',
  requests: '/requests',
  reviews: '/sites',
  sites: '/sites',
  spending_cap: '/billing',
  team: '/team',
  top_ups: '/billing',
  usage: '/settings',
  verification: '/verification',
  webhooks: '/webhooks',
}

/** Returns a path below the project; null if no page shows such records. */
export function findPage(operation: string): string | null {
  return pages[operation.split('.')[0] ?? ''] ?? null
}
