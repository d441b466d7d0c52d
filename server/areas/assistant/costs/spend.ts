/**
 * Pays for requests to a configured language model: the maximum price is held before a request, and
 * the price of its tokens is charged afterwards. In test mode a number of requests a day is free,
 * and further ones are charged to the live project. The built-in model is always free.
 */
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'
import type { MicroEuro } from '../../../kernel/values/money.ts'
import { BUILTIN, findModel } from '../../../providers/model/model.ts'
import * as billing from '../../billing/service.ts'
import * as projects from '../../projects/service.ts'
import * as store from './store.ts'
import {
  countTokens,
  requestTokensMax,
  type ReportedUsage,
  type RequestSize,
  type TokenUsage,
} from './tokens.ts'

/** The project that makes a model request, and the purpose of the request. */
export interface Spender {
  project_id: string
  area: store.UsageArea
  /** Id of the call or conversation, for the transactions of the balance. */
  reference_id: string
  test: boolean
  /** A further limit of requests that `payForRequest` pays for. */
  limit?: SpendingLimit
}

/**
 * Reserves the payment within a limit, in the same transaction; throws the Problem of the limit. The
 * returned function replaces the reserved amount by the actual one; null if nothing is reserved.
 */
export type SpendingLimit = (tx: Transaction, payment: Payment) => Promise<CorrectSpending | null>

type CorrectSpending = (tx: Transaction, cost_micro: MicroEuro) => Promise<void>

export interface SpenderWithModel extends Spender {
  /** The name of the model, as `modelOf` returns it. */
  model: string
}

export type Payment =
  | { kind: 'none' }
  | { kind: 'free'; day: string }
  | { kind: 'hold'; project_id: string; hold_id: string; held_micro: MicroEuro }

/** The cost of a request. */
export interface Paid {
  usage: TokenUsage
  cost_micro: MicroEuro
}

/**
 * Lifetime of a hold. A request takes seconds; a hold that outlives its process is released after
 * this time.
 */
const HOLD_LASTS_S = 600
const replies_max = limits.test_replies_free_per_day

/**
 * Throws test_free_replies_used, insufficient_balance or billing_blocked if the next request would
 * neither be free nor be covered by the balance.
 */
export async function requireReply(runtime: Runtime, spender: SpenderWithModel): Promise<void> {
  if (spender.model === BUILTIN) return
  const { db } = runtime
  const { project_id, test } = spender
  const day = today(runtime)
  if (test && (await store.countUsed(db, { project_id, day })) < replies_max) return
  await refusingAsUsed(test, async () => {
    const payer = await payerOf(db, project_id)
    const amount_micro = findMaximumPrice(runtime, spender.model)
    await billing.requireAffordable(db, runtime, { project_id: payer, amount_micro })
  })
}

/** Reserves the payment of one request. Throws like `requireReply`, writing nothing. */
export function reserve(
  tx: Transaction,
  runtime: Runtime,
  spender: SpenderWithModel,
): Promise<Payment> {
  const { project_id, reference_id, model, test } = spender
  if (model === BUILTIN) return Promise.resolve({ kind: 'none' })
  const day = today(runtime)
  return refusingAsUsed(test, async (): Promise<Payment> => {
    if (test && (await store.countReply(tx, { project_id, day, replies_max })))
      return { kind: 'free', day }
    const payer = await payerOf(tx, project_id)
    const held_micro = findMaximumPrice(runtime, model)
    const hold_id = await billing.hold(tx, runtime, {
      project_id: payer,
      amount_micro: held_micro,
      source: 'ai',
      description: describe(spender),
      reference_id,
      reference: `model:${newId(runtime.clock)}`,
      lasts_s: HOLD_LASTS_S,
    })
    return { kind: 'hold', project_id: payer, hold_id, held_micro }
  })
}

function describe({ area, test }: Spender): string {
  const what = { chat: 'a chat', agent: 'an agent', portal: 'the portal', voice: 'a call' } as const
  const where = area === 'summary' ? 'summary' : `reply in ${what[area]}`
  return `AI ${where}${test ? ' (test mode)' : ''}`
}

/** Undoes the reservation of a request that failed. */
export async function refund(
  tx: Transaction,
  runtime: Runtime,
  { spender, payment }: { spender: Spender; payment: Payment },
): Promise<void> {
  const { project_id } = spender
  if (payment.kind === 'free') await store.uncountReply(tx, { project_id, day: payment.day })
  if (payment.kind === 'hold') await billing.release(tx, runtime, payment)
}

/** Charges the tokens of a request and records its use. Returns what it cost. */
export async function settle(
  tx: Transaction,
  runtime: Runtime,
  spent: { spender: SpenderWithModel; payment: Payment; reported: ReportedUsage | null } & {
    size: RequestSize
  },
): Promise<Paid> {
  const { spender, payment, reported, size } = spent
  const { project_id, area, model, test } = spender
  const usage = payment.kind === 'none' ? nothing : countTokens(reported, size)
  const cost_micro =
    payment.kind === 'hold' ? await charge(tx, runtime, { payment, usage, model }) : 0n
  await store.addUsage(tx, {
    project_id,
    day: today(runtime),
    area,
    model,
    test,
    estimated_requests: usage.estimated ? 1 : 0,
    input_tokens: usage.input_tokens,
    cached_tokens: usage.cached_tokens,
    output_tokens: usage.output_tokens,
    cost_micro,
  })
  return { usage, cost_micro }
}

const nothing: TokenUsage = {
  input_tokens: 0,
  cached_tokens: 0,
  output_tokens: 0,
  estimated: false,
}

/** Returns the charged amount, which is never more than was held. */
async function charge(
  tx: Transaction,
  runtime: Runtime,
  {
    payment,
    usage,
    model,
  }: { payment: Extract<Payment, { kind: 'hold' }>; usage: TokenUsage; model: string },
): Promise<MicroEuro> {
  const { project_id, hold_id, held_micro } = payment
  const price = findPriceOf(runtime, model, usage)
  const amount_micro = price < held_micro ? price : held_micro
  const quantity = usage.input_tokens + usage.output_tokens
  const order = { project_id, hold_id, amount_micro, quantity, unit: 'tokens' }
  const state = await billing.settle(tx, runtime, order)
  return state === 'settled' ? amount_micro : 0n
}

export interface PaidRequest<Result> {
  spender: SpenderWithModel
  run(): Promise<Result>
  /** Reads the counts and the size of a successful request. */
  measure(result: Result): { reported: ReportedUsage | null; size: RequestSize }
}

/**
 * Runs a model request and pays for it, within the limit of its spender. A request that fails costs
 * nothing.
 */
export async function payForRequest<Result>(
  runtime: Runtime,
  { spender, run, measure }: PaidRequest<Result>,
): Promise<Result> {
  const { payment, correct } = await runtime.db.transact(async (tx) => {
    const payment = await reserve(tx, runtime, spender)
    return { payment, correct: await spender.limit?.(tx, payment) }
  })
  let result: Result
  try {
    result = await run()
  } catch (error) {
    await runtime.db.transact(async (tx) => {
      await refund(tx, runtime, { spender, payment })
      await correct?.(tx, 0n)
    })
    throw error
  }
  const spent = { spender, payment, ...measure(result) }
  await runtime.db.transact(async (tx) => {
    const { cost_micro } = await settle(tx, runtime, spent)
    await correct?.(tx, cost_micro)
  })
  return result
}

/** In test mode, replaces the Problem of `spend` by test_free_replies_used. */
async function refusingAsUsed<R>(test: boolean, spend: () => Promise<R>): Promise<R> {
  try {
    return await spend()
  } catch (cause) {
    if (!test || !(cause instanceof Problem)) throw cause
    const detail =
      `The ${replies_max} free replies of today are used up, and the balance of the live ` +
      `project does not pay for more. ${cause.detail}`
    throw new Problem('test_free_replies_used', detail, { cause })
  }
}

async function payerOf(db: Reader, project_id: string): Promise<string> {
  const project = await projects.find(db, project_id)
  const payer = project && (await projects.find(db, projects.findPayingProject(project)))
  if (!payer) throw new Problem('not_found', 'There is no live project.')
  return payer.id
}

function today({ clock, config }: Runtime): string {
  return billing.toDay(clock.now(), config.billing_timezone)
}

/** The most that one request to a model can cost. */
function findMaximumPrice(runtime: Runtime, model: string): MicroEuro {
  return model === BUILTIN ? 0n : findPriceOf(runtime, model, requestTokensMax)
}

const PARTS = 1_000_000

/** Returns the price of the tokens, rounded up to a whole micro-euro. */
function findPriceOf(
  runtime: Runtime,
  model: string,
  { input_tokens, output_tokens }: Pick<TokenUsage, 'input_tokens' | 'output_tokens'>,
): MicroEuro {
  const { price_factor } = findModel(runtime.config.model, model)
  const of_million =
    BigInt(input_tokens) * billing.findPrice(runtime, 'model.tokens_in') +
    BigInt(output_tokens) * billing.findPrice(runtime, 'model.tokens_out')
  const divisor = 1_000_000n * BigInt(PARTS)
  return (of_million * BigInt(Math.round(price_factor * PARTS)) + divisor - 1n) / divisor
}
