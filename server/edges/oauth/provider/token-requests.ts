/**
 * Makes each request to the token endpoint one transaction. The library consumes a code or refresh
 * token before it has checked the whole request, so its writes are collected and written when it has
 * accepted the request: a refused request consumes nothing, and no token is lost by a failure.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { KoaContextWithOIDC, Provider } from 'oidc-provider'
import { InvalidGrant, InvalidTarget } from 'oidc-provider/lib/helpers/errors.js'
import instance from 'oidc-provider/lib/helpers/weak_cache.js'
import type { Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { isOwnResource, toAudience } from '../../oauth-addresses.ts'

/** Returns false if a code or refresh token was used before, which may have ended its grant. */
export type Write = (tx: Transaction) => Promise<boolean>

const collected = new AsyncLocalStorage<Write[]>()

/** Writes at once, or collects the write if a token request is being handled. */
export async function writeOrCollect(runtime: Runtime, write: Write): Promise<void> {
  const writes = collected.getStore()
  if (writes) writes.push(write)
  else await writeAll(runtime, [write])
}

/** Stops at the first refused write, and keeps the earlier ones. */
async function writeAll({ db }: Runtime, writes: readonly Write[]): Promise<void> {
  const accepted = await db.transact(async (tx) => {
    for (const write of writes) if (!(await write(tx))) return false
    return true
  })
  if (!accepted) throw new InvalidGrant('it was used already')
}

export function makeTokenRequestsAtomic(runtime: Runtime, provider: Provider): void {
  const { grantTypeHandlers: handlers } = instance(provider)
  for (const [grant_type, handle] of handlers) {
    handlers.set(grant_type, async (ctx) => {
      readResource(runtime, ctx)
      const writes: Write[] = []
      await collected.run(writes, () => handle(ctx))
      await writeAll(runtime, writes)
    })
  }
}

/** Replaces each spelling of our resource by the audience; refuses any other resource. */
function readResource(runtime: Runtime, { oidc: { params } }: KoaContextWithOIDC): void {
  const named = [params?.['resource'] ?? []].flat().map(String)
  if (!named.every((resource) => isOwnResource(runtime, resource))) {
    throw new InvalidTarget('the resource is unknown')
  }
  if (params && named.length > 0) params['resource'] = toAudience(runtime)
}
