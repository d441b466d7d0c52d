/**
 * A small server that speaks the OpenAI chat interface, for tests of the path to a real model
 * provider: over real HTTP, with the provider's own package in between. It refuses requests that
 * are not of the interface's shape and answers what the test has scripted, faults included.
 */
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import { after } from 'node:test'

/** What the next request gets. */
export type Script =
  | { text: string }
  | { tool: string; input: unknown; text?: string }
  /** An error as the interface words it. */
  | { status: number; message: string }
  /** Something that is no reply of the interface. */
  | { junk: string }
  /** Takes the request and never answers. */
  | { hang: true }
  /** Closes the connection instead of answering. */
  | { drop: true }

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant' | 'tool'
  content: string
}

/** A request as it came, checked for its shape. */
export interface ChatRequest {
  authorization: string | undefined
  model: string
  messages: ChatMessage[]
  tools: string[]
  /** The name of the schema that the answer must have. */
  schema: string | null
  /** The whole body, to look for what must not be in it. */
  text: string
}

export interface OpenAiServer {
  /** What HOMEPORT_MODEL_URL is set to. */
  url: string
  requests: ChatRequest[]
  /** Adds to what comes next; with nothing scripted the answer is an error. */
  script(...next: Script[]): void
}

/** Starts a server that ends with the test file, or with the suite it is called in. */
export async function openOpenAiServer(): Promise<OpenAiServer> {
  const requests: ChatRequest[] = []
  const scripts: Script[] = []
  const server = createServer((request, response) => {
    serve(request, response, { requests, scripts }).catch((error: unknown) => {
      respond(response, 400, errorBody(String(error)))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  assert(typeof address === 'object' && address !== null)
  return {
    url: `http://127.0.0.1:${address.port}/v1`,
    requests,
    script: (...next) => void scripts.push(...next),
  }
}

interface State {
  requests: ChatRequest[]
  scripts: Script[]
}

async function serve(request: IncomingMessage, response: ServerResponse, state: State) {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  assert.equal(`${request.method} ${request.url}`, 'POST /v1/chat/completions')
  assert.match(request.headers['content-type'] ?? '', /^application\/json/)
  const read = readRequest(text, request.headers.authorization)
  state.requests.push(read)
  const script = state.scripts.shift() ?? { status: 500, message: 'Nothing is scripted.' }
  if ('hang' in script) return
  if ('drop' in script) return void request.socket.destroy()
  if ('junk' in script) return respond(response, 200, script.junk)
  if ('status' in script) return respond(response, script.status, errorBody(script.message))
  respond(response, 200, JSON.stringify(completion(script, read.model)))
}

/** The shape of the interface, as far as it is used; what does not fit throws. */
function readRequest(text: string, authorization: string | undefined): ChatRequest {
  const body = JSON.parse(text)
  assert.equal(typeof body.model, 'string')
  assert(Array.isArray(body.messages) && body.messages.length > 0)
  for (const { role, content } of body.messages) {
    assert.match(role, /^(?:system|user|assistant|tool)$/)
    assert.equal(typeof content, 'string')
  }
  assert.notEqual(body.stream, true)
  for (const tool of body.tools ?? []) {
    assert.equal(tool.type, 'function')
    assert.equal(tool.function.parameters.type, 'object')
  }
  const schema = body.response_format?.json_schema
  if (schema) assert.equal(schema.schema.type, 'object')
  return {
    authorization,
    model: body.model,
    messages: body.messages,
    tools: (body.tools ?? []).map((tool: { function: { name: string } }) => tool.function.name),
    schema: schema?.name ?? null,
    text,
  }
}

function completion(script: Extract<Script, { text: string } | { tool: string }>, model: string) {
  const call = 'tool' in script && {
    id: 'call_1',
    type: 'function',
    function: { name: script.tool, arguments: JSON.stringify(script.input) },
  }
  const message = {
    role: 'assistant',
    content: script.text ?? null,
    ...(call ? { tool_calls: [call] } : {}),
  }
  const finish_reason = call ? 'tool_calls' : 'stop'
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model,
    choices: [{ index: 0, message, finish_reason }],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
  }
}

function errorBody(message: string): string {
  return JSON.stringify({ error: { message, type: 'invalid_request_error', code: null } })
}

function respond(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body)
}
