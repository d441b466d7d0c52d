/**
 * Asks the language model, whichever it is: one path for answers and for summaries, with a limit
 * on how long it may think. The SDK is loaded at the first question, not with the server.
 */
import type * as Sdk from 'ai'
import type { Runtime } from '../../../kernel/runtime.ts'
import type { Static, TSchema } from 'typebox'
import { Value } from 'typebox/value'
import {
  conversationTools,
  type AnswerTask,
  type SummaryTask,
} from '../../../providers/model/knowledge.ts'
import { languageModel } from '../../../providers/model/model.ts'

const ANSWER_TOKENS_MAX = 1_000
const SUMMARY_TOKENS_MAX = 4_000

export interface Message {
  role: 'user' | 'assistant'
  content: string
}

export interface Ask<Task> {
  instructions: string
  messages: Message[]
  /** What the built-in model answers from. */
  task: Task
  signal: AbortSignal
}

export interface ToolUse {
  name: string
  input: unknown
}

export interface Generated {
  text: string
  tools: ToolUse[]
}

/** A spoken answer, and what the model wants done. Throws when the model gives neither in time. */
export async function generateAnswer(runtime: Runtime, ask: Ask<AnswerTask>): Promise<Generated> {
  const { generateText, jsonSchema, tool } = await loadSdk()
  const text = { type: 'string' } as const
  const objectOf = (properties: Record<string, { type: 'string' }>) =>
    jsonSchema({ type: 'object', properties, additionalProperties: false })
  const { end_call, transfer_call, take_message } = conversationTools
  const { toolCalls, text: said } = await generateText({
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
  })
  return { text: said, tools: toolCalls.map(({ toolName, input }) => ({ name: toolName, input })) }
}

/** An object of a shape. Throws when the model gives something else, or nothing in time. */
export async function generateObject<S extends TSchema>(
  runtime: Runtime,
  ask: Ask<SummaryTask>,
  schema: S,
): Promise<Static<S>> {
  const { generateText, jsonSchema, Output } = await loadSdk()
  const shape = jsonSchema<unknown>(schema)
  const { output } = await generateText({
    ...common(runtime, ask),
    maxOutputTokens: SUMMARY_TOKENS_MAX,
    output: Output.object({ schema: shape, name: 'summary' }),
  })
  return Value.Parse(schema, output)
}

function common(runtime: Runtime, { instructions, messages, task, signal }: Ask<object>) {
  return {
    model: languageModel(runtime),
    instructions,
    messages,
    // A caller is waiting, and an answer by other means is ready: trying again is no help.
    maxRetries: 0,
    abortSignal: signal,
    // What callers say is not left with the provider where that can be asked for.
    providerOptions: { builtin: asJson(task), openai: { store: false } },
  }
}

function asJson(task: object) {
  return JSON.parse(JSON.stringify(task))
}

let sdk: Promise<typeof Sdk> | null = null

function loadSdk() {
  sdk ??= import('ai').then((loaded) => {
    // Its warnings go to stderr as plain text, where only lines of the log belong.
    globalThis.AI_SDK_LOG_WARNINGS = false
    return loaded
  })
  return sdk
}
