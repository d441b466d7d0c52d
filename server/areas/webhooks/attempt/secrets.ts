/**
 * The encrypted secrets of an endpoint. For a day after a rotation there are two, so the old one
 * still verifies while the receiver is updated.
 */
import type { Runtime } from '../../../kernel/runtime.ts'
import { SECRET_PURPOSE } from './sign.ts'

export interface SealedSecrets {
  endpoint_id: string
  sealed_secret: Buffer
  /** The previous secret, and when it expires. */
  previous_sealed_secret: Buffer | null
  previous_secret_until: Date | null
}

/**
 * Returns the secrets to sign with now, newest first; null if the newest cannot be decrypted. Omits
 * a previous secret that cannot be decrypted.
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
