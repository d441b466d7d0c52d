/** The address of the page on which a customer sees and cancels a subscription. */
import type { Runtime } from '../../../kernel/runtime.ts'
import type { OrderKey } from '../orders/order-store.ts'
import { createToken, readToken } from '../orders/page-token.ts'

const PURPOSE = 'subscription-page'

export const SUBSCRIPTION_PATH = '/pay/subscription'

export function createSubscriptionUrl({ config, seal }: Runtime, key: OrderKey): string {
  return `${config.public_url}${SUBSCRIPTION_PATH}/${createToken(seal, PURPOSE, key)}`
}

/** Null if the token was not issued by this server. */
export function readSubscriptionToken({ seal }: Runtime, token: string): OrderKey | null {
  return readToken(seal, PURPOSE, token)
}
