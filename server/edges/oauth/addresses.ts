/**
 * Where the authorization server is, and what its tokens are for. MCP and the API are one audience:
 * a token for the one works for the other, because both are doors to the same operations.
 */
import { scopeNames, scopes, type Scope } from '../../contract/scopes.ts'
import type { Runtime } from '../../kernel/runtime.ts'

export const paths = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  revoke: '/oauth/revoke',
  register: '/oauth/register',
  keys: '/oauth/jwks',
} as const

/** The doors that tokens open, relative to the origin. */
export const MCP_PATH = '/mcp'
export const API_PATH = '/api/v1'
export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource'

/** Where a person decides. */
export const CONSENT_PATH = '/portal/connect'

/** What a program gets that does not say what it wants: nothing that changes anything. */
export const readingScopes: readonly Scope[] = scopeNames.filter((name) => scopes[name].read_only)

/** The name of the one audience. */
export function audienceOf({ config }: Runtime): string {
  return config.public_url + MCP_PATH
}

/**
 * The audience name that a resource indicator stands for; null when it is another server's. The
 * address of MCP may have a query, which narrows what a connection sees (`edges/mcp/view.ts`).
 */
export function resourceNamed(runtime: Runtime, resource: string): string | null {
  const names = namesOfAudience(runtime)
  if (names.includes(resource)) return resource
  const [address = '', query] = resource.split('?')
  const is_mcp = address.replace(/\/$/, '') === audienceOf(runtime)
  return query !== undefined && is_mcp && !query.includes('#') ? audienceOf(runtime) : null
}

/** By every name that a client may call it: each door and the origin, with and without a slash. */
export function namesOfAudience({ config }: Runtime): string[] {
  return ['', MCP_PATH, API_PATH].flatMap((path) => {
    const name = config.public_url + path
    return [name, `${name}/`]
  })
}
