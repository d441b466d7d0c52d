/**
 * Pays for the requests of test calls to a configured language model: each day a number of them is
 * free, further ones are charged to the live project's balance. The built-in model is always free.
 */
import type { Reader, Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import type { MicroEuro } from '../../../kernel/values/money.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import * as billing from '../../billing/service.ts'
import * as projects from '../../projects/service.ts'
import * as store from './store.ts'

/** The test call that a model request belongs to. */
export interface TestCall {
  project_id: string
  call_id: string
}

interface Tokens {
  inputTokens: number | undefined
  outputTokens: number | undefined
}

type Payment =
  | { kind: 'free'; day: string }
  | { kind: 'hold'; project_id: string; hold_id: string; held_micro: MicroEuro }

/** Maximum tokens of one request. Their price is held before the request. */
const REQUEST_TOKENS_MAX: Tokens = { inputTokens: 30_000, outputTokens: 4_000 }
/**
 * Lifetime of a hold. A request takes seconds; a hold that outlives its process is released after
 * this time.
 */
const HOLD_LASTS_S = 600
const replies_max = limits.test_replies_free_per_day

/**
 * Throws test_free_replies_used if the next reply would neither be free nor be covered by the
 * balance.
 */
export async function requireReply(runtime: Runtime, { project_id }: TestCall): Promise<void> {
  if (isFree(runtime)) return
  const { db } = runtime
  if ((await store.countUsed(db, { project_id, day: today(runtime) })) < replies_max) return
  await refusingAsUsed(async () => {
    const payer = await payerOf(db, project_id)
    await billing.requireAffordable(db, runtime, {
      project_id: payer,
      amount_micro: maxPrice(runtime),
    })
  })
}

/**
 * Runs a model request and pays for it. `call` is null outside of test mode, where it costs
 * nothing. Throws test_free_replies_used, without a request, if nothing can pay for it. A request
 * that fails costs nothing.
 */
export async function payForRequest<R extends { readonly usage: Tokens }>(
  runtime: Runtime,
  call: TestCall | null,
  request: () => Promise<R>,
): Promise<R> {
  if (call === null || isFree(runtime)) return request()
  const payment = await reserve(runtime, call)
  let result: R
  try {
    result = await request()
  } catch (error) {
    await refund(runtime, call, payment)
    throw error
  }
  await settle(runtime, payment, result.usage)
  return result
}

function reserve(runtime: Runtime, call: TestCall): Promise<Payment> {
  const { project_id, call_id } = call
  const day = today(runtime)
  return refusingAsUsed(() =>
    runtime.db.transact(async (tx): Promise<Payment> => {
      if (await store.countReply(tx, { project_id, day, replies_max })) return { kind: 'free', day }
      const payer = await payerOf(tx, project_id)
      const held_micro = maxPrice(runtime)
      const hold_id = await billing.hold(tx, runtime, {
        project_id: payer,
        amount_micro: held_micro,
        source: 'ai',
        description: 'AI reply in a test call',
        reference_id: call_id,
        reference: `test-reply:${newId(runtime.clock)}`,
        lasts_s: HOLD_LASTS_S,
      })
      return { kind: 'hold', project_id: payer, hold_id, held_micro }
    }),
  )
}

async function refund(runtime: Runtime, { project_id }: TestCall, payment: Payment): Promise<void> {
  await runtime.db.transact(async (tx: Transaction) => {
    if (payment.kind === 'free') await store.uncountReply(tx, { project_id, day: payment.day })
    else await billing.release(tx, runtime, payment)
  })
}

async function settle(runtime: Runtime, payment: Payment, usage: Tokens): Promise<void> {
  if (payment.kind === 'free') return
  const { project_id, hold_id, held_micro } = payment
  const price = priceOf(runtime, usage)
  const amount_micro = price < held_micro ? price : held_micro
  const quantity = (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0)
  await runtime.db.transact((tx) =>
    billing.settle(tx, runtime, { project_id, hold_id, amount_micro, quantity, unit: 'tokens' }),
  )
}

/** Runs `spend`, and replaces its Problem by test_free_replies_used. */
async function refusingAsUsed<R>(spend: () => Promise<R>): Promise<R> {
  try {
    return await spend()
  } catch (cause) {
    if (!(cause instanceof Problem)) throw cause
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

function isFree({ config }: Runtime): boolean {
  return config.model.provider === 'builtin'
}

function today({ clock, config }: Runtime): string {
  return billing.toDay(clock.now(), config.billing_timezone)
}

function maxPrice(runtime: Runtime): MicroEuro {
  return priceOf(runtime, REQUEST_TOKENS_MAX)
}

/**
 * Returns the price of the tokens, rounded up to a whole micro-euro. Tokens that the provider does
 * not report cost nothing.
 */
function priceOf(runtime: Runtime, { inputTokens = 0, outputTokens = 0 }: Tokens): MicroEuro {
  const of_million =
    BigInt(inputTokens) * billing.findPrice(runtime, 'model.tokens_in') +
    BigInt(outputTokens) * billing.findPrice(runtime, 'model.tokens_out')
  return (of_million + 999_999n) / 1_000_000n
}
