/** The authorization server of a house, made when it is first needed, and for both of its doors. */
import type { Provider } from 'oidc-provider'
import type { House } from '../../kernel/house.ts'
import { faultPage } from './fault-page.ts'

export interface OAuthServer {
  provider: Provider
}

const servers = new WeakMap<House, Promise<OAuthServer>>()

/** Making it takes a quarter of a second, most of it to load the library. */
export function serverOf(house: House): Promise<OAuthServer> {
  const known = servers.get(house)
  if (known) return known
  const made = make(house)
  servers.set(house, made)
  // What failed is tried again by whoever comes next.
  made.catch(() => servers.delete(house))
  return made
}

async function make(house: House): Promise<OAuthServer> {
  const { createProvider } = await import('./provider.ts')
  return { provider: createProvider(house, { fault: faultPage }) }
}
