/** The authorization server of a server, made when it is first needed, and for both of its doors. */
import type { Provider } from 'oidc-provider'
import type { Runtime } from '../../kernel/runtime.ts'
import { faultPage } from './fault-page.ts'

export interface OAuthServer {
  provider: Provider
}

const servers = new WeakMap<Runtime, Promise<OAuthServer>>()

/** Making it takes a quarter of a second, most of it to load the library. */
export function serverOf(runtime: Runtime): Promise<OAuthServer> {
  const known = servers.get(runtime)
  if (known) return known
  const made = make(runtime)
  servers.set(runtime, made)
  // What failed is tried again by whoever comes next.
  made.catch(() => servers.delete(runtime))
  return made
}

async function make(runtime: Runtime): Promise<OAuthServer> {
  const { createProvider } = await import('./provider.ts')
  return { provider: createProvider(runtime, { fault: faultPage }) }
}
