/** The address of the page of a payment link, with its QR code. */
import type { Runtime } from '../../../kernel/runtime.ts'
import { createToken, readToken } from '../orders/page-token.ts'
import type { OrderKey } from '../orders/order-store.ts'

const PURPOSE = 'payment-link'

export const LINK_PATH = '/pay/link'

export function createLinkUrl(runtime: Runtime, key: OrderKey): string {
  return `${runtime.config.public_url}${LINK_PATH}/${createToken(runtime.seal, PURPOSE, key)}`
}

/** Null if the token was not issued by this server. */
export function readLinkToken({ seal }: Runtime, token: string): OrderKey | null {
  return readToken(seal, PURPOSE, token)
}
