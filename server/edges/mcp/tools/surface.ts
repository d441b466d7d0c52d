/** The parts of an MCP server: tools, resources and prompts, and the client of a request. */
import type { CallToolResult, GetPromptResult } from '@modelcontextprotocol/server'
import type { Caller } from '../../../contract/caller.ts'
import type { Phrasing } from '../../../contract/problems/next-steps.ts'
import type { Operation } from '../../../contract/operation.ts'
import type { JsonRecord } from '../../../contract/manifest/state-section.ts'
import type { RequestNote } from '../../http/request-notes.ts'
import type { Elicitation, ConsentQuestion } from '../questions/consent.ts'
import type { AskedCall } from './steps.ts'
import type { Listing } from './tool.ts'
import type { View } from './view.ts'

export interface McpClient {
  caller: Caller
  view: View
  /** The note for the request log. */
  note?: RequestNote
  /**
   * The arguments of its tool call. The SDK gets none, because it would copy them member by member, which
   * blocks the event loop.
   */
  given?: JsonRecord
}

export interface Tool {
  listing: Listing
  /** The operation that these arguments would run; null if it is not known before validation. */
  operationFor(given: unknown): Operation | null
  isShown(client: McpClient): boolean
  /** Runs the tool. Throws a Problem if the call is refused. */
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
  list(): Promise<readonly Resource[]>
  /** URI templates. */
  templates: readonly (Omit<Resource, 'uri'> & { uriTemplate: string })[]
  /** Returns null for an unknown URI. */
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
  /** Called when the result of a call is a question for the person. */
  onAsk?(question: ConsentQuestion, call: AskedCall): void
}

/** By the name of a tool, or of its operation: `documents.delete` is documents_delete. */
export function findTool({ tools }: Pick<Surface, 'tools'>, name: string): Tool | undefined {
  return tools.get(name) ?? tools.get(name.replace('.', '_'))
}
