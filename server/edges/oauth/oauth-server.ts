/**
 * The authorization server of a runtime. It is created at the first request that needs it, because
 * its library takes 16 MB of memory and not every installation has a connected program.
 */
import { createRequire } from 'node:module'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Provider } from 'oidc-provider'
import { loadInTurns, requiredFrom, type LoadPart } from '../../kernel/process/load-in-turns.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { sendErrorPage } from './error-page.ts'

export interface OAuthServer {
  provider: Provider
}

const servers = new WeakMap<Runtime, Promise<OAuthServer>>()

export function openOAuthServer(runtime: Runtime): Promise<OAuthServer> {
  const known = servers.get(runtime)
  if (known) return known
  const made = make(runtime)
  servers.set(runtime, made)
  // The next request tries again after a failure.
  made.catch(() => servers.delete(runtime))
  return made
}

/** Parts of the library, each after the parts that it needs. */
function partsOfLibrary(): LoadPart[] {
  const library = import.meta.resolve('oidc-provider/lib/provider.js')
  const koa = createRequire(library).resolve('koa')
  return [
    () => import('oidc-provider/lib/helpers/initialize_keystore.js'),
    () => import('oidc-provider/lib/helpers/configuration.js'),
    () => import('oidc-provider/lib/models/index.js'),
    () => import('oidc-provider/lib/helpers/initialize_app.js'),
    ...requiredFrom(koa, ['http-errors', 'type-is', 'mime-types', 'cookies', './request', koa]),
    () => import('oidc-provider/lib/provider.js'),
  ]
}

async function make(runtime: Runtime): Promise<OAuthServer> {
  await loadInTurns(partsOfLibrary())
  const { createProvider } = await import('./provider/provider.ts')
  await nextTurn()
  return { provider: createProvider(runtime, { fault: sendErrorPage }) }
}
