/**
 * Pending authorization requests for the consent page: the client, the redirect and the requested
 * scopes, and the person's decision. A request is available only in the browser that started it.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Provider } from 'oidc-provider'
import {
  credentials,
  openConnection,
  classifyRedirectUri,
} from '../../areas/connections/service.ts'
import type { ConnectionLimits } from '../../areas/connections/service.ts'
import type { Membership } from '../../areas/people/service.ts'
import type { Mode } from '../../contract/caller.ts'
import { isScope, type Scope } from '../../contract/scopes.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { setForwardedHeaders } from './oauth.ts'
import { openOAuthServer } from './oauth-server.ts'

export interface AuthorizationRequest {
  client: RequestingClient
  /** The redirect target. */
  back: { sort: 'web' | 'loopback' | 'app'; host: string; source: string }
  /** The requested scopes. */
  scopes: Scope[]
}

interface RequestingClient {
  id: string
  name: string
  /** The host of the metadata document; null for a registered client, whose name is unverified. */
  metadata_host: string | null
}

export interface OAuthExchange {
  runtime: Runtime
  request: FastifyRequest
  reply: FastifyReply
}

/**
 * Returns the pending request of this browser; null if it is not open or belongs to another
 * browser.
 */
export async function findAuthorizationRequest(
  exchange: OAuthExchange,
  uid: string,
): Promise<AuthorizationRequest | null> {
  const { provider } = await openOAuthServer(exchange.runtime)
  const found = await findInteraction(provider, exchange, uid)
  if (!found) return null
  const { params } = found
  const client = await provider.Client.find(String(params['client_id']))
  const back = backOf(String(params['redirect_uri']))
  if (!client || !back) return null
  const { clientId: id, clientName: name = '' } = client
  const metadata_host = id.startsWith('https://') ? new URL(id).host : null
  return {
    client: { id, name, metadata_host },
    back,
    scopes: String(params['scope']).split(' ').filter(isScope),
  }
}

async function findInteraction(provider: Provider, exchange: OAuthExchange, uid: string) {
  const { request, reply, runtime } = exchange
  setForwardedHeaders(runtime, request.raw)
  try {
    const found = await provider.interactionDetails(request.raw, reply.raw)
    return found.uid === uid ? found : null
  } catch (error) {
    // The library's error for a missing or wrong cookie and for a finished request.
    if (error instanceof Error && error.name === 'SessionNotFound') return null
    throw error
  }
}

/**
 * Describes a redirect target. A content security policy cannot name an IPv6 address, so the whole
 * scheme is allowed for one.
 */
function backOf(address: string): AuthorizationRequest['back'] | null {
  const sort = classifyRedirectUri(address)
  const url = URL.parse(address)
  if (sort === null || !url) return null
  if (sort === 'app') return { sort, host: url.protocol, source: url.protocol }
  return { sort, host: url.host, source: url.host.startsWith('[') ? 'http:' : url.origin }
}

export interface ConsentDecision {
  person_id: string
  membership: Membership
  mode: Mode
  scopes: readonly Scope[]
  access: ConnectionLimits
}

/** Opens the connection and returns the redirect URL; null if the request is no longer open. */
export async function allowRequest(
  exchange: OAuthExchange,
  uid: string,
  { waiting, decision }: { waiting: AuthorizationRequest; decision: ConsentDecision },
): Promise<string | null> {
  const { runtime, request, reply } = exchange
  const { provider } = await openOAuthServer(runtime)
  const found = await findInteraction(provider, exchange, uid)
  if (!found) return null
  const { id, name } = waiting.client
  const client = { id, name, redirect_host: waiting.back.host }
  const key = await openConnection(runtime, { ...decision, client })
  const grant = await credentials.findGrant(runtime, credentials.toGrantId(key))
  // The person's selection replaces the requested scopes.
  found.params = { ...found.params, scope: (grant?.scopes ?? []).join(' ') }
  await found.persist()
  const decided = {
    login: { accountId: decision.person_id },
    consent: { grantId: credentials.toGrantId(key) },
  }
  return await provider.interactionResult(request.raw, reply.raw, decided, {
    mergeWithLastSubmission: false,
  })
}

/** Refuses the request and returns the redirect URL; null if the request is no longer open. */
export async function refuseRequest(exchange: OAuthExchange, uid: string): Promise<string | null> {
  const { runtime, request, reply } = exchange
  const { provider } = await openOAuthServer(runtime)
  if (!(await findInteraction(provider, exchange, uid))) return null
  const decided = { error: 'access_denied', error_description: 'The person refused consent.' }
  return await provider.interactionResult(request.raw, reply.raw, decided, {
    mergeWithLastSubmission: false,
  })
}
