/** One request to the language model, streamed and paid for. */
import type { MemberCaller } from '../../../contract/people.ts'
import type { MicroEuro } from '../../../kernel/values/money.ts'
import { languageModel } from '../../../providers/model/model.ts'
import { REQUEST_TOKENS_MAX, reserve, type Tokens } from './pay.ts'
import type { CallOptions, Prompt } from './prompt.ts'

/** A token has at least this many characters in every language that models write. */
const CHARACTERS_PER_TOKEN = 2
export const PROMPT_CHARACTERS_MAX = REQUEST_TOKENS_MAX.input * CHARACTERS_PER_TOKEN

/** The model failed: it sent an error, nothing, or too much. */
class ModelFailed extends Error {
  override readonly name = 'ModelFailed'
}

export interface ModelCall {
  id: string
  name: string
  input: string
}

export interface ModelAnswer {
  text: string
  calls: ModelCall[]
  cost_micro: MicroEuro
}

export interface ModelRequest {
  conversation_id: string
  instructions: string
  messages: Prompt
  tools: CallOptions['tools']
  signal: AbortSignal
  onText(piece: string): void
}

const CALLS_MAX = 3
const INPUT_CHARACTERS_MAX = 16_000
const TEXT_CHARACTERS_MAX = 12_000

/**
 * A request that fails before the model says anything costs nothing. Otherwise it costs the tokens
 * that the provider reports, or an estimate if it reports none.
 */
export async function requestModel(
  caller: MemberCaller,
  request: ModelRequest,
): Promise<ModelAnswer> {
  const payment = await reserve(caller, request.conversation_id)
  const reading: Reading = { text: '', calls: [], tokens: null }
  try {
    await readAnswer(caller, request, reading)
  } catch (error) {
    const isSilent = reading.text === '' && reading.calls.length === 0 && reading.tokens === null
    const cost_micro = isSilent
      ? await payment.refund().then(() => 0n)
      : await payment.settle(reading.tokens ?? estimate(request, reading))
    throw new Interrupted(error, cost_micro)
  }
  const tokens = reading.tokens ?? estimate(request, reading)
  const cost_micro = await payment.settle(tokens)
  return { text: reading.text, calls: reading.calls, cost_micro }
}

/** A request that ended early, with what it cost. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
  readonly cost_micro: MicroEuro

  constructor(cause: unknown, cost_micro: MicroEuro) {
    super('The request to the language model ended early.', { cause })
    this.cost_micro = cost_micro
  }
}

interface Reading {
  text: string
  calls: ModelCall[]
  /** As the provider reports them; null until it does. */
  tokens: Tokens | null
}

async function readAnswer(
  { runtime }: MemberCaller,
  { instructions, messages, tools, signal, onText }: ModelRequest,
  reading: Reading,
): Promise<void> {
  const { stream } = await languageModel(runtime).doStream({
    prompt: [{ role: 'system', content: instructions }, ...messages],
    ...(tools && { tools, toolChoice: { type: 'auto' } }),
    maxOutputTokens: REQUEST_TOKENS_MAX.output,
    abortSignal: signal,
    // Asks the provider not to store the conversation.
    providerOptions: { openai: { store: false } },
  })
  for await (const part of stream) {
    signal.throwIfAborted()
    if (part.type === 'error')
      throw new ModelFailed('The model sent an error.', { cause: part.error })
    if (part.type === 'text-delta') {
      reading.text += part.delta
      if (reading.text.length > TEXT_CHARACTERS_MAX) throw new ModelFailed('It is too long.')
      onText(part.delta)
    }
    if (part.type === 'tool-call' && reading.calls.length < CALLS_MAX) {
      if (part.input.length > INPUT_CHARACTERS_MAX) throw new ModelFailed('It is too long.')
      reading.calls.push({ id: part.toolCallId, name: part.toolName, input: part.input })
    }
    if (part.type === 'finish') reading.tokens = tokensOf(part.usage)
  }
  if (reading.text === '' && reading.calls.length === 0)
    throw new ModelFailed('The model said nothing.')
}

interface Usage {
  inputTokens: { total: number | undefined }
  outputTokens: { total: number | undefined }
}

function tokensOf({ inputTokens, outputTokens }: Usage): Tokens | null {
  const [input, output] = [inputTokens.total, outputTokens.total]
  if (!isCount(input) || !isCount(output) || input + output === 0) return null
  return { input, output }
}

function isCount(value: number | undefined): value is number {
  return value !== undefined && Number.isSafeInteger(value) && value >= 0
}

function estimate({ instructions, messages }: ModelRequest, { text, calls }: Reading): Tokens {
  const tokens = (characters: number) => Math.ceil(characters / CHARACTERS_PER_TOKEN / 2)
  return {
    input: tokens(instructions.length + JSON.stringify(messages).length),
    output: tokens(text.length + JSON.stringify(calls).length),
  }
}
