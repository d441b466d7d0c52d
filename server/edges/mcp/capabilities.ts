/** Reads the capabilities that an MCP client declares. */
import { isRecord } from './tools/record.ts'

/** Whether the client supports form elicitation. Early revisions had forms only and name no mode. */
export function takesForms(capabilities: unknown): boolean {
  const elicitation = isRecord(capabilities) ? capabilities['elicitation'] : null
  return isRecord(elicitation) && ('form' in elicitation || !('url' in elicitation))
}
