/** Links that expire. The token has its content encrypted, so nothing is stored. */
import type { Runtime } from '../runtime.ts'

/** Longer tokens are no links. */
const TOKEN_CHARACTERS_MAX = 2000

type Sealing = Pick<Runtime, 'seal' | 'clock'>

export interface SealedLink {
  token: string
  expires_at: Date
}

/** `purpose` keeps a token of one kind of link from being accepted as another. */
export function sealLink(
  { seal, clock }: Sealing,
  purpose: string,
  { lasts_s, content }: { lasts_s: number; content: object },
): SealedLink {
  const expires_ms = clock.now_ms() + lasts_s * 1000
  const token = seal.seal(JSON.stringify({ content, expires_ms }), purpose).toString('base64url')
  return { token, expires_at: new Date(expires_ms) }
}

/** Returns the content; null if the token was altered or has expired. */
export function openSealedLink<Content>(
  { seal, clock }: Sealing,
  purpose: string,
  token: string,
): Content | null {
  if (token.length > TOKEN_CHARACTERS_MAX) return null
  try {
    const text = seal.open(Buffer.from(token, 'base64url'), purpose)
    const { content, expires_ms }: { content: Content; expires_ms: number } = JSON.parse(text)
    return expires_ms > clock.now_ms() ? content : null
  } catch {
    return null
  }
}
