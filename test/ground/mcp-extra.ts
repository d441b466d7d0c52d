/**
 * What the official questions to a server of MCP are about and ours does not announce: tools that talk
 * while they work, that ask back in every way there is, completions, logging, subscriptions. It is
 * answered by the SDK through our own door, so that the door is asked too.
 */
import {
  CLIENT_CAPABILITIES_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  inputRequired,
  isSpecType,
  type CallToolResult,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { Extra } from '../../server/edges/mcp/server.ts'

type Answer = CallToolResult | InputRequiredResult
type ToolOfTests = (context: ServerContext) => Promise<Answer> | Answer

const said = (text: string): CallToolResult => ({ content: [{ type: 'text', text }] })

const form = (message: string, field: string) =>
  inputRequired.elicit({
    message,
    requestedSchema: {
      type: 'object',
      properties: { [field]: { type: 'string' } },
      required: [field],
    },
  })

const sampling = (text: string) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text } }],
    maxTokens: 100,
  })

/** Whether every one of these was answered; what was not is asked again. */
function has({ mcpReq: { inputResponses } }: ServerContext, ...names: string[]): boolean {
  return names.every((name) => {
    const answer = inputResponses?.[name]
    return typeof answer === 'object' && answer !== null
  })
}

const STATE = 'a state that was given out'

/** A state that came back must be the one that went out; ours are bound by a MAC. */
function requireState({ mcpReq }: ServerContext, state: string): void {
  const returned = mcpReq.requestState()
  if (returned === undefined || returned === state) return
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The state was changed on its way.')
}

function confirmed(context: ServerContext): Answer {
  requireState(context, STATE)
  if (has(context, 'confirm')) return said('state-ok')
  const confirm = form('Please confirm', 'ok')
  return inputRequired({ inputRequests: { confirm }, requestState: STATE })
}

function capabilitiesOf({ mcpReq: { envelope } }: ServerContext): object {
  const { [CLIENT_CAPABILITIES_META_KEY]: stated } = { ...envelope } as Record<string, unknown>
  return isSpecType.ClientCapabilities(stated) ? stated : {}
}

type Form = Parameters<typeof inputRequired.elicit>[0]['requestedSchema']

/** Asks for all of this, and tells what came. */
function fillIn(context: ServerContext, requestedSchema: Form): Answer {
  if (!has(context, 'form'))
    return inputRequired({
      inputRequests: { form: inputRequired.elicit({ message: 'Please fill in', requestedSchema }) },
    })
  return said(`Elicitation completed: ${JSON.stringify(context.mcpReq.inputResponses)}`)
}

const account: Form = {
  type: 'object',
  properties: { username: { type: 'string' }, email: { type: 'string' } },
  required: ['username', 'email'],
}

const defaults: Form = {
  type: 'object',
  properties: {
    name: { type: 'string', default: 'John Doe' },
    age: { type: 'integer', default: 30 },
    score: { type: 'number', default: 95.5 },
    status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
    verified: { type: 'boolean', default: true },
  },
}

const options = ['option1', 'option2', 'option3']
const titled = ['value1', 'value2', 'value3'].map((value) => ({ const: value, title: value }))
const choices: Form = {
  type: 'object',
  properties: {
    untitledSingle: { type: 'string', enum: options },
    titledSingle: { type: 'string', oneOf: titled },
    legacyEnum: {
      type: 'string',
      enum: ['opt1', 'opt2', 'opt3'],
      enumNames: ['Option One', 'Option Two', 'Option Three'],
    },
    untitledMulti: { type: 'array', items: { type: 'string', enum: options } },
    titledMulti: { type: 'array', items: { anyOf: titled } },
  },
}

async function talk({ mcpReq }: ServerContext): Promise<CallToolResult> {
  for (const text of ['Tool execution started', 'Tool processing data', 'Tool execution completed'])
    await mcpReq.log('info', text)
  return said('It was talked about.')
}

const tools: Readonly<Record<string, ToolOfTests>> = {
  test_input_required_result_elicitation: (context) =>
    has(context, 'user_name')
      ? said('Hello!')
      : inputRequired({ inputRequests: { user_name: form('What is your name?', 'name') } }),
  test_input_required_result_sampling: (context) =>
    has(context, 'capital_question')
      ? said('Paris')
      : inputRequired({
          inputRequests: { capital_question: sampling('What is the capital of France?') },
        }),
  test_input_required_result_list_roots: (context) =>
    has(context, 'client_roots')
      ? said('The roots came.')
      : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } }),
  test_input_required_result_request_state: confirmed,
  test_input_required_result_tampered_state: confirmed,
  test_input_required_result_multiple_inputs(context) {
    requireState(context, STATE)
    if (has(context, 'user_name', 'greeting', 'client_roots')) return said('All of them came.')
    const inputRequests = {
      user_name: form('What is your name?', 'name'),
      greeting: sampling('Generate a greeting'),
      client_roots: inputRequired.listRoots(),
    }
    return inputRequired({ inputRequests, requestState: STATE })
  },
  test_input_required_result_multi_round(context) {
    const step = context.mcpReq.requestState()
    if (step === 'second' && has(context, 'step2')) return said('Both steps are done.')
    if (step === 'first' && has(context, 'step1')) {
      const step2 = form('Step 2: What is your favorite color?', 'color')
      return inputRequired({ inputRequests: { step2 }, requestState: 'second' })
    }
    const step1 = form('Step 1: What is your name?', 'name')
    return inputRequired({ inputRequests: { step1 }, requestState: 'first' })
  },
  test_input_required_result_capabilities(context) {
    const capabilities = capabilitiesOf(context)
    return inputRequired({
      inputRequests: {
        ...('sampling' in capabilities && { a_text: sampling('Say something') }),
        ...('elicitation' in capabilities && { a_name: form('What is your name?', 'name') }),
      },
    })
  },
  test_missing_capability: () => inputRequired({ inputRequests: { a: sampling('Say it') } }),
  async test_streaming_elicitation(context) {
    if (has(context, 'a')) return said('It came.')
    return inputRequired({ inputRequests: { a: form('What is your name?', 'name') } })
  },
  test_sampling: (context) =>
    has(context, 'a_text')
      ? said('It was written.')
      : inputRequired({ inputRequests: { a_text: sampling('Say something') } }),
  test_elicitation: (context) => fillIn(context, account),
  test_elicitation_sep1034_defaults: (context) => fillIn(context, defaults),
  test_elicitation_sep1330_enums: (context) => fillIn(context, choices),
  test_logging_tool: talk,
  test_tool_with_logging: talk,
  async test_tool_with_progress({ mcpReq }) {
    const progressToken = mcpReq._meta?.progressToken
    for (const progress of progressToken === undefined ? [] : [0, 50, 100]) {
      const params = { progressToken: progressToken ?? '', progress, total: 100 }
      await mcpReq.notify({ method: 'notifications/progress', params })
    }
    return said('It is done.')
  },
}

const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

export const extra: Extra = {
  callTool(request, context) {
    const tool = tools[request.params.name]
    return tool && Promise.resolve(tool(context))
  },
  getPrompt(request, context) {
    if (request.params.name !== 'test_input_required_result_prompt') return
    if (!has(context, 'user_context')) {
      const user_context = form('What context should the prompt use?', 'context')
      return inputRequired({ inputRequests: { user_context } })
    }
    return { messages: [{ role: 'user', content: { type: 'text', text: 'With a context.' } }] }
  },
  readResource(uri) {
    if (uri !== 'test://static-binary') return
    return { contents: [{ uri, mimeType: 'image/png', blob: PICTURE }] }
  },
  prepare(server, era) {
    server.registerCapabilities({ completions: {} })
    server.setRequestHandler('completion/complete', () => ({
      completion: { values: [], total: 0, hasMore: false },
    }))
    if (era === 'modern') return
    server.registerCapabilities({ logging: {}, resources: { subscribe: true } })
    server.setRequestHandler('logging/setLevel', () => ({}))
    server.setRequestHandler('resources/subscribe', () => ({}))
    server.setRequestHandler('resources/unsubscribe', () => ({}))
  },
}
