/**
 * Pays for requests of the portal assistant to a configured language model. The most that a request
 * can cost is held before it, and its real cost is charged after it. In test mode the free replies
 * of the day are used first. Without a configured model nothing is paid.
 */
import { Problem } from '../../../contract/errors.ts'
import type { MemberCaller } from '../../../contract/people.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import type { MicroEuro } from '../../../kernel/values/money.ts'
import { newId } from '../../../kernel/values/ids.ts'
import * as assistant from '../../assistant/service.ts'
import * as billing from '../../billing/service.ts'
import * as projects from '../../projects/service.ts'

export interface Tokens {
  input: number
  output: number
}

/** Most tokens of one request. The length of a prompt is limited accordingly (prompt.ts). */
export const REQUEST_TOKENS_MAX: Tokens = { input: 30_000, output: 2_000 }
/** A hold that outlives its process is released after this time. */
const HOLD_LASTS_S = 600

type Payment =
  | { kind: 'free'; project_id: string; day: string }
  | { kind: 'hold'; project_id: string; hold_id: string; held_micro: MicroEuro }

/** A reservation for one request. */
export interface Reservation {
  /** Charges the tokens. Returns the charged amount. */
  settle(tokens: Tokens): Promise<MicroEuro>
  /** Undoes the reservation of a request that failed. */
  refund(): Promise<void>
}

type Payer = Pick<MemberCaller, 'runtime' | 'db' | 'project' | 'mode'>

/**
 * Throws a Problem with status 402 if the first request is neither free nor covered by the balance.
 */
export async function requirePayable(caller: Payer): Promise<void> {
  const { runtime, db, project, mode } = caller
  if (mode === 'test' && (await assistant.hasFreeReply(db, runtime, project.id))) return
  await refusing(caller, () =>
    billing.requireAffordable(db, runtime, {
      project_id: projects.findPayingProject(project),
      amount_micro: priceOf(runtime, REQUEST_TOKENS_MAX),
    }),
  )
}

export async function reserve(caller: Payer, conversation_id: string): Promise<Reservation> {
  const { runtime, project, mode } = caller
  const payment = await refusing(caller, () =>
    runtime.db.transact(async (tx): Promise<Payment> => {
      const day = mode === 'test' ? await assistant.takeFreeReply(tx, runtime, project.id) : null
      if (day !== null) return { kind: 'free', project_id: project.id, day }
      return holdFor(tx, runtime, {
        project_id: projects.findPayingProject(project),
        conversation_id,
      })
    }),
  )
  return {
    settle: (tokens) => settle(runtime, payment, tokens),
    async refund() {
      await runtime.db.transact(async (tx) => {
        if (payment.kind === 'free') await assistant.returnFreeReply(tx, payment)
        else await billing.release(tx, runtime, payment)
      })
    },
  }
}

async function holdFor(
  tx: Transaction,
  runtime: Runtime,
  { project_id, conversation_id }: { project_id: string; conversation_id: string },
): Promise<Payment> {
  const held_micro = priceOf(runtime, REQUEST_TOKENS_MAX)
  const hold_id = await billing.hold(tx, runtime, {
    project_id,
    amount_micro: held_micro,
    source: 'ai',
    description: 'Portal assistant',
    reference_id: conversation_id,
    reference: `portal:${newId(runtime.clock)}`,
    lasts_s: HOLD_LASTS_S,
  })
  return { kind: 'hold', project_id, hold_id, held_micro }
}

async function settle(runtime: Runtime, payment: Payment, tokens: Tokens): Promise<MicroEuro> {
  if (payment.kind === 'free') return 0n
  const { project_id, hold_id, held_micro } = payment
  const price = priceOf(runtime, tokens)
  const amount_micro = price < held_micro ? price : held_micro
  const quantity = tokens.input + tokens.output
  const state = await runtime.db.transact((tx) =>
    billing.settle(tx, runtime, { project_id, hold_id, amount_micro, quantity, unit: 'tokens' }),
  )
  return state === 'settled' ? amount_micro : 0n
}

/** Rounded up to a whole micro-euro. */
function priceOf(runtime: Runtime, { input, output }: Tokens): MicroEuro {
  const of_million =
    BigInt(input) * billing.findPrice(runtime, 'model.tokens_in') +
    BigInt(output) * billing.findPrice(runtime, 'model.tokens_out')
  return (of_million + 999_999n) / 1_000_000n
}

/** In test mode, replaces a refusal of the balance by test_free_replies_used. */
async function refusing<R>({ mode }: Payer, spend: () => Promise<R>): Promise<R> {
  try {
    return await spend()
  } catch (cause) {
    if (mode !== 'test' || !(cause instanceof Problem) || cause.status !== 402) throw cause
    const detail =
      'The free replies of today are used up, and the balance of the live project does not pay ' +
      `for more. ${cause.detail}`
    throw new Problem('test_free_replies_used', detail, { cause })
  }
}
