/**
 * URLs of the authorization server and the audience of its tokens. MCP and the API share one
 * audience: a token works for both, because both expose the same operations.
 */
import { scopeNames, scopes, type Scope } from '../contract/scopes.ts'
import type { Runtime } from '../kernel/runtime.ts'

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
 * Whether a resource indicator names this service: MCP, the API or the origin, however it is spelled.
 * The MCP URL may have a query, which filters the tools of a connection (`edges/mcp/tools/view.ts`).
 */
export function isOwnResource({ config }: Runtime, resource: string): boolean {
  const url = URL.parse(resource)
  if (!url || url.username !== '' || url.password !== '' || resource.includes('#')) return false
  const own = new URL(config.public_url).href.replace(/\/$/, '')
  const address = (url.origin + url.pathname).replace(/\/$/, '')
  const paths = url.search === '' ? ['', MCP_PATH, API_PATH] : [MCP_PATH]
  return paths.some((path) => address === own + path)
}
