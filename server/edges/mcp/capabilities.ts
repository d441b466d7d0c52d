/** What a client of MCP said that it can do, as far as it matters here. */
import { isRecord } from './record.ts'

/** Whether it puts forms to the person. Without a mode it does: there was no other at first. */
export function takesForms(capabilities: unknown): boolean {
  const elicitation = isRecord(capabilities) ? capabilities['elicitation'] : null
  return isRecord(elicitation) && ('form' in elicitation || !('url' in elicitation))
}
