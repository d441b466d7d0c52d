/** The address of the checkout page of an order. */
import type { Runtime } from '../../../kernel/runtime.ts'
import type { OrderKey } from './order-store.ts'
import { createToken, readToken } from './page-token.ts'

const PURPOSE = 'checkout-page'

export const CHECKOUT_PATH = '/pay'
/** Below the page of an order, and below that of a payment link. */
export const QR_FILE = 'qr.svg'

export function createCheckoutUrl(runtime: Runtime, key: OrderKey): string {
  return `${runtime.config.public_url}${CHECKOUT_PATH}/${createToken(runtime.seal, PURPOSE, key)}`
}

/** Null if the token was not issued by this server. */
export function readCheckoutToken({ seal }: Runtime, token: string): OrderKey | null {
  return readToken(seal, PURPOSE, token)
}
