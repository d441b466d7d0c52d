/** The authorization server of a runtime, created on demand. */
import type { Provider } from 'oidc-provider'
import type { Runtime } from '../../kernel/runtime.ts'
import { faultPage } from './fault-page.ts'

export interface OAuthServer {
  provider: Provider
}

const servers = new WeakMap<Runtime, Promise<OAuthServer>>()

/** Creating it takes a quarter of a second, mostly to import the library. */
export function serverOf(runtime: Runtime): Promise<OAuthServer> {
  const known = servers.get(runtime)
  if (known) return known
  const made = make(runtime)
  servers.set(runtime, made)
  // A failed creation is retried by the next request.
  made.catch(() => servers.delete(runtime))
  return made
}

async function make(runtime: Runtime): Promise<OAuthServer> {
  const { createProvider } = await import('./provider.ts')
  return { provider: createProvider(runtime, { fault: faultPage }) }
}
