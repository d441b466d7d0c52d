/** Says that nothing real happens although the key is live, because the rail of the project is in test. */
import { mayBeReal, type Caller, type Rail } from '../../../contract/caller.ts'
import type { Operation } from '../../../contract/operation.ts'

const rails: Readonly<Record<string, Rail>> = {
  'calls.place': 'outbound',
  'messages.send': 'sms',
  'emails.create': 'email',
  'emails.create_batch': 'email',
  'orders.create': 'payments',
  'payment_links.create': 'payments',
  'payment_subscriptions.create': 'payments',
}

/** Returns a sentence for the person and the model; null if it is real, or a test key says so already. */
export function describeTestRail({ name }: Operation, caller: Caller): string | null {
  const rail = rails[name]
  if (rail === undefined || caller.mode !== 'live' || mayBeReal(caller, rail)) return null
  return (
    `Nothing real happens and nothing is paid: the rail ${rail} of this project is in test. The owner ` +
    'goes live in the portal, under Go live.'
  )
}
