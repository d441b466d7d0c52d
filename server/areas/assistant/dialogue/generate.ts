/**
 * Requests to the language model, for answers and summaries, with a time limit. The SDK is imported
 * at the first request, to keep the start fast.
 */
import type * as Sdk from 'ai'
import { loadInTurns } from '../../../kernel/process/load-in-turns.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import {
  conversationTools,
  type AnswerTask,
  type SummaryTask,
} from '../../../providers/model/builtin/knowledge.ts'
import { languageModel } from '../../../providers/model/model.ts'
import { payForRequest, type TestCall } from '../test-replies/pay.ts'

const ANSWER_TOKENS_MAX = 1_000
const SUMMARY_TOKENS_MAX = 4_000

export interface ModelMessage {
  role: 'user' | 'assistant'
  content: string
}

export interface ModelRequest<Task> {
  instructions: string
  messages: ModelMessage[]
  /** The task as data, from which the built-in model answers. */
  task: Task
  signal: AbortSignal
  /** The test call that pays for the request; null: not a test call. */
  test_call: TestCall | null
}

export interface ToolUse {
  name: string
  input: unknown
}

export interface GeneratedAnswer {
  text: string
  tools: ToolUse[]
}

/** Returns speech and tool calls. Throws if the model returns neither in time. */
export async function generateAnswer(
  runtime: Runtime,
  ask: ModelRequest<AnswerTask>,
): Promise<GeneratedAnswer> {
  const { generateText, jsonSchema, tool } = await loadSdk()
  const text = { type: 'string' } as const
  const objectOf = (properties: Record<string, { type: 'string' }>) =>
    jsonSchema({ type: 'object', properties, additionalProperties: false })
  const { end_call, transfer_call, take_message } = conversationTools
  const result = await payForRequest(runtime, ask.test_call, () =>
    generateText({
      ...common(runtime, ask),
      maxOutputTokens: ANSWER_TOKENS_MAX,
      tools: {
        end_call: tool({ description: end_call, inputSchema: objectOf({}) }),
        take_message: tool({ description: take_message, inputSchema: objectOf({ text }) }),
        ...(ask.task.transfer_targets.length > 0 && {
          transfer_call: tool({
            description: transfer_call,
            inputSchema: objectOf({ target_id: text }),
          }),
        }),
      },
    }),
  )
  const { toolCalls, text: said } = result
  return { text: said, tools: toolCalls.map(({ toolName, input }) => ({ name: toolName, input })) }
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
  const result = await payForRequest(runtime, ask.test_call, () => generateText(request))
  return Value.Parse(schema, result.output)
}

function common(runtime: Runtime, { instructions, messages, task, signal }: ModelRequest<object>) {
  return {
    model: languageModel(runtime),
    instructions,
    messages,
    // No retry: the caller is waiting, and a fallback is available.
    maxRetries: 0,
    abortSignal: signal,
    // Asks the provider not to store callers' speech.
    providerOptions: { builtin: asJson(task), openai: { store: false } },
  }
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
