/**
 * The hands of an agent: the tools that tools/list shows, over MCP with the official client, and
 * nothing else. They keep count of what is used and of how much a model would have read.
 */
import { connectModern } from '../test/fixtures/mcp.ts'
import { tokensOf } from '../test/fixtures/tokens.ts'
import type { Value, World } from './world.ts'

/** As tools/list shows it. */
export interface ListedTool {
  name: string
  description: string
  inputSchema: Record<string, unknown>
}

export type ToolArguments = Record<string, unknown>

export interface ToolResult {
  /** What a model reads. */
  text: string
  /** The same as data. */
  value: Value
  is_error: boolean
}

/** What a person answers when they are asked, whatever asks. */
export type PersonAnswer = (question: string) => 'yes' | 'no' | 'away'

export interface AgentClientOptions {
  /** null: nobody is there, and the client does not put questions to anybody. */
  person?: PersonAnswer | null
  /** What follows /mcp in the address. */
  query?: string
  /** Is told after each use. */
  afterUse?(name: string): Promise<void>
}

export interface AgentClient {
  instructions: string
  tools: readonly ListedTool[]
  /** The tools that were used, in order. */
  used: readonly string[]
  use(name: string, given?: ToolArguments): Promise<ToolResult>
  /** Adds words that a model reads or writes to what is counted. */
  read(text: string): void
  /** The size of the conversation up to now, tools and instructions included. */
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
  const listed: Value = await client.listTools()
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

type Client = Awaited<ReturnType<typeof connectModern>>

async function callTool(client: Client, name: string, given: ToolArguments): Promise<ToolResult> {
  try {
    const result: Value = await client.callTool({ name, arguments: given })
    const text: string = result.content.map((part: { text?: string }) => part.text ?? '').join('\n')
    const is_error = result.isError === true
    return { text, is_error, value: result.structuredContent ?? parsed(text) }
  } catch (error) {
    // What the protocol refuses before a tool is asked.
    const text = error instanceof Error ? error.message : String(error)
    return { text, is_error: true, value: null }
  }
}

function parsed(text: string): Value {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
