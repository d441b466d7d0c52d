/**
 * WWW-Authenticate headers for OAuth clients (RFC 6750, RFC 9728): the error, and the URL of the
 * resource metadata.
 */
import { Problem } from '../contract/errors.ts'
import { scopeNames, type Scope } from '../contract/scopes.ts'
import type { Runtime } from '../kernel/runtime.ts'
import { RESOURCE_METADATA, type API_PATH, type MCP_PATH } from './oauth-addresses.ts'

export interface BearerChallenge {
  entry_point: typeof MCP_PATH | typeof API_PATH
  error?: 'invalid_token' | 'insufficient_scope'
  /** The scopes that the client should request. */
  scopes: readonly Scope[]
}

export function writeChallenge(
  { config }: Runtime,
  { entry_point, error, scopes }: BearerChallenge,
): string {
  return [
    'Bearer realm="Homeport"',
    ...(error === undefined ? [] : [`error="${error}"`]),
    ...(scopes.length === 0 ? [] : [`scope="${scopes.join(' ')}"`]),
    `resource_metadata="${config.public_url}${RESOURCE_METADATA}${entry_point}"`,
  ].join(', ')
}

/** Returns the granted scopes and those that the operation needs. */
export function listScopesToRequest(
  granted: ReadonlySet<Scope>,
  needed: readonly Scope[],
): Scope[] {
  return scopeNames.filter((scope) => granted.has(scope) || needed.includes(scope))
}

export function addChallenge({ slug, detail, extra }: Problem, value: string): Problem {
  const headers = { ...extra.headers, 'WWW-Authenticate': value }
  return new Problem(slug, detail, { ...extra, headers })
}
