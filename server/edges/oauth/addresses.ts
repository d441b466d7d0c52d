/**
 * URLs of the authorization server and the audience of its tokens. MCP and the API share one
 * audience: a token works for both, because both expose the same operations.
 */
import { scopeNames, scopes, type Scope } from '../../contract/scopes.ts'
import type { Runtime } from '../../kernel/runtime.ts'

export const oauthPaths = {
  authorize: '/oauth/authorize',
  token: '/oauth/token',
  revoke: '/oauth/revoke',
  register: '/oauth/register',
  keys: '/oauth/jwks',
} as const

/** Entry points that accept tokens, relative to the origin. */
export const MCP_PATH = '/mcp'
export const API_PATH = '/api/v1'
export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource'

/** The consent page. */
export const CONSENT_PATH = '/portal/connect'

/** The default scopes of a client that requests none: read-only ones. */
export const readingScopes: readonly Scope[] = scopeNames.filter((name) => scopes[name].read_only)

/** Returns the identifier of the audience. */
export function toAudience({ config }: Runtime): string {
  return config.public_url + MCP_PATH
}

/**
 * Maps a resource indicator to the audience's identifier; null if it names another server. The MCP
 * URL may have a query, which filters the tools of a connection (`edges/mcp/tools/view.ts`).
 */
export function resolveResource(runtime: Runtime, resource: string): string | null {
  const names = listAudienceNames(runtime)
  if (names.includes(resource)) return resource
  const [address = '', query] = resource.split('?')
  const is_mcp = address.replace(/\/$/, '') === toAudience(runtime)
  return query !== undefined && is_mcp && !query.includes('#') ? toAudience(runtime) : null
}

/**
 * Returns every accepted identifier: each entry point and the origin, with and without a trailing
 * slash.
 */
export function listAudienceNames({ config }: Runtime): string[] {
  return ['', MCP_PATH, API_PATH].flatMap((path) => {
    const name = config.public_url + path
    return [name, `${name}/`]
  })
}
