/**
 * The secrets of an endpoint as they are kept: sealed, and for a day after a rotation two of them,
 * so that a receiver can be given the new one while the old one still verifies.
 */
import type { Runtime } from '../../../kernel/runtime.ts'
import { SECRET_PURPOSE } from './sign.ts'

export interface SealedSecrets {
  endpoint_id: string
  sealed_secret: Buffer
  /** The one before, and until when it signs too. */
  previous_sealed_secret: Buffer | null
  previous_secret_until: Date | null
}

/**
 * The secrets to sign with now, the newest first; null when that one cannot be opened. An old one
 * that cannot be opened is left out: the new one is what the receiver is meant to know.
 */
export function openSecrets(runtime: Runtime, sealed: SealedSecrets): string[] | null {
  const current = open(runtime, sealed.sealed_secret, sealed.endpoint_id)
  if (current === null) return null
  const { previous_sealed_secret, previous_secret_until } = sealed
  const overlaps = previous_secret_until !== null && previous_secret_until > runtime.clock.now()
  if (!overlaps || previous_sealed_secret === null) return [current]
  const previous = open(runtime, previous_sealed_secret, sealed.endpoint_id)
  return previous === null ? [current] : [current, previous]
}

function open(runtime: Runtime, sealed: Buffer, endpoint_id: string): string | null {
  try {
    return runtime.seal.open(sealed, SECRET_PURPOSE)
  } catch (error) {
    runtime.log.error({ err: error, endpoint_id }, 'a webhook secret cannot be opened')
    return null
  }
}
