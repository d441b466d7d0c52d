/**
 * Requests to the language model, for answers and summaries, with a time limit. The SDK is imported
 * at the first request, to keep the start fast.
 */
import assert from 'node:assert/strict'
import type * as Sdk from 'ai'
import { loadInTurns } from '../../../kernel/process/load-in-turns.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import type { Static, TSchema } from 'typebox'
import { schemaChecks } from '../../../kernel/values/typebox.ts'
import type { AnswerTask, SummaryTask } from '../../../providers/model/builtin/knowledge.ts'
import {
  readingTools,
  toolInputs,
  toolTexts,
  type ConversationTool,
} from '../../../providers/model/tools.ts'
import { BUILTIN, languageModel } from '../../../providers/model/model.ts'
import { payForRequest, type Spender } from '../costs/spend.ts'
import type { ReportedUsage, RequestSize } from '../costs/tokens.ts'

const ANSWER_TOKENS_MAX = 1_000
const SUMMARY_TOKENS_MAX = 4_000
/** More than `ANSWER_TOKENS_MAX`; a model that ignores the maximum is stopped there. */
const STREAMED_CHARACTERS_MAX = 16_000

export interface ModelMessage {
  role: 'user' | 'assistant'
  content: string
}

/** A tool that the model called, and what it returned. */
export interface ToolResult {
  name: string
  input: object
  output: object
}

export interface ModelRequest<Task> {
  instructions: string
  messages: ModelMessage[]
  /**
   * Results of tools for the last message; if given, the model is not offered these tools again.
   */
  results?: readonly ToolResult[]
  /** The task as data, from which the built-in model answers. */
  task: Task
  signal: AbortSignal
  /** The name of the model, as `modelOf` returns it. */
  model: string
  /** The payer of the request; null: it is not charged. */
  spender: Spender | null
}

export interface ToolUse {
  name: string
  input: unknown
}

export interface GeneratedAnswer {
  text: string
  tools: ToolUse[]
  reported: ReportedUsage | null
  size: RequestSize
}

/**
 * A stream that broke off before the answer was complete. `size` is what was generated until then.
 */
export class BrokenStream extends Error {
  override readonly name = 'BrokenStream'
  readonly size: RequestSize

  constructor(cause: unknown, size: RequestSize) {
    super('The answer of the model broke off.', { cause })
    this.size = size
  }
}

/** The tools that are offered to a model for a task. */
export function listTools(
  { task, results = [] }: Pick<ModelRequest<AnswerTask>, 'task' | 'results'>,
  is_chat: boolean,
): ConversationTool[] {
  const offered: Record<ConversationTool, boolean> = {
    end_call: true,
    take_message: true,
    no_answer: is_chat,
    transfer_call: task.transfer_targets.length > 0,
    look_up: (task.collections ?? []).length > 0,
    check_hours: task.hours !== null,
  }
  const is_told = (name: ConversationTool) =>
    results.length > 0 && readingTools.some((one) => one === name)
  return (Object.keys(offered) as ConversationTool[]).filter(
    (name) => offered[name] && !is_told(name),
  )
}

function toolsOf(
  { jsonSchema, tool }: typeof Sdk,
  ask: ModelRequest<AnswerTask>,
  is_chat: boolean,
): Sdk.ToolSet {
  const tools: Sdk.ToolSet = {}
  for (const name of listTools(ask, is_chat)) {
    const { call, chat = call } = toolTexts[name]
    const inputSchema = jsonSchema(toolInputs[name])
    tools[name] = tool({ description: is_chat ? chat : call, inputSchema })
  }
  return tools
}

export interface AskOptions {
  /** Whether it is a text chat, which has the tool `no_answer` too. */
  is_chat?: boolean
  /** Receives the text so far, as it is generated. */
  onText?(text: string): void
}

/**
 * Like `generateAnswer`, without payment. Throws BrokenStream if a stream breaks off after its
 * start.
 */
export async function askModel(
  runtime: Runtime,
  ask: ModelRequest<AnswerTask>,
  { is_chat = false, onText }: AskOptions = {},
): Promise<GeneratedAnswer> {
  const sdk = await loadSdk()
  const request = {
    ...common(runtime, ask),
    maxOutputTokens: ANSWER_TOKENS_MAX,
    tools: toolsOf(sdk, ask, is_chat),
  }
  if (onText && ask.model !== BUILTIN) {
    // The default handler would write the error to stderr, which is for log lines only.
    const onError = () => {}
    const open = (abortSignal: AbortSignal) =>
      sdk.streamText({ ...request, abortSignal, onError }).stream
    return streamAnswer({ open, ask, onText, stall_ms: runtime.config.model.stall_ms })
  }
  const { toolCalls, text: said, usage } = await sdk.generateText(request)
  const tools = toolCalls.map(({ toolName, input }) => ({ name: toolName, input }))
  return { text: said, tools, reported: usage, size: sizeOf(ask, said) }
}

interface Streaming {
  open(signal: AbortSignal): AsyncIterable<Sdk.TextStreamPart<Sdk.ToolSet>>
  ask: ModelRequest<AnswerTask>
  onText(text: string): void
  stall_ms: number
}

async function streamAnswer({ open, ask, onText, stall_ms }: Streaming): Promise<GeneratedAnswer> {
  const ending = new AbortController()
  const stall = () => ending.abort(new Error('The model stopped in the middle of its answer.'))
  let timer = setTimeout(stall, stall_ms)
  const abortSignal = AbortSignal.any([ask.signal, ending.signal])
  const tools: ToolUse[] = []
  let said = ''
  let streamed = 0
  let reported: ReportedUsage | null = null
  let is_finished = false
  try {
    for await (const part of open(abortSignal)) {
      clearTimeout(timer)
      timer = setTimeout(stall, stall_ms)
      if (part.type === 'error') throw part.error
      if (part.type === 'abort') abortSignal.throwIfAborted()
      if (part.type === 'tool-call') tools.push({ name: part.toolName, input: part.input })
      if (part.type === 'text-delta') onText((said += part.text))
      if (part.type === 'finish') {
        reported = part.totalUsage
        is_finished = part.finishReason !== 'error' && part.rawFinishReason !== undefined
      }
      streamed += charactersOf(part)
      is_finished ||= streamed > STREAMED_CHARACTERS_MAX
      if (streamed > STREAMED_CHARACTERS_MAX) break
    }
    assert(is_finished, 'The stream ended without a finish reason.')
    return { text: said, tools, reported, size: sizeOf(ask, said) }
  } catch (error) {
    if (said === '' && tools.length === 0) throw error
    throw new BrokenStream(error, sizeOf(ask, said))
  } finally {
    clearTimeout(timer)
    ending.abort()
  }
}

function charactersOf(part: Sdk.TextStreamPart<Sdk.ToolSet>): number {
  if (part.type === 'text-delta' || part.type === 'reasoning-delta') return part.text.length
  return part.type === 'tool-input-delta' ? part.delta.length : 0
}

function sizeOf(
  { instructions, messages, results = [] }: ModelRequest<object>,
  said: string,
): RequestSize {
  const told = results.length > 0 ? JSON.stringify(results).length : 0
  const asked = messages.reduce(
    (sum, { content }) => sum + content.length,
    instructions.length + told,
  )
  return { input_characters: asked, output_characters: said.length }
}

/** Returns an object of the schema. Throws if the model does not return one in time. */
export async function generateObject<S extends TSchema>(
  runtime: Runtime,
  ask: ModelRequest<SummaryTask>,
  schema: S,
): Promise<Static<S>> {
  const { generateText, jsonSchema, Output } = await loadSdk()
  const shape = jsonSchema<unknown>(schema)
  const request = {
    ...common(runtime, ask),
    maxOutputTokens: SUMMARY_TOKENS_MAX,
    output: Output.object({ schema: shape, name: 'summary' }),
  }
  const run = () => generateText(request)
  const { output } =
    ask.spender === null
      ? await run()
      : await payForRequest(runtime, {
          spender: { ...ask.spender, model: ask.model },
          run,
          measure: ({ usage, text }) => ({ reported: usage, size: sizeOf(ask, text) }),
        })
  return schemaChecks().Parse(schema, output)
}

function common(
  runtime: Runtime,
  { instructions, messages, results = [], task, signal, model }: ModelRequest<object>,
) {
  return {
    model: languageModel(runtime, model),
    instructions,
    messages: [...messages, ...messagesOf(results)],
    // No retry: the caller is waiting, and a fallback is available.
    maxRetries: 0,
    abortSignal: signal,
    // Asks the provider not to store callers' speech.
    providerOptions: { builtin: asJson(task), openai: { store: false } },
  }
}

/** The calls of tools and their results, as the SDK sends them to a provider. */
function messagesOf(results: readonly ToolResult[]): Sdk.ModelMessage[] {
  if (results.length === 0) return []
  const calls = results.map(({ name, input }, at) => {
    return { type: 'tool-call' as const, toolCallId: `call_${at}`, toolName: name, input }
  })
  const told = results.map(({ name, output }, at) => {
    const value = asJson(output)
    const json = { type: 'json' as const, value }
    return { type: 'tool-result' as const, toolCallId: `call_${at}`, toolName: name, output: json }
  })
  return [
    { role: 'assistant', content: calls },
    { role: 'tool', content: told },
  ]
}

function asJson(task: object) {
  return JSON.parse(JSON.stringify(task))
}

let sdk: Promise<typeof Sdk> | null = null

function loadSdk() {
  return (sdk ??= importSdk())
}

async function importSdk() {
  await loadInTurns([() => import('zod/v4/core'), () => import('zod/v4')])
  const loaded = await import('ai')
  // The SDK would write its warnings to stderr, which is for log lines only.
  globalThis.AI_SDK_LOG_WARNINGS = false
  return loaded
}
