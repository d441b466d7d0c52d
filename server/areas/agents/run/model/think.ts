/**
 * One request of a run to its language model. The most that it can cost is held before it. What the
 * model chose is stored in the transaction that charges it, so a killed process repeats the request
 * and pays once.
 */
import { randomUUID } from 'node:crypto'
import { Problem } from '../../../../contract/errors.ts'
import { BUILTIN, languageModel, modelOf } from '../../../../providers/model/model.ts'
import { refund, reserve, settle, type Payment } from '../../../assistant/service.ts'
import { findCostLeft, LimitReached } from '../steps/limits.ts'
import { outputOf, problemOf, type StepResult } from '../steps/result.ts'
import type { StepWork } from '../steps/step.ts'
import * as store from '../store.ts'
import { addCost } from '../usage-store.ts'
import type { ModelOutput } from './choices.ts'
import { listTools, writePrompt } from './prompt.ts'

const CALLS_MAX = 5
const INPUT_CHARACTERS_MAX = 16_000
const OUTPUT_TOKENS_MAX = 2_000

type ModelWork = Omit<StepWork, 'step'>

/** Thrown if a request is neither free nor covered by the balance. */
export class CannotPay extends Error {
  readonly reason: string
  constructor(reason: string) {
    super(`A request to the language model is not paid: ${reason}.`)
    this.reason = reason
  }
}

export async function think(work: ModelWork): Promise<StepResult> {
  const { caller, run, definition, done, seq } = work
  const { runtime } = caller
  const requests = done.filter(({ type }) => type === 'model').length
  if (requests >= definition.limits.max_steps_per_run) throw new LimitReached('steps_per_run')
  const model = modelOf(runtime.config.model, definition.model)
  if (model === BUILTIN) throw noModel()
  const spender = {
    project_id: run.project_id,
    area: 'agent' as const,
    reference_id: run.id,
    test: caller.mode === 'test',
    model,
  }
  const started_at = runtime.clock.now()
  const payment = await hold(work, spender)
  const answer = await ask(work, model).catch(async (error: unknown) => {
    await runtime.db.transact((tx) => refund(tx, runtime, { spender, payment }))
    throw error
  })
  return runtime.db.transact(async (tx) => {
    const { reported, size, output, is_cut } = answer
    const open = await store.lockOpenRun(tx, run)
    const { usage, cost_micro } = await settle(tx, runtime, { spender, payment, reported, size })
    if (!open) return 'waits'
    const { input_tokens, output_tokens, estimated } = usage
    await store.insertStep(tx, {
      project_id: run.project_id,
      run_id: run.id,
      seq,
      type: 'model',
      action: model,
      status: is_cut ? 'failed' : 'done',
      problem: is_cut ? JSON.stringify(problemOf(cutOff())) : null,
      output: outputOf(JSON.stringify(output)),
      usage: JSON.stringify({ input_tokens, output_tokens, estimated }),
      cost_micro,
      started_at,
      ended_at: runtime.clock.now(),
    })
    if (cost_micro > 0n) await addCost(tx, run, cost_micro)
    return 'next'
  })
}

function cutOff(): Problem {
  const user_message =
    'The answer of the language model was too long. Give the agent a smaller task.'
  return new Problem('conflict', user_message, { user_message })
}

function noModel(): Problem {
  const user_message = 'This agent needs a language model, and none is configured.'
  return new Problem('conflict', user_message, { user_message })
}

const PAYMENT_REQUIRED = 402

/** Never lets the cost exceed a limit of the agent: what is held counts as spent. */
async function hold(work: ModelWork, spender: Parameters<typeof reserve>[2]): Promise<Payment> {
  const { runtime } = work.caller
  try {
    return await runtime.db.transact(async (tx) => {
      const payment = await reserve(tx, runtime, spender)
      if (payment.kind !== 'hold') return payment
      const left = await findCostLeft(tx, work)
      if (left && left.micro < payment.held_micro) throw new LimitReached(left.limit)
      return payment
    })
  } catch (error) {
    if (!(error instanceof Problem) || error.status !== PAYMENT_REQUIRED) throw error
    // The specification has a slug of its own for agents.
    throw new CannotPay(error.slug.replace('_replies_', '_calls_'))
  }
}

async function ask(work: ModelWork, name: string) {
  const prompt = writePrompt(work)
  const asking = languageModel(work.caller.runtime, name).doGenerate({
    prompt,
    tools: listTools(work),
    toolChoice: { type: 'auto' },
    maxOutputTokens: OUTPUT_TOKENS_MAX,
    // Asks the provider not to store the conversation.
    providerOptions: { openai: { store: false } },
  })
  const { content, usage, finishReason } = await Promise.resolve(asking).catch(failShort)
  const reached_end = finishReason.unified !== 'length'
  const output: ModelOutput = { text: '', calls: [] }
  for (const part of content) {
    if (part.type === 'text') output.text += part.text
    if (part.type !== 'tool-call' || output.calls.length >= CALLS_MAX) continue
    const input = readArguments(part.input)
    // A call that was cut off within its arguments is none.
    if (input || reached_end)
      output.calls.push({ id: randomUUID(), name: part.toolName, input: input ?? {} })
  }
  const { inputTokens, outputTokens } = usage
  return {
    output,
    is_cut: !reached_end && output.calls.length === 0,
    reported: { inputTokens: inputTokens.total, outputTokens: outputTokens.total },
    size: {
      input_characters: JSON.stringify(prompt).length,
      output_characters: JSON.stringify(output).length,
    },
  }
}

/** Without the error of the client library, which holds the request and would be logged with it. */
function failShort(error: unknown): never {
  const name = error instanceof Error ? error.name : 'an error'
  const status =
    error instanceof Error && 'statusCode' in error ? ` ${String(error.statusCode)}` : ''
  throw new Error(`The language model did not answer: ${name}${status}.`)
}

/** Returns null if they are no JSON; the operation then says what is missing. */
function readArguments(text: string): Record<string, unknown> | null {
  if (text.length > INPUT_CHARACTERS_MAX) return null
  try {
    return { ...Object(JSON.parse(text)) }
  } catch {
    return null
  }
}
