import type { ListedEmail } from './queries.ts'

/** When it was or will be sent; of a canceled email, when it was written. */
export function momentOf({
  status,
  scheduled_at,
  created_at,
}: Pick<ListedEmail, 'status' | 'scheduled_at' | 'created_at'>): string {
  return (status === 'canceled' ? null : scheduled_at) ?? created_at
}
