/**
 * A small server that speaks the interfaces of the providers of language models, over real HTTP, so
 * that what goes to them and comes back is what goes to theirs. What it answers is thought up by a
 * test, from the same conversation that a model would see.
 */
import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { after } from 'node:test'

/** What a model sees, whichever interface brought it. */
export interface Seen {
  instructions: string
  /** The names of the tools, each of which has arguments of a JSON Schema. */
  tools: string[]
  /** What the person said, in order. */
  person: string[]
  /** What tools gave back, in order. */
  results: string[]
}

export type Thought = { text: string } | { tool: string; input: object } | { status: number }

export interface ModelServer {
  /** The address that each provider's client is given. */
  urls: Record<'openai' | 'anthropic' | 'google' | 'openai_compatible', string>
  seen: Seen[]
  /** The keys that were shown. */
  keys: string[]
}

interface Interface {
  path: RegExp
  key: string
  read(body: any): Seen
  write(thought: Thought, id: string): object
}

const textOf = (content: any): string =>
  typeof content === 'string'
    ? content
    : [content ?? []]
        .flat()
        .map((part: any) => part.text ?? '')
        .join('')

function schemaOf(parameters: any): void {
  assert.equal(parameters.type.toLowerCase(), 'object')
}

const usage = { input: 100, output: 20 }

/** The Responses interface of OpenAI. */
const responses: Interface = {
  path: /^\/openai\/v1\/responses$/,
  key: 'authorization',
  read({ input, tools = [] }) {
    for (const tool of tools) schemaOf(tool.parameters)
    const said = (...roles: string[]) => input.filter((one: any) => roles.includes(one.role))
    return {
      instructions: said('system', 'developer')
        .map(({ content }: any) => textOf(content))
        .join(''),
      tools: tools.map((tool: any) => tool.name),
      person: said('user').map(({ content }: any) => textOf(content)),
      results: input
        .filter(({ type }: any) => type === 'function_call_output')
        .map(({ output }: any) => textOf(output)),
    }
  },
  write(thought, id) {
    const output =
      'tool' in thought
        ? {
            type: 'function_call',
            id: `fc_${id}`,
            call_id: id,
            name: thought.tool,
            arguments: JSON.stringify(thought.input),
          }
        : {
            type: 'message',
            role: 'assistant',
            id: `m_${id}`,
            content: [
              { type: 'output_text', text: 'text' in thought && thought.text, annotations: [] },
            ],
          }
    const counted = { input_tokens: usage.input, output_tokens: usage.output }
    return { id, created_at: 1, model: 'm', output: [output], usage: counted }
  },
}

/** The Messages interface of Anthropic. */
const messages: Interface = {
  path: /^\/anthropic\/v1\/messages$/,
  key: 'x-api-key',
  read({ system, messages: list, tools = [] }) {
    for (const tool of tools) schemaOf(tool.input_schema)
    const parts = list.flatMap(({ role, content }: any) =>
      [content].flat().map((part: any) => ({ role, ...part })),
    )
    return {
      instructions: textOf(system),
      tools: tools.map((tool: any) => tool.name),
      person: parts
        .filter(({ role, type }: any) => role === 'user' && type === 'text')
        .map(textOfPart),
      results: parts
        .filter(({ type }: any) => type === 'tool_result')
        .map(({ content }: any) => textOf(content)),
    }
  },
  write(thought, id) {
    const content =
      'tool' in thought
        ? { type: 'tool_use', id, name: thought.tool, input: thought.input }
        : { type: 'text', text: 'text' in thought && thought.text }
    return {
      type: 'message',
      id,
      model: 'm',
      role: 'assistant',
      content: [content],
      stop_reason: 'tool' in thought ? 'tool_use' : 'end_turn',
      usage: { input_tokens: usage.input, output_tokens: usage.output },
    }
  },
}

function textOfPart({ text }: any): string {
  return text
}

/** generateContent of Google. */
const generateContent: Interface = {
  path: /^\/google\/v1beta\/models\/small:generateContent$/,
  key: 'x-goog-api-key',
  read({ systemInstruction, contents, tools = [] }) {
    const declared = [tools].flat().flatMap((tool: any) => tool.functionDeclarations ?? [])
    const parts = contents.flatMap(({ role, parts: list }: any) =>
      list.map((part: any) => ({ role, ...part })),
    )
    return {
      instructions: textOf(systemInstruction?.parts),
      tools: declared.map((tool: any) => tool.name),
      person: parts.filter((part: any) => part.role === 'user' && part.text).map(textOfPart),
      results: parts
        .filter((part: any) => part.functionResponse)
        .map(({ functionResponse: { response } }: any) => response.content ?? textOf(response)),
    }
  },
  write(thought) {
    const part =
      'tool' in thought
        ? { functionCall: { name: thought.tool, args: thought.input } }
        : { text: 'text' in thought && thought.text }
    return {
      candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
      usageMetadata: {
        promptTokenCount: usage.input,
        candidatesTokenCount: usage.output,
        totalTokenCount: usage.input + usage.output,
      },
    }
  },
}

/** Chat completions, as many servers speak them. */
const chat: Interface = {
  path: /^\/compatible\/v1\/chat\/completions$/,
  key: 'authorization',
  read({ messages: list, tools = [] }) {
    for (const tool of tools) schemaOf(tool.function.parameters)
    const said = (role: string) =>
      list.filter((one: any) => one.role === role).map(({ content }: any) => textOf(content))
    return {
      instructions: said('system').join(''),
      tools: tools.map((tool: any) => tool.function.name),
      person: said('user'),
      results: said('tool'),
    }
  },
  write(thought, id) {
    const call = 'tool' in thought && {
      id,
      type: 'function',
      function: { name: thought.tool, arguments: JSON.stringify(thought.input) },
    }
    const message = {
      role: 'assistant',
      content: 'text' in thought ? thought.text : null,
      ...(call && { tool_calls: [call] }),
    }
    return {
      id,
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [{ index: 0, message, finish_reason: call ? 'tool_calls' : 'stop' }],
      usage: {
        prompt_tokens: usage.input,
        completion_tokens: usage.output,
        total_tokens: usage.input + usage.output,
      },
    }
  },
}

const interfaces = [responses, messages, generateContent, chat]

/** Starts a server that ends with the test file, or with the suite or test it is called in. */
export async function openModelServer(think: (seen: Seen) => Thought): Promise<ModelServer> {
  const seen: Seen[] = []
  const keys: string[] = []
  const server = createServer(async (request, response) => {
    const one = interfaces.find(({ path }) => path.test(request.url ?? ''))
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (!one) return void answer(404, { error: { message: `There is no ${request.url}.` } })
    keys.push(String(request.headers[one.key]))
    try {
      const what = one.read(JSON.parse(await textIn(request)))
      seen.push(what)
      const thought = think(what)
      if ('status' in thought) answer(thought.status, { error: { message: 'Not now.' } })
      else answer(200, one.write(thought, `call_${seen.length}`))
    } catch (error) {
      answer(400, { error: { message: String(error) } })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  assert(typeof address === 'object' && address !== null)
  const origin = `http://127.0.0.1:${address.port}`
  return {
    seen,
    keys,
    urls: {
      openai: `${origin}/openai/v1`,
      anthropic: `${origin}/anthropic/v1`,
      google: `${origin}/google/v1beta`,
      openai_compatible: `${origin}/compatible/v1`,
    },
  }
}

async function textIn(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += String(chunk)
  return text
}
