/**
 * An answer of a language model: it may use tools several times before it speaks. The rights of the
 * person are read again before each step.
 */
import type { MemberCaller } from '../../../contract/people.ts'
import { limits } from '../../../contract/limits.ts'
import type { MicroEuro } from '../../../kernel/values/money.ts'
import { Interrupted, PROMPT_CHARACTERS_MAX, requestModel, type ModelCall } from './request.ts'
import { listTools, type Prompt } from './prompt.ts'
import { runTool, type ToolUse } from './tools.ts'
import { cutText } from '../../../kernel/values/cut-text.ts'

export interface Thinking {
  use: ToolUse
  instructions: string
  history: Prompt
  signal: AbortSignal
  recheck(): Promise<MemberCaller>
  onText(piece: string): void
  onTool(name: string): void
}

export interface Thought {
  text: string
  cost_micro: MicroEuro
  /** The reason why the answer ended early; null if the model completed it. */
  ended_by: unknown
}

/** Never throws: an answer that ends early is returned with its reason and its cost. */
export async function think(thinking: Thinking): Promise<Thought> {
  const { use, instructions, signal, recheck, onTool } = thinking
  const messages: Prompt = [...thinking.history]
  let text = ''
  let cost_micro = 0n
  const onText = (piece: string) => {
    text += piece
    thinking.onText(piece)
  }
  try {
    for (let step = 1; step <= limits.portal_answer_requests_max; step += 1) {
      const is_last = step === limits.portal_answer_requests_max || isFull(messages)
      if (step > 1 && text !== '' && !text.endsWith('\n')) onText('\n')
      const answer = await requestModel(await recheck(), {
        conversation_id: use.conversation_id,
        instructions,
        messages,
        tools: is_last ? undefined : listTools(),
        signal,
        onText,
      })
      cost_micro += answer.cost_micro
      if (answer.calls.length === 0 || is_last) break
      messages.push(toAssistant(answer.text, answer.calls))
      for (const call of answer.calls) {
        onTool(call.name)
        const value = await runTool(await recheck(), call, use)
        messages.push(toResult(call, value))
      }
    }
    return { text: text.trim(), cost_micro, ended_by: null }
  } catch (error) {
    const is_interrupted = error instanceof Interrupted
    const cost = cost_micro + (is_interrupted ? error.cost_micro : 0n)
    return { text: text.trim(), cost_micro: cost, ended_by: is_interrupted ? error.cause : error }
  }
}

/** Whether the next result of a tool could exceed the longest prompt. */
function isFull(messages: Prompt): boolean {
  return JSON.stringify(messages).length > PROMPT_CHARACTERS_MAX - RESERVED_CHARACTERS
}

/** Part of the prompt for the instructions, the tools, and the results of one step. */
const RESERVED_CHARACTERS = 26_000
const RESULT_CHARACTERS_MAX = 8_000

function toAssistant(text: string, calls: readonly ModelCall[]): Prompt[number] {
  return {
    role: 'assistant',
    content: [
      ...(text === '' ? [] : [{ type: 'text' as const, text }]),
      ...calls.map(({ id, name, input }) => ({
        type: 'tool-call' as const,
        toolCallId: id,
        toolName: name,
        input: parsed(input),
      })),
    ],
  }
}

/** Arguments in the prompt must be an object, also if the model sent invalid JSON. */
function parsed(input: string): object {
  try {
    const value: unknown = JSON.parse(input)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

function toResult({ id, name }: ModelCall, value: string): Prompt[number] {
  const cut =
    value.length > RESULT_CHARACTERS_MAX
      ? `${cutText(value, RESULT_CHARACTERS_MAX)}… (cut: ask for less)`
      : value
  const result = { type: 'tool-result' as const, toolCallId: id, toolName: name }
  return { role: 'tool', content: [{ ...result, output: { type: 'text', value: cut } }] }
}
