/**
 * What the SDK does for us: it speaks the protocol in all its versions. A server is made anew for
 * each request, which costs little because it holds nothing: every listing was made at the start.
 * The SDK is loaded with the first request, because not every installation has one.
 */
import {
  CLIENT_CAPABILITIES_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  createMcpHandler,
  inputRequired,
  inputResponse,
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
import type { Asking, Question } from './consent.ts'
import { identity, listHint } from './identity.ts'
import { isRecord, type JsonRecord } from './record.ts'
import { problemResult } from './result.ts'
import type { Surface, Visit } from './surface.ts'

interface Serving {
  surface: Surface
  visit: Visit
  era: McpRequestContext['era']
  extra: Extra | undefined
}

/**
 * What a way in answers beside its surface, such as a tool that talks while it works: ours has no
 * such thing, and a door of tests has all of them. Undefined: the surface is to answer.
 */
export interface Extra {
  callTool(
    request: CallToolRequest,
    context: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult> | undefined
  getPrompt(
    request: GetPromptRequest,
    context: ServerContext,
  ): GetPromptResult | InputRequiredResult | undefined
  readResource(uri: string): ReadResourceResult | undefined
  /** Announces and answers more. */
  prepare(server: Server, era: McpRequestContext['era']): void
}

// The SDK would make one for each server, for replies to questions that it puts itself; none are.
const noValidator: jsonSchemaValidator = {
  getValidator() {
    throw new Error('No question is put through the SDK.')
  },
}

/** Answers messages of visits, which `held` knows by what the SDK passes on. */
export function openHandler(
  surface: Surface,
  held: WeakMap<AuthInfo, Visit>,
  extra?: Extra,
): McpHttpHandler {
  return createMcpHandler(({ authInfo, era }) => {
    const visit = authInfo && held.get(authInfo)
    if (!visit) throw new Error('A message came in without a visit.')
    return serverFor({ surface, visit, era, extra })
  })
}

function serverFor(serving: Serving): Server {
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

function addTools(server: Server, { surface, visit, era, extra }: Serving): void {
  server.setRequestHandler('tools/list', () => ({
    tools: [...surface.tools.values()]
      .filter((tool) => tool.isShown(visit))
      .map(({ listing }) => listing),
  }))
  server.setRequestHandler('tools/call', async (request, context) => {
    const { params } = request
    const more = await extra?.callTool(request, context)
    if (more) return more
    const tool = surface.tools.get(params.name)
    if (!tool) throw notKnown(`There is no tool "${params.name.slice(0, 100)}".`)
    const { house, request_id } = visit.caller
    try {
      const result = await tool.run(params.arguments, visit, askingIn(context, era))
      return 'content' in result
        ? server.projectCallToolResult(result, tool.listing.outputSchema)
        : asked(result)
    } catch (error) {
      return problemResult(error, house, request_id)
    }
  })
}

const QUESTION = 'confirm'
const yesOrNo = {
  type: 'object',
  properties: { yes: { type: 'boolean', title: 'Yes, do this', default: false } },
  required: ['yes'],
} as const

function asked({ message, state }: Question): InputRequiredResult {
  const question = inputRequired.elicit({
    message,
    requestedSchema: { ...yesOrNo, required: [...yesOrNo.required] },
  })
  return inputRequired({ inputRequests: { [QUESTION]: question }, requestState: state })
}

/** How this request can be answered by a question: only where its own envelope says so. */
function askingIn({ mcpReq }: ServerContext, era: Serving['era']): Asking {
  const envelope: JsonRecord = { ...mcpReq.envelope }
  const capabilities = envelope[CLIENT_CAPABILITIES_META_KEY]
  const elicitation = isRecord(capabilities) ? capabilities['elicitation'] : null
  // Without a mode it means forms, which is what there was before there were others.
  const forms = isRecord(elicitation) && ('form' in elicitation || !('url' in elicitation))
  return { asks: era === 'modern' && forms, answer: answerIn(mcpReq), state: mcpReq.requestState() }
}

function answerIn({ inputResponses }: ServerContext['mcpReq']): Asking['answer'] {
  const response = inputResponse(inputResponses, QUESTION)
  if (response.kind !== 'elicit') return null
  return response.action === 'accept' && response.content?.['yes'] === true ? 'yes' : 'no'
}

function addResources(server: Server, { surface: { resources }, extra }: Serving): void {
  server.setRequestHandler('resources/list', () => ({ resources: [...resources.list()] }))
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
