/**
 * The account of a project at a payment provider. Test mode works without one, on the built-in
 * provider. Only the owner connects an account, because it gets the money of the customers.
 */
import { mayBeReal, type Caller } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import type { MemberCaller } from '../../../contract/people.ts'
import type { Reader } from '../../../kernel/database/database.ts'
import { reconciler } from '../../../kernel/jobs/jobs.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'
import {
  CheckoutRefused,
  CheckoutUnknown,
  type AccountState,
  type CheckoutAccount,
  type CheckoutProvider,
} from '../../../providers/checkout/checkout-contract.ts'
import { callbackUrlOf, externalCheckout } from '../../../providers/checkout/checkouts.ts'
import type { PaymentAccount, PaymentAccountInput } from './account-schema.ts'
import * as store from './account-store.ts'
import { CALLBACK_PURPOSE, KEY_PURPOSE, unsealAccount } from './open-account.ts'

type Asking = Pick<Caller, 'db' | 'project' | 'mode'>

const CHECK_EVERY_S = 3_600
const CHECK_AT_A_TIME = 100

/** In live mode an external account is shown also before payments are live. */
export async function showAccount(caller: Asking): Promise<PaymentAccount> {
  const { db, project, mode } = caller
  const real = await store.find(db, { project_id: project.id, test: false })
  const is_real = mayBeReal(caller, 'payments')
  const is_shown = is_real || (mode === 'live' && Boolean(real?.sealed_key))
  const provider = is_shown ? (real?.provider ?? null) : 'builtin'
  const state = provider === 'builtin' || !real ? null : withCallbacks(real)
  const is_live = mode === 'live'
  const lacks = {
    account: is_live && !real,
    provider: state !== null && state.missing.length > 0,
    go_live: is_live && !is_real,
  }
  return {
    ...presentState(provider, state),
    mode: is_real ? 'live' : 'test',
    missing: (['account', 'provider', 'go_live'] as const).filter((one) => lacks[one]),
    ...presentTimes(real),
  }
}

/** Without a secret for callbacks the reconciliation still reads payments, but later. */
function withCallbacks({ provider, state, sealed_callback_secret }: store.AccountRow) {
  if (provider !== 'stripe' || state === null || sealed_callback_secret !== null) return state
  return { ...state, missing: [...state.missing, 'webhook_endpoint'] }
}

function presentState(provider: CheckoutProvider | null, state: AccountState | null) {
  const {
    status,
    methods,
    missing: missing_at_provider,
  } = state ?? {
    status: provider === null ? ('not_connected' as const) : ('active' as const),
    methods: provider === 'builtin' ? ['test'] : [],
    missing: [],
  }
  return { provider, status, methods, missing_at_provider }
}

function presentTimes(row: store.AccountRow | undefined) {
  return {
    connected_at: row?.connected_at.toISOString() ?? null,
    checked_at: row?.checked_at?.toISOString() ?? null,
  }
}

/** The provider of new orders; null without an account. */
export async function findProvider(
  db: Reader,
  { project_id, test }: { project_id: string; test: boolean },
): Promise<CheckoutProvider | null> {
  if (test) return 'builtin'
  return (await store.find(db, { project_id, test }))?.provider ?? null
}

/** The provider of new orders. Throws payment_account_missing without an account. */
export async function requireProvider(
  db: Reader,
  mode: { project_id: string; test: boolean },
): Promise<CheckoutProvider> {
  const provider = await findProvider(db, mode)
  if (provider !== null) return provider
  const detail = 'This project has no account at a payment provider for real orders.'
  throw new Problem('payment_account_missing', detail)
}

export async function putAccount(
  caller: MemberCaller,
  { provider, key }: PaymentAccountInput,
): Promise<PaymentAccount> {
  const { runtime, db, project } = caller
  const place = { project_id: project.id, test: false }
  if (provider === 'builtin' && runtime.config.production) {
    throw refuse('/provider', 'is for tests only: it moves no money')
  }
  if (provider === null) await db.transact((tx) => store.remove(tx, place))
  else if (provider === 'builtin') {
    const connected_at = runtime.clock.now()
    const none = { sealed_key: null, sealed_callback_secret: null, state: null, checked_at: null }
    const row = { ...place, ...none, id: newId(runtime.clock), provider, connected_at }
    await db.transact((tx) => store.put(tx, row))
  } else await connect(runtime, { ...place, provider, key })
  return showAccount(caller)
}

interface Connecting {
  project_id: string
  test: boolean
  provider: CheckoutAccount['provider']
  key: string | undefined
}

/** Without a key it reads the state of the connected account again. */
async function connect(runtime: Runtime, { key, ...place }: Connecting): Promise<void> {
  const { seal, clock, db } = runtime
  const { provider, project_id, test } = place
  const row = await store.find(db, place)
  const kept = row?.provider === provider ? row : null
  const known = kept && unsealAccount(runtime, kept)
  const secret = key ?? known?.key
  if (secret === undefined) throw refuse('/key', 'is needed to connect this provider')
  requireLive(runtime, secret)
  const account = { id: kept?.id ?? newId(clock), project_id, provider, key: secret }
  const state = await externalCheckout(runtime, account).inspect().catch(refuseKey)
  const kept_secret = known?.key === secret ? kept?.sealed_callback_secret : null
  const sealed_callback_secret = kept_secret || (await subscribe(runtime, account))
  const now = clock.now()
  await db.transact((tx) =>
    store.put(tx, {
      project_id,
      test,
      id: account.id,
      provider,
      sealed_key: seal.seal(secret, KEY_PURPOSE),
      sealed_callback_secret,
      state: JSON.stringify(state),
      connected_at: kept?.connected_at ?? now,
      checked_at: now,
    }),
  )
}

function requireLive({ config }: Runtime, key: string): void {
  if (!config.production || /^(?:sk_live_|rk_live_|live_)/.test(key)) return
  throw refuse('/key', 'must be a live key, because real orders are paid with it')
}

/** Returns the sealed secret of callbacks; null if there is none. */
async function subscribe(runtime: Runtime, account: CheckoutAccount): Promise<Buffer | null> {
  const url = callbackUrlOf(runtime, account)
  const secret = await externalCheckout(runtime, account).subscribe(url).catch(refuseKey)
  return secret === null ? null : runtime.seal.seal(secret, CALLBACK_PURPOSE)
}

function refuseKey(error: unknown): never {
  if (error instanceof CheckoutRefused) throw refuse('/key', 'is not accepted by the provider')
  if (!(error instanceof CheckoutUnknown)) throw error
  throw new Problem('service_unavailable', 'The payment provider cannot be reached now.')
}

/** Reads the state of accounts again, so that the owner sees what the provider wants. */
export const checkAccounts = reconciler({
  name: 'payments.check_accounts',
  every_s: CHECK_EVERY_S,
  async run(runtime) {
    const { db, clock } = runtime
    const before = new Date(clock.now_ms() - (CHECK_EVERY_S * 1000) / 2)
    for (const row of await store.listUnchecked(db, before, CHECK_AT_A_TIME)) {
      const account = unsealAccount(runtime, row)
      const state = account && (await inspect(runtime, account, row.state))
      const kept = { id: row.id, state: state ?? {}, checked_at: clock.now() }
      if (state) await db.transact((tx) => store.keepState(tx, kept))
    }
  },
})

async function inspect(
  runtime: Runtime,
  account: CheckoutAccount,
  before: AccountState | null,
): Promise<AccountState | null> {
  try {
    return await externalCheckout(runtime, account).inspect()
  } catch (error) {
    if (!(error instanceof CheckoutUnknown)) throw error
    if (!(error instanceof CheckoutRefused)) return before
    return { status: 'restricted', methods: [], missing: ['key'] }
  }
}

function refuse(path: string, message: string): Problem {
  return new Problem('validation_failed', `${path} ${message}.`, { errors: [{ path, message }] })
}
