/**
 * The account of a project at a payment provider. Test mode works without one, on the built-in
 * provider. Only the owner connects an account, because it gets the money of the customers.
 */
import { mayBeReal, type Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import type { MemberCaller } from '../../../contract/people.ts'
import type { Reader } from '../../../kernel/database/database.ts'
import { newId } from '../../../kernel/values/ids.ts'
import type { CheckoutProvider } from '../../../providers/checkout/checkout-contract.ts'
import type { PaymentAccount, PaymentAccountInput } from './account-schema.ts'
import * as store from './account-store.ts'

type Asking = Pick<Caller, 'db' | 'project' | 'mode'>

export async function showAccount(caller: Asking): Promise<PaymentAccount> {
  const { db, project, mode } = caller
  const real = await store.find(db, { project_id: project.id, test: false })
  const is_real = mayBeReal(caller, 'payments')
  const provider = is_real ? (real?.provider ?? null) : 'builtin'
  const missing: PaymentAccount['missing'] = []
  if (mode === 'live' && !real) missing.push('account')
  if (mode === 'live' && !is_real) missing.push('go_live')
  return {
    provider,
    status: provider === null ? 'not_connected' : 'active',
    mode: is_real ? 'live' : 'test',
    methods: provider === 'builtin' ? ['test'] : [],
    missing,
    connected_at: real?.connected_at.toISOString() ?? null,
  }
}

/** The provider of new orders. */
export async function requireProvider(
  db: Reader,
  { project_id, test }: { project_id: string; test: boolean },
): Promise<CheckoutProvider> {
  if (test) return 'builtin'
  const account = await store.find(db, { project_id, test })
  if (account) return account.provider
  const detail = 'This project has no account at a payment provider for real orders.'
  throw new Problem('payment_account_missing', detail)
}

export async function putAccount(
  caller: MemberCaller,
  { provider }: PaymentAccountInput,
): Promise<PaymentAccount> {
  const { runtime, db, project } = caller
  const key = { project_id: project.id, test: false }
  if (provider === 'builtin' && runtime.config.production) {
    throw refuse('is for tests only: it moves no money')
  }
  if (provider !== null && provider !== 'builtin') throw refuse('is not available on this server')
  await db.transact(async (tx) => {
    if (provider === null) return store.remove(tx, key)
    const connected_at = runtime.clock.now()
    await store.put(tx, { ...key, id: newId(runtime.clock), provider, connected_at })
  })
  return showAccount(caller)
}

function refuse(message: string): Problem {
  return new Problem('validation_failed', `/provider ${message}.`, {
    errors: [{ path: '/provider', message }],
  })
}
