/** Callbacks of Stripe: `Stripe-Signature` is `t=<seconds>,v1=<HMAC-SHA256 of "t.body">`. */
import { createHmac } from 'node:crypto'
import { Type } from 'typebox'
import { schemaChecks } from '../../kernel/values/typebox.ts'
import { sameText } from '../../kernel/secrets/crypto.ts'

const TOLERANCE_S = 300

const Event = Type.Object({
  data: Type.Object({
    object: Type.Object({
      id: Type.String(),
      payment_intent: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    }),
  }),
})

export interface SignedCallback {
  body: string
  signature: string
  secret: string
  now_ms: number
}

/** The session or payment that the callback is about, or `other`; null if it is not signed. */
export function readStripeCallback(callback: SignedCallback): string | null {
  if (!isSigned(callback)) return null
  const event: unknown = JSON.parse(callback.body)
  if (!schemaChecks().Check(Event, event)) return 'other'
  const { id, payment_intent } = event.data.object
  const name = /^(?:cs|pi)_/.test(id) ? id : (payment_intent ?? '')
  return /^(?:cs|pi)_\w{1,200}$/.test(name) ? name : 'other'
}

function isSigned({ body, signature, secret, now_ms }: SignedCallback): boolean {
  const parts = signature.split(',').map((part) => part.split('='))
  const time = parts.find(([name]) => name === 't')?.[1] ?? ''
  const age_s = Math.abs(now_ms / 1000 - Number(time))
  if (!/^\d{1,12}$/.test(time) || age_s > TOLERANCE_S) return false
  const expected = signStripeCallback({ body, secret, time })
  return parts.some(([name, value = '']) => name === 'v1' && sameText(value, expected))
}

export function signStripeCallback(given: { body: string; secret: string; time: string }): string {
  return createHmac('sha256', given.secret).update(`${given.time}.${given.body}`).digest('hex')
}
