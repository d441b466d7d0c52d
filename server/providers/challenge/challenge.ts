/**
 * Human verification by an external provider (Turnstile or hCaptcha), which have the same
 * interface: the server sends the visitor's result with a secret, and gets whether it is valid.
 * ALTCHA needs no provider (kernel/challenge.ts).
 */
import { Type } from 'typebox'
import { schemaChecks } from '../../kernel/values/typebox.ts'
import type { Config } from '../../kernel/config/config-types.ts'
import type { Outbound } from '../../kernel/outbound/outbound.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { openProviderOutbound } from '../provider-outbound.ts'

type External = 'turnstile' | 'hcaptcha'

const addresses: Readonly<Record<External, string>> = {
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
  hcaptcha: 'https://api.hcaptcha.com/siteverify',
}

const Verdict = Type.Object({
  success: Type.Boolean(),
  hostname: Type.Optional(Type.String()),
})

const opened = new WeakMap<Config, Outbound>()

/** The kinds that public tokens can have: ALTCHA, and the provider of the operator. */
export function listChallenges({ challenge }: Config): string[] {
  return [...new Set(['altcha', challenge.provider])]
}

/** The public key for the widget; null for ALTCHA. */
export function challengeSiteKey({ challenge }: Config, kind: string): string | null {
  return kind === 'altcha' ? null : challenge.account
}

export interface HumanCheck {
  kind: External
  /** The result that the widget of the provider gave to the page. */
  result: string
  /** Host of the page, which must be that of the verification. */
  hostname: string
}

export type HumanVerdict = 'confirmed' | 'refused' | 'unreachable'

/** Whether the provider confirms the result; unreachable if it does not answer as documented. */
export async function verifyHuman(
  { config, log }: Runtime,
  { kind, result, hostname }: HumanCheck,
): Promise<HumanVerdict> {
  const { provider, key, url, timeout_ms } = config.challenge
  if (provider !== kind) return 'refused'
  const outbound = opened.get(config) ?? openProviderOutbound(config, url !== '')
  opened.set(config, outbound)
  try {
    const answer = await outbound.request({
      url: url || addresses[kind],
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ secret: key, response: result }).toString(),
      deadline_ms: timeout_ms,
    })
    const verdict: unknown = JSON.parse(Buffer.from(answer.body).toString('utf8'))
    if (!schemaChecks().Check(Verdict, verdict))
      throw new Error('The reply is not that of siteverify.')
    const is_here = verdict.hostname === undefined || verdict.hostname === hostname
    return verdict.success && is_here ? 'confirmed' : 'refused'
  } catch (error) {
    log.warn({ err: error }, 'the human verification could not be checked')
    return 'unreachable'
  }
}
