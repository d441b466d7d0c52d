/**
 * The SDK server, which implements all revisions of the protocol. Each request outside a session gets
 * a new server; that is cheap, because every listing was made at the start. The SDK is loaded with the
 * first request, because many installations never use MCP.
 */
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  createMcpHandler,
  type AuthInfo,
  type CallToolRequest,
  type CallToolResult,
  type GetPromptRequest,
  type GetPromptResult,
  type McpHttpHandler,
  Server,
  type InputRequiredResult,
  type McpRequestContext,
  type ReadResourceResult,
  type ServerContext,
  type jsonSchemaValidator,
} from '@modelcontextprotocol/server'
import type { Elicitation, ConsentQuestion } from './questions/consent.ts'
import { toInputRequired, readElicitation, createUnansweredProblem } from './questions/questions.ts'
import { toProblemResult } from './tools/result.ts'
import { findTool, type Surface, type Tool, type McpClient } from './tools/surface.ts'

/** The server's name and version, and the cache hint of lists. */
const identity = { name: 'homeport', title: 'Homeport', version: '1.0.0' }

const LISTS_KEPT_MS = 300_000
const listHint = { ttlMs: LISTS_KEPT_MS, cacheScope: 'private' } as const

interface Serving {
  surface: Surface
  clientIn(context: ServerContext): McpClient
  era: McpRequestContext['era']
  extra: ExtraHandlers | undefined
  /** Asks the person while a call waits; null outside a session. */
  asks: SessionElicitation | null
}

/** Elicitation within a session. */
export interface SessionElicitation {
  mayAsk(): boolean
  ask(question: ConsentQuestion, context: ServerContext): Promise<Elicitation>
  /** The client of the latest request of the session. */
  clientNow(): McpClient
}

/** The requests in progress, by the token that the SDK passes on. */
export interface OpenRequests {
  clientOf(authInfo: AuthInfo | undefined): McpClient
  /** Aborts when the connection of the request closes. */
  goneOf(authInfo: AuthInfo | undefined): AbortSignal
}

/**
 * Handlers beside the surface, such as a tool that reports progress; only the fixtures of the
 * conformance tests have any. An undefined handler means that the surface replies.
 */
export interface ExtraHandlers {
  callTool(
    request: CallToolRequest,
    context: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult> | undefined
  getPrompt(
    request: GetPromptRequest,
    context: ServerContext,
  ): GetPromptResult | InputRequiredResult | undefined
  readResource(uri: string): ReadResourceResult | undefined
  /** Registers further capabilities and handlers. */
  prepare(server: Server, era: McpRequestContext['era']): void
}

// A validator that accepts everything. The default validator of each server would only check
// answers to questions of the SDK.
const noValidator: jsonSchemaValidator = {
  getValidator() {
    throw new Error('No question is put through the SDK.')
  },
}

/** Handles messages outside sessions. */
export function openHandler(
  surface: Surface,
  arrivals: OpenRequests,
  extra: ExtraHandlers | undefined,
): McpHttpHandler {
  return createMcpHandler(({ authInfo, era }) => {
    const client = arrivals.clientOf(authInfo)
    return createSdkServer({ surface, clientIn: () => client, era, extra, asks: null })
  })
}

export function createSdkServer(serving: Serving): Server {
  const { surface, era, extra } = serving
  const server = new Server(identity, {
    capabilities: { tools: {}, resources: {}, prompts: {} },
    instructions: surface.instructions,
    jsonSchemaValidator: noValidator,
    cacheHints: {
      'tools/list': listHint,
      'prompts/list': listHint,
      'resources/list': listHint,
      'resources/templates/list': listHint,
      'resources/read': listHint,
      'server/discover': listHint,
    },
  })
  addTools(server, serving)
  addResources(server, serving)
  addPrompts(server, serving)
  extra?.prepare(server, era)
  return server
}

function addTools(server: Server, serving: Serving): void {
  const { surface, clientIn, extra } = serving
  server.setRequestHandler('tools/list', (_request, context) => ({
    tools: [...surface.tools.values()]
      .filter((tool) => tool.isShown(clientIn(context)))
      .map(({ listing }) => listing),
  }))
  server.setRequestHandler('tools/call', async (received, context) => {
    const params = { ...received.params, arguments: clientIn(context).given }
    const request = { ...received, params }
    const more = await extra?.callTool(request, context)
    if (more) return more
    const tool = findTool(surface, params.name)
    if (!tool) {
      const name = params.name.slice(0, 100)
      throw notKnown(
        `There is no tool "${name}". Find an operation with search_operations, and run it with the tool that it names.`,
      )
    }
    try {
      const result = await runTool(serving, { tool, given: params.arguments, context })
      if ('content' in result)
        return server.projectCallToolResult(result, tool.listing.outputSchema)
      const { name, arguments: given } = params
      surface.onAsk?.(result, { name, given, client: clientIn(context) })
      return toInputRequired(result)
    } catch (error) {
      return toProblemResult(error, clientIn(context), surface.phrasing)
    }
  })
}

interface Run {
  tool: Tool
  given: unknown
  context: ServerContext
}

/** Runs a tool. In a session it asks the person if needed, and then runs the tool again. */
async function runTool(
  { clientIn, era, asks }: Serving,
  { tool, given, context }: Run,
): Promise<CallToolResult | ConsentQuestion> {
  const client = clientIn(context)
  if (era === 'modern') return tool.run(given, client, readElicitation(context))
  const first = { asks: asks?.mayAsk() ?? false, answer: null, state: undefined }
  const result = await tool.run(given, client, first)
  if ('content' in result || !asks) return result
  const asking = await asks.ask(result, context)
  // The client is read now, because its permissions may have changed while the call waited.
  const answered = await tool.run(given, asks.clientNow(), asking)
  // A second question means that the answer came too late.
  if (!('content' in answered)) throw createUnansweredProblem()
  return answered
}

function addResources(server: Server, { surface: { resources }, extra }: Serving): void {
  server.setRequestHandler('resources/list', async () => ({
    resources: [...(await resources.list())],
  }))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [...resources.templates],
  }))
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const more = extra?.readResource(uri)
    if (more) return more
    const text = resources.read(uri)
    if (text === null) throw new ResourceNotFoundError(uri)
    return { contents: [{ uri, mimeType: 'text/markdown', text }] }
  })
}

function addPrompts(server: Server, { surface: { prompts }, extra }: Serving): void {
  server.setRequestHandler('prompts/list', () => ({
    prompts: [...prompts.values()].map((prompt) => ({
      name: prompt.name,
      title: prompt.title,
      description: prompt.description,
      arguments: [...prompt.arguments],
    })),
  }))
  server.setRequestHandler('prompts/get', (request, context) => {
    const { params } = request
    const more = extra?.getPrompt(request, context)
    if (more) return more
    const prompt = prompts.get(params.name)
    if (!prompt) throw notKnown(`There is no prompt "${params.name.slice(0, 100)}".`)
    const given = params.arguments ?? {}
    const missing = prompt.arguments.find(({ name, required }) => required && !given[name])
    if (missing) throw notKnown(`The prompt ${prompt.name} needs "${missing.name}".`)
    return prompt.write(given)
  })
}

function notKnown(sentence: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, sentence)
}
