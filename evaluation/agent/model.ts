/**
 * The driver for language models of any provider. The model gets what an MCP client shows it, the
 * instructions and tools, and the owner's request. It calls tools until it replies with text alone.
 * Requests and tokens are limited.
 */
import {
  generateText,
  jsonSchema,
  tool,
  type LanguageModel,
  type ModelMessage,
  type ToolSet,
} from 'ai'
import type { ToolArguments, AgentClient, ToolResult } from './agent-client.ts'
import type { Driver, DriverResult, TokenCounts } from '../run.ts'
import type { ModelSettings } from '../settings.ts'

const ANSWER_TOKENS_MAX = 8_000
/** Maximum length of a result for the model, so that one page does not fill its context. */
const RESULT_CHARACTERS_MAX = 60_000

const role =
  'You are the assistant of the owner of a business and work with the tools of their back-end. Do ' +
  'what the owner asks, as far as it can be done, without asking back. Check what you did. Then ' +
  'answer in a few sentences.'

// Suppresses warnings of the SDK.
globalThis.AI_SDK_LOG_WARNINGS = false

export function modelDriver(settings: ModelSettings): Driver {
  return async ({ client, task, nextAsk }) => {
    const talk: Talk = {
      settings,
      client,
      model: await openModel(settings),
      messages: [{ role: 'user', content: task.ask }],
      counted: { input: 0, output: 0 },
    }
    try {
      return { ...(await converse(talk, nextAsk)), tokens_counted: talk.counted }
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error)
      return { ended: 'error', said, tokens_counted: talk.counted }
    }
  }
}

interface Talk {
  settings: ModelSettings
  client: AgentClient
  model: LanguageModel
  messages: ModelMessage[]
  counted: TokenCounts
}

async function converse(
  talk: Talk,
  nextAsk: (said: string) => Promise<string | null>,
): Promise<Omit<DriverResult, 'tokens_counted'>> {
  const { settings, counted, messages } = talk
  for (let step = 0; step < settings.steps_max; step += 1) {
    if (counted.input + counted.output >= settings.tokens_max) {
      return { ended: 'token_limit', said: '' }
    }
    const said = await takeStep(talk)
    if (said === null) continue
    const more = await nextAsk(said)
    if (more === null) return { ended: 'done', said }
    messages.push({ role: 'user', content: more })
  }
  return { ended: 'step_limit', said: '' }
}

/** Requests one step and runs its tool calls. Returns the text once there are no tool calls. */
async function takeStep({ model, client, messages, counted }: Talk): Promise<string | null> {
  const { text, toolCalls, usage, response } = await generateText({
    model,
    messages,
    instructions: `${role}\n\n${client.instructions}`,
    tools: toolsOf(client),
    maxOutputTokens: ANSWER_TOKENS_MAX,
    maxRetries: 2,
    providerOptions: { openai: { store: false } },
  })
  counted.input += usage.inputTokens ?? 0
  counted.output += usage.outputTokens ?? 0
  messages.push(...response.messages)
  if (toolCalls.length === 0) return text
  const answered = callsAnsweredIn(response.messages)
  for (const { toolCallId, toolName, input } of toolCalls) {
    if (answered.has(toolCallId)) continue
    const used = await useTool(client, toolName, input)
    const shown = used.text.slice(0, RESULT_CHARACTERS_MAX)
    const output = used.is_error
      ? ({ type: 'error-text', value: shown } as const)
      : ({ type: 'text', value: shown } as const)
    messages.push({
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId, toolName, output }],
    })
  }
  return null
}

async function useTool(client: AgentClient, name: string, input: unknown): Promise<ToolResult> {
  const is_object = typeof input === 'object' && input !== null && !Array.isArray(input)
  if (is_object) return await client.use(name, { ...input })
  return { text: 'The arguments are no JSON object.', is_error: true, value: null }
}

/** Calls that the SDK answered itself, such as those of unknown tools. */
function callsAnsweredIn(messages: readonly ModelMessage[]): ReadonlySet<string> {
  const parts = messages.flatMap((one) => (one.role === 'tool' ? one.content : []))
  return new Set(parts.flatMap((part) => (part.type === 'tool-result' ? [part.toolCallId] : [])))
}

/** The tools of tools/list. They have no functions, because the loop runs the calls. */
function toolsOf({ tools }: AgentClient): ToolSet {
  const set: ToolSet = {}
  for (const { name, description, inputSchema } of tools) {
    set[name] = tool({ description, inputSchema: jsonSchema<ToolArguments>(inputSchema) })
  }
  return set
}

async function openModel({ provider, name, key, url }: ModelSettings): Promise<LanguageModel> {
  const settings = { apiKey: key, ...(url !== null && { baseURL: url.replace(/\/+$/, '') }) }
  switch (provider) {
    case 'openai':
      return (await import('@ai-sdk/openai')).createOpenAI(settings)(name)
    case 'anthropic':
      return (await import('@ai-sdk/anthropic')).createAnthropic(settings)(name)
    case 'google':
      return (await import('@ai-sdk/google')).createGoogle(settings)(name)
    case 'openai_compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
      return createOpenAICompatible({ ...settings, baseURL: url ?? '', name: provider })(name)
    }
  }
}
