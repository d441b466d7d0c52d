/**
 * The token with which a visitor's page continues its conversation: id, expiry and a MAC. The server
 * stores no token. It is valid for one conversation, with the public token that started it.
 */
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { holdsUnderAnyKey, sameText, type MacKey } from '../../../kernel/secrets/crypto.ts'
import type { Runtime } from '../../../kernel/runtime.ts'

export interface TokenSubject {
  project_id: string
  token_id: string
  conversation_id: string
}

const MAC_CHARACTERS = 32

export function writeConversationToken(
  runtime: Runtime,
  subject: TokenSubject,
): { conversation_token: string; expires_at: string } {
  const expires = new Date(runtime.clock.now_ms() + limits.conversation_token_lifetime_s * 1000)
  const time = expires.getTime().toString(36)
  const mac = macOf(runtime.seal, subject, time)
  return {
    conversation_token: `${subject.conversation_id}.${time}.${mac}`,
    expires_at: expires.toISOString(),
  }
}

/** Throws invalid_conversation_token unless the token is valid for exactly this conversation. */
export function requireConversationToken(
  runtime: Runtime,
  token: string | null,
  subject: TokenSubject,
): void {
  if (token === null) throw invalid('The request has no header X-Conversation-Token.')
  const [id = '', time = '', mac = '', ...more] = token.slice(0, 200).split('.')
  const is_ours =
    more.length === 0 &&
    id === subject.conversation_id &&
    /^[0-9a-z]{1,11}$/.test(time) &&
    holdsUnderAnyKey(runtime.seal, (key) => sameText(mac, macOf(key, subject, time)))
  if (!is_ours) throw invalid('The conversation token does not belong to this conversation.')
  if (Number.parseInt(time, 36) <= runtime.clock.now_ms())
    throw invalid('The conversation token has expired.')
}

function macOf(key: MacKey, subject: TokenSubject, time: string): string {
  const { project_id, token_id, conversation_id } = subject
  const text = [project_id, token_id, conversation_id, time].join('\n')
  return key.mac(text, 'conversation-token').toString('base64url').slice(0, MAC_CHARACTERS)
}

function invalid(detail: string): Problem {
  return new Problem('invalid_conversation_token', detail)
}
