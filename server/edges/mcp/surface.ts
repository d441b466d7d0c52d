/** What a way in over MCP shows: tools, resources and prompts, and who is visiting. */
import type { CallToolResult, GetPromptResult } from '@modelcontextprotocol/server'
import type { Caller } from '../../contract/caller.ts'
import type { Phrasing } from '../../contract/next-steps.ts'
import type { Operation } from '../../contract/operation.ts'
import type { Elicitation, ConsentQuestion } from './consent.ts'
import type { AskedCall } from './steps.ts'
import type { Listing } from './tool.ts'
import type { View } from './view.ts'

export interface McpClient {
  caller: Caller
  view: View
}

export interface Tool {
  listing: Listing
  /** The operation that these arguments would run, if it is known before they are checked. */
  operationFor(given: unknown): Operation | null
  isShown(client: McpClient): boolean
  /** Throws a Problem where it cannot be done. */
  run(
    given: unknown,
    client: McpClient,
    asking: Elicitation,
  ): Promise<CallToolResult | ConsentQuestion>
}

export interface Resource {
  uri: string
  name: string
  title: string
  description: string
  mimeType: string
}

export interface Resources {
  list(): readonly Resource[]
  /** Addresses with a part that is to be filled in. */
  templates: readonly (Omit<Resource, 'uri'> & { uriTemplate: string })[]
  /** null: there is none at this address. */
  read(uri: string): string | null
}

export interface Prompt {
  name: string
  title: string
  description: string
  arguments: readonly { name: string; description: string; required: boolean }[]
  write(given: Readonly<Record<string, string>>): GetPromptResult
}

export interface Surface {
  instructions: string
  phrasing: Phrasing
  /** By name. */
  tools: ReadonlyMap<string, Tool>
  resources: Resources
  prompts: ReadonlyMap<string, Prompt>
  /** Hears of a question that goes out as the result of a call. */
  onAsk?(question: ConsentQuestion, call: AskedCall): void
}
