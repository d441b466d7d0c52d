/**
 * The `siteverify` of Turnstile and hCaptcha for development and tests. A result names the host of
 * the page on which it was made: `ok.<host>.<any text>`.
 *
 * | Result | Reply |
 * |---|---|
 * | `ok.<host>.<text>` | valid once |
 * | `silent.<text>` | none |
 * | `broken.<text>` | status 500 |
 * | anything else | invalid |
 *
 * The secret is that of HOMEPORT_CHALLENGE_SECRET.
 */
import type { Runtime } from '../../../kernel/runtime.ts'
import type { SimulatedReply, SimulatedRequest, Simulator } from './simulator.ts'

/** The codes by which each provider names an error. */
const codes = {
  turnstile: { invalid: 'invalid-input-response', used: 'timeout-or-duplicate' },
  hcaptcha: { invalid: 'invalid-input-response', used: 'already-seen-response' },
} as const

const okPattern = /^ok\.(.+)\.[^.]+$/
const USED_MAX = 10_000

export const challengeSimulators: readonly Simulator[] = [
  simulatorOf('turnstile'),
  simulatorOf('hcaptcha'),
]

function simulatorOf(name: keyof typeof codes): Simulator {
  const used = new WeakMap<Runtime, Set<string>>()
  return {
    name,
    async answer(runtime, request) {
      if (request.path !== '/siteverify') return { status: 404, json: { error: 'Not Found' } }
      if (request.method !== 'POST') return { status: 405, json: { error: 'Method Not Allowed' } }
      const seen = used.get(runtime) ?? new Set<string>()
      used.set(runtime, seen)
      return verify(runtime, request, { seen, code: codes[name] })
    },
  }
}

interface Memory {
  seen: Set<string>
  code: (typeof codes)[keyof typeof codes]
}

function verify(
  { clock, config }: Runtime,
  { body }: SimulatedRequest,
  { seen, code }: Memory,
): SimulatedReply {
  const asked = new URLSearchParams(body)
  const secret = asked.get('secret')
  const result = asked.get('response')
  if (!secret) return failure('missing-input-secret')
  if (secret !== config.challenge.key) return failure('invalid-input-secret')
  if (!result) return failure('missing-input-response')
  if (result.startsWith('silent.')) return 'silence'
  if (result.startsWith('broken.')) return { status: 500, json: { error: 'internal-error' } }
  const hostname = okPattern.exec(result)?.[1]
  if (hostname === undefined) return failure(code.invalid)
  if (seen.has(result)) return failure(code.used)
  if (seen.size >= USED_MAX) seen.clear()
  seen.add(result)
  const challenge_ts = clock.now().toISOString()
  return { status: 200, json: { success: true, challenge_ts, hostname, 'error-codes': [] } }
}

/** The providers report failures with status 200. */
function failure(error: string): SimulatedReply {
  return { status: 200, json: { success: false, 'error-codes': [error] } }
}
