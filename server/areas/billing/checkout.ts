/**
 * A top-up that is paid on a page of the payment provider. The page is opened before the row is
 * written: if the process dies in between, no person has the URL of the page, so nothing can be
 * paid on it. The provider is asked for the outcome when the person returns, and every minute until
 * the checkout ends. The transaction that ends the checkout credits the balance, once.
 */
import type { Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { SignedInPerson } from '../../contract/people.ts'
import { toProjectUrl } from '../../contract/manifest/portal-pages.ts'
import type { Reader } from '../../kernel/database/database.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { newId } from '../../kernel/values/ids.ts'
import { reconciler } from '../../kernel/jobs/jobs.ts'
import { euroFromMicro } from '../../kernel/values/money.ts'
import { PaymentUnknown, type CheckoutOutcome } from '../../providers/payments/payment-contract.ts'
import { paymentsOf } from '../../providers/payments/payments.ts'
import * as projects from '../projects/service.ts'
import { setAutoReload } from './reload/auto-reload.ts'
import { readCents } from './cents.ts'
import * as store from './checkout-store.ts'
import type { TopUpInput, TopUpOrder } from './people-schema.ts'
import { topUp } from './ledger/top-up.ts'

const LOOKED_AT_MAX = 200
const RETRY_AFTER_S = 30
const SHOWN_MAX = 20

type MemberContext = Pick<Caller, 'runtime' | 'db' | 'project'>

/** Opens a payment page for a top-up. */
export async function orderTopUp(
  caller: MemberContext & { person: SignedInPerson },
  input: TopUpInput,
): Promise<TopUpOrder> {
  const { runtime, db, person } = caller
  const payments = paymentsOf(runtime)
  if (payments === null) throw noProvider()
  const project_id = projects.findPayingProject(caller.project)
  await requireRoom(db, project_id)
  const id = newId(runtime.clock)
  const created_at = runtime.clock.now()
  const expires_at = new Date(created_at.getTime() + limits.top_up_open_s * 1000)
  const page = toProjectUrl(runtime.config, caller.project.id, '/billing')
  const order = {
    amount_micro: readCents('/amount_eur', input.amount_eur),
    reference: id,
    description: `Top-up of the prepaid balance of ${caller.project.name}`.slice(0, 200),
    email: person.email,
    saves_card: input.save_card ?? false,
    expires_at,
    done_url: `${page}?top_up=${id}`,
    back_url: page,
  }
  const opened = await payments.openCheckout(order).catch(refuseUnknown)
  const { amount_micro, saves_card } = order
  const row = { project_id, id, amount_micro, saves_card, created_at, expires_at, ...opened }
  return present(await insertCounted(db, { ...row, made_by: person.id }))
}

/**
 * Inserts the top-up. Counts again under the lock of the project, because other requests may have
 * opened pages meanwhile.
 */
function insertCounted(
  db: MemberContext['db'],
  row: store.NewCheckout,
): Promise<store.CheckoutRow> {
  return db.transact(async (tx) => {
    await projects.lock(tx, row.project_id)
    await requireRoom(tx, row.project_id)
    return store.insert(tx, row)
  })
}

async function requireRoom(db: Reader, project_id: string): Promise<void> {
  if ((await store.countOpen(db, project_id)) >= limits.top_ups_open_max) throw tooManyOpen()
}

function noProvider(): Problem {
  const user_message = 'This server has no payment provider, so only its operator can top up.'
  return new Problem('conflict', user_message, {
    user_message,
    next_step: 'Ask the operator of this server to add to the balance.',
  })
}

function tooManyOpen(): Problem {
  const user_message = `${limits.top_ups_open_max} top-ups are waiting to be paid already.`
  return new Problem('conflict', user_message, {
    user_message,
    next_step: 'Pay one of those that are open, or wait until they have run out.',
  })
}

function refuseUnknown(error: unknown): never {
  if (!(error instanceof PaymentUnknown)) throw error
  throw new Problem('service_unavailable', 'The payment provider does not answer at the moment.', {
    retry_after_s: RETRY_AFTER_S,
    cause: error,
  })
}

/** Returns the latest top-ups of the project, newest first. */
export async function listTopUps({ db, project }: MemberContext): Promise<{ data: TopUpOrder[] }> {
  const project_id = projects.findPayingProject(project)
  return { data: (await store.list(db, { project_id, limit: SHOWN_MAX })).map(present) }
}

/**
 * Returns a top-up after asking the provider for its state; the stored state if there is no answer.
 */
export async function checkTopUp(
  { runtime, db, project }: MemberContext,
  id: string,
): Promise<TopUpOrder> {
  const wanted = { project_id: projects.findPayingProject(project), id }
  const row = await store.find(db, wanted)
  if (!row) throw new Problem('not_found', 'There is no top-up with this id.')
  if (row.state !== 'open') return present(row)
  await look(runtime, row)
  return present((await store.find(db, wanted)) ?? row)
}

/** Checks every open checkout, because some people close the window after paying. */
export const checkOpenCheckouts = reconciler({
  name: 'billing.open_checkouts',
  every_s: 60,
  async run(runtime) {
    for (const row of await store.listOpen(runtime.db, LOOKED_AT_MAX)) await look(runtime, row)
  },
})

async function look(runtime: Runtime, row: store.CheckoutRow): Promise<void> {
  const outcome = await paymentsOf(runtime)?.readCheckout(row.checkout).catch(logUnknown(runtime))
  if (!outcome || outcome.state === 'open') return
  const { project_id, id, amount_micro } = row
  const reference = `checkout:${id}`
  await runtime.db.transact(async (tx) => {
    // Lock order: the project before the ledger accounts.
    await projects.lock(tx, project_id)
    const now = runtime.clock.now()
    if (!(await store.end(tx, { project_id, id, state: outcome.state, now }))) return
    if (outcome.state === 'expired') return
    if (outcome.is_authenticated) await projects.setPaymentAuthenticated(tx, project_id)
    if (outcome.card) await setAutoReload(tx, runtime, { project_id, card: outcome.card })
    const order = { project_id, amount_micro, reference, reference_id: id } as const
    await topUp(tx, runtime, { ...order, source: 'payment', description: 'Top-up by card' })
  })
}

/** Returns a handler that logs a missing answer of the provider; the reconciler asks again. */
function logUnknown({ log }: Runtime): (error: unknown) => CheckoutOutcome | null {
  return (error) => {
    if (!(error instanceof PaymentUnknown)) throw error
    log.warn({ err: error }, 'the payment provider did not report the outcome of a top-up')
    return null
  }
}

function present(row: store.CheckoutRow): TopUpOrder {
  const { id, state, amount_micro, saves_card, url, created_at, expires_at } = row
  return {
    id,
    state,
    amount_eur: euroFromMicro(amount_micro),
    save_card: saves_card,
    url: state === 'open' ? url : null,
    created_at: created_at.toISOString(),
    expires_at: expires_at.toISOString(),
  }
}
