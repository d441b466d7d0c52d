/** Opens the account of a project for a request to its provider. */
import type { Runtime } from '../../../kernel/runtime.ts'
import { builtinCheckout } from '../../../providers/checkout/builtin-checkout.ts'
import { externalCheckout } from '../../../providers/checkout/checkouts.ts'
import type {
  Checkout,
  CheckoutAccount,
  CheckoutProvider,
} from '../../../providers/checkout/checkout-contract.ts'
import * as store from './account-store.ts'

export const KEY_PURPOSE = 'payment-account-key'
export const CALLBACK_PURPOSE = 'payment-account-callback'

/** Null for the built-in provider. */
export function unsealAccount({ seal }: Runtime, row: store.AccountRow): CheckoutAccount | null {
  const { provider, sealed_key, id, project_id } = row
  if (provider === 'builtin' || sealed_key === null) return null
  return { id, project_id, provider, key: seal.open(sealed_key, KEY_PURPOSE) }
}

/** The account at the provider of an order; null if it was disconnected. */
export async function openCheckout(
  runtime: Runtime,
  { project_id, provider }: { project_id: string; provider: CheckoutProvider },
): Promise<Checkout | null> {
  if (provider === 'builtin') return builtinCheckout(runtime)
  const row = await store.find(runtime.db, { project_id, test: false })
  const account = row?.provider === provider ? unsealAccount(runtime, row) : null
  return account && externalCheckout(runtime, account)
}
