/**
 * The built-in model: a language model of the AI SDK without key, network and text generation. It
 * answers only from the data in `providerOptions.builtin`, so it uses the same code path as a real
 * model and can always replace one.
 */
import type { LanguageModel } from 'ai'
import { schemaChecks } from '../../../kernel/values/typebox.ts'
import { answerCaller, type BuiltinAnswer, type HeardConversation } from './builtin-answer.ts'
import { summarizeConversation } from './builtin-summary.ts'
import { AnswerTaskSchema, SummaryTaskSchema, type AnswerTask } from './knowledge.ts'
import { writeSentence } from '../language/speech.ts'

export type LanguageModelV4 = Extract<LanguageModel, { specificationVersion: 'v4' }>
type CallOptions = Parameters<LanguageModelV4['doGenerate']>[0]
type Generated = Awaited<ReturnType<LanguageModelV4['doGenerate']>>
type Stream = Awaited<ReturnType<LanguageModelV4['doStream']>>['stream']
type StreamPart = Stream extends ReadableStream<infer Part> ? Part : never

const nothing = { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 }
const usage = { inputTokens: nothing, outputTokens: { total: 0, text: 0, reasoning: 0 } }

export const builtinModel: LanguageModelV4 = {
  specificationVersion: 'v4',
  provider: 'builtin',
  modelId: 'builtin',
  supportedUrls: {},
  async doGenerate(options) {
    return generate(options)
  },
  async doStream(options) {
    return { stream: ReadableStream.from(partsOf(generate(options))) }
  },
}

function generate(options: CallOptions): Generated {
  const task = options.providerOptions?.['builtin']
  if (schemaChecks().Check(SummaryTaskSchema, task))
    return written({ text: JSON.stringify(summarizeConversation(task)) })
  if (schemaChecks().Check(AnswerTaskSchema, task))
    return written(answerCaller(task, conversationOf(task, options)))
  // Without knowledge it cannot answer.
  return written({ text: writeSentence('en', 'unknown') })
}

function conversationOf(task: AnswerTask, { prompt, tools }: CallOptions): HeardConversation {
  const last = prompt.findLastIndex((message) => message.role === 'user')
  const past = prompt.slice(0, Math.max(last, 0))
  return {
    said: textOf(prompt[last]),
    before: textOf(past.findLast((message) => message.role === 'assistant')) || task.opening,
    earlier: textOf(past.findLast((message) => message.role === 'user')),
    tools: new Set(tools?.map((tool) => tool.name)),
  }
}

function textOf(message: CallOptions['prompt'][number] | undefined): string {
  if (message === undefined) return ''
  if (message.role === 'system') return message.content
  return message.content.map((part) => (part.type === 'text' ? part.text : '')).join(' ')
}

function written({ text, tool, look_ups = [] }: BuiltinAnswer): Generated {
  const used = tool ? [tool] : look_ups.map((input) => ({ name: 'look_up', input }))
  const calls = used.map(({ name, input }, at) => ({
    type: 'tool-call' as const,
    toolCallId: `builtin_${at}`,
    toolName: name,
    input: JSON.stringify(input),
  }))
  return {
    content: [...(text ? [{ type: 'text' as const, text }] : []), ...calls],
    finishReason: { unified: calls.length > 0 ? 'tool-calls' : 'stop', raw: undefined },
    usage,
    warnings: [],
  }
}

function* partsOf({ content, finishReason }: Generated): Generator<StreamPart> {
  yield { type: 'stream-start', warnings: [] }
  for (const part of content) {
    if (part.type === 'tool-call') yield part
    if (part.type !== 'text') continue
    yield { type: 'text-start', id: 'text' }
    yield { type: 'text-delta', id: 'text', delta: part.text }
    yield { type: 'text-end', id: 'text' }
  }
  yield { type: 'finish', finishReason, usage }
}
