/**
 * An agent's access to the server: the tools of tools/list, over MCP with the official client, and
 * nothing else. It counts tool calls and the tokens that a model would read.
 */
import { connectModern } from '../../test/fixtures/mcp/mcp.ts'
import { tokensOf } from '../../test/fixtures/docs/tokens.ts'
import type { ReplyValue, World } from '../world.ts'

/** A tool of tools/list. */
export interface ListedTool {
  name: string
  description: string
  inputSchema: Record<string, unknown>
}

export type ToolArguments = Record<string, unknown>

export interface ToolResult {
  /** The text that a model reads. */
  text: string
  /** The result as data. */
  value: ReplyValue
  is_error: boolean
}

/** Answers a question to the person (elicitation) in a test. */
export type PersonAnswer = (question: string) => 'yes' | 'no' | 'away'

export interface AgentClientOptions {
  /** null means that the client has no elicitation. */
  person?: PersonAnswer | null
  /** The query string of the MCP address. */
  query?: string
  /** Called after each tool call. */
  afterUse?(name: string): Promise<void>
}

export interface AgentClient {
  instructions: string
  tools: readonly ListedTool[]
  /** The names of called tools, in order. */
  used: readonly string[]
  use(name: string, given?: ToolArguments): Promise<ToolResult>
  /** Adds text that a model reads or writes to the token count. */
  read(text: string): void
  /** The size of the conversation so far, with tools and instructions. */
  tokens(): number
  close(): Promise<void>
}

export async function openAgentClient(
  { runtime, agent_key }: Pick<World, 'runtime' | 'agent_key'>,
  { person = null, query = '', afterUse }: AgentClientOptions = {},
): Promise<AgentClient> {
  const client = await connectModern(runtime, {
    key: agent_key,
    query,
    ...(person && { answer: person }),
  })
  const listed: ReplyValue = await client.listTools()
  const tools: ListedTool[] = listed.tools
  const instructions = client.getInstructions() ?? ''
  const used: string[] = []
  let characters = JSON.stringify(tools).length + instructions.length
  const read = (text: string) => void (characters += text.length)
  return {
    instructions,
    tools,
    used,
    read,
    tokens: () => tokensOf(characters),
    async use(name, given = {}) {
      if (!tools.some((tool) => tool.name === name)) throw new Error(`No tool is called ${name}.`)
      used.push(name)
      read(name + JSON.stringify(given))
      const result = await callTool(client, name, given)
      read(result.text)
      await afterUse?.(name)
      return result
    },
    close: () => client.close(),
  }
}

/** The first search builds its index, which takes long on a busy machine. */
const CALL_TIMEOUT_MS = 300_000

type Client = Awaited<ReturnType<typeof connectModern>>

async function callTool(client: Client, name: string, given: ToolArguments): Promise<ToolResult> {
  try {
    const call = { name, arguments: given }
    const result: ReplyValue = await client.callTool(call, { timeout: CALL_TIMEOUT_MS })
    const text: string = result.content.map((part: { text?: string }) => part.text ?? '').join('\n')
    const is_error = result.isError === true
    return { text, is_error, value: parsed(text) }
  } catch (error) {
    // Errors of the protocol, such as an unknown tool.
    const text = error instanceof Error ? error.message : String(error)
    return { text, is_error: true, value: null }
  }
}

function parsed(text: string): ReplyValue {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
