/**
 * Counts messages against the rate limit of a key: one for each tool call or resource read of an
 * agent. A call that is repeated with the answer to its question is the same step and not counted,
 * once, if it has the same arguments. A question that results from such a free call makes no
 * further call free.
 */
import { sha256 } from '../../../kernel/secrets/crypto.ts'
import { growingCache } from '../../../kernel/limits/growing-cache.ts'
import type { Admission, AdmissionRequest } from '../../admission.ts'
import type { ConsentQuestion } from '../questions/consent.ts'
import { asText, isRecord } from './record.ts'
import type { McpClient } from './surface.ts'

const ASKED_MAX = 10_000
const counted = new Set(['tools/call', 'resources/read'])

/** A tool call and its client. */
export interface AskedCall {
  name: string
  given: unknown
  client: McpClient
}

/** A message, its client, and the function that sets the rate limit headers. */
export interface CountedMessage {
  message: Record<string, unknown>
  client: McpClient
  tell: AdmissionRequest['tell']
}

export interface Steps {
  /** Counts a message if it is a request. Throws rate_limited beyond the limit. */
  count(request: CountedMessage): void
  /**
   * Records the consent question returned for a tool call. The repeated call with the answer is
   * then not counted.
   */
  onAsk(question: ConsentQuestion, call: AskedCall): void
}

export function createSteps(admission: Admission): Steps {
  const asked = growingCache<true>(ASKED_MAX)
  const free = new WeakSet<McpClient>()
  return {
    count({ message: { method, params }, client, tell }) {
      if (!counted.has(asText(method))) return
      const { name, arguments: given, requestState, inputResponses } = Object(params)
      const answers = isRecord(inputResponses) && Object.keys(inputResponses).length > 0
      const call = { name: asText(name), given, client }
      if (answers && asked.delete(keyOf(call, requestState))) free.add(client)
      else admission.count(client.caller, tell)
    },
    onAsk({ state }, call) {
      if (!free.has(call.client)) asked.set(keyOf(call, state), true)
    },
  }
}

function keyOf({ name, given, client }: AskedCall, state: unknown): string {
  const text = JSON.stringify([client.caller.key_id, name, given ?? {}, asText(state)])
  return sha256(text).toString('base64url')
}
