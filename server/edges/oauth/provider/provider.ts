/**
 * Configures oidc-provider for connections: codes with PKCE (S256), rotating refresh tokens, opaque
 * access tokens, and consent on a portal page for each request.
 */
import assert from 'node:assert/strict'
import { createPrivateKey } from 'node:crypto'
import { EventEmitter } from 'node:events'
import type { Configuration, JWK, KoaContextWithOIDC, Provider as Library } from 'oidc-provider'
import { Provider } from 'oidc-provider/lib/provider.js'
import { InvalidTarget } from 'oidc-provider/lib/helpers/errors.js'
import { Check, Prompt } from 'oidc-provider/lib/helpers/interaction_policy/index.js'
import {
  newAccessTokenText,
  newCodeText,
  newRefreshTokenText,
} from '../../../areas/connections/service.ts'
import { limits } from '../../../contract/limits.ts'
import { scopeNames } from '../../../contract/scopes.ts'
import { sameText, sha256, type MacKey } from '../../../kernel/secrets/crypto.ts'
import { isDatabaseUnavailable, isDatabaseBusy } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { createSlidingWindow } from '../../../kernel/limits/sliding-window.ts'
import { findNetwork } from '../../http/visitor-address.ts'
import { createAdapter } from './adapter.ts'
import { CONSENT_PATH, isOwnResource, toAudience, oauthPaths } from '../../oauth-addresses.ts'
import { createDocumentFetch } from '../documents.ts'
import { makeTokenRequestsAtomic, writeOrCollect } from './token-requests.ts'

export interface ErrorPages {
  /** The page for a client that cannot be connected. */
  fault(ctx: KoaContextWithOIDC, fault: OAuthError): void
}

export interface OAuthError {
  error: string
  error_description?: string | undefined
}

const SESSION_COOKIE = 'homeport_oauth'
const RETRY_AFTER_AWAY_S = 2

export function createProvider(runtime: Runtime, pages: ErrorPages): Library {
  const provider = new Provider(runtime.config.public_url, {
    ...configuration(runtime, pages),
    adapter: createAdapter(runtime, {
      write: (work) => writeOrCollect(runtime, work),
      whyEnded: () => (Provider.ctx?.oidc.route === 'revocation' ? 'client' : 'replay'),
    }),
  })
  provider.proxy = true
  provider.use(async (ctx, next) => {
    await next()
    forgetSession(ctx.res)
  })
  nameTokens(provider)
  makeTokenRequestsAtomic(runtime, provider)
  logEvents(runtime, provider)
  return provider
}

/** Removes the library's session cookie, because the portal authenticates people. */
function forgetSession(response: KoaContextWithOIDC['res']): void {
  const cookies = [response.getHeader('set-cookie') ?? []].flat().map(String)
  const kept = cookies.filter((cookie) => !cookie.startsWith(SESSION_COOKIE))
  if (kept.length > 0) response.setHeader('Set-Cookie', kept)
  else response.removeHeader('Set-Cookie')
}

function nameTokens({ AccessToken, AuthorizationCode, RefreshToken, Client }: Library): void {
  nameBy(AccessToken.prototype, newAccessTokenText)
  nameBy(AuthorizationCode.prototype, newCodeText)
  nameBy(RefreshToken.prototype, newRefreshTokenText)
  // `clientSecret` is the hash of the secret.
  Client.prototype.compareClientSecret = function compare(given: string) {
    return sameText(sha256(given).toString('base64url'), this.clientSecret ?? '')
  }
}

/** Replaces the ids of a model. The library's own function is still called for its side effects. */
function nameBy(model: object, newName: () => string): void {
  const settle: unknown = Reflect.get(model, 'generateTokenId')
  assert(typeof settle === 'function')
  Reflect.set(model, 'generateTokenId', function name(this: unknown) {
    Reflect.apply(settle, this, [])
    return newName()
  })
}

/** Logs issued and refused tokens, because clients rarely show errors to people. */
function logEvents({ log }: Runtime, provider: Library): void {
  provider.on('grant.error', ({ oidc }, { error, error_description, error_detail }) => {
    const client_id = oidc.client?.clientId ?? null
    log.info({ client_id, error, error_description, error_detail }, 'a token was refused')
  })
  provider.on('grant.success', ({ oidc }) => {
    const { clientId: client_id } = oidc.client ?? {}
    log.info({ client_id, grant_type: oidc.params?.['grant_type'] }, 'a token was issued')
  })
  provider.on('server_error', (ctx, error) => {
    if (isDatabaseUnavailable(error) || isDatabaseBusy(error)) {
      log.warn({ err: error }, 'the database is unavailable or busy')
      ctx.status = 503
      ctx.set('Retry-After', String(RETRY_AFTER_AWAY_S))
    } else {
      log.error({ err: error }, 'unexpected error in the authorization server')
    }
  })
  EventEmitter.prototype.on.call(provider, 'error', (error: unknown) =>
    log.error({ err: error }, 'the authorization server failed'),
  )
}

function configuration(runtime: Runtime, pages: ErrorPages): Configuration {
  const secure = runtime.config.public_url.startsWith('https:')
  const cookie = { httpOnly: true, sameSite: 'lax', secure, signed: true } as const
  return {
    routes: {
      authorization: oauthPaths.authorize,
      token: oauthPaths.token,
      revocation: oauthPaths.revoke,
      jwks: oauthPaths.keys,
    },
    cookies: {
      names: {
        session: SESSION_COOKIE,
        interaction: 'homeport_connect',
        resume: 'homeport_connect_on',
      },
      long: { ...cookie, path: oauthPaths.authorize },
      short: cookie,
      keys: keysOf(runtime).map((key) => key.mac('cookies', 'oauth').toString('base64url')),
    },
    jwks: { keys: keysOf(runtime).map(signingKey) },
    enabledJWA: { idTokenSigningAlgValues: ['EdDSA'] },
    clientDefaults: { id_token_signed_response_alg: 'EdDSA' },
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post'],
    responseTypes: ['code'],
    scopes: [],
    claims: {},
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    rotateRefreshToken: true,
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    expiresWithSession: async () => false,
    revokeGrantPolicy: () => true,
    // Any origin may call the token endpoint, because it reads no cookies.
    clientBasedCORS: () => true,
    findAccount: (_ctx, id) => ({ accountId: id, claims: async () => ({ sub: id }) }),
    fetch: createDocumentFetch(runtime),
    renderError: (ctx, fault) => pages.fault(ctx, fault),
    ttl: {
      AccessToken: limits.access_token_s,
      AuthorizationCode: limits.oauth_code_s,
      RefreshToken: limits.refresh_token_s,
      Interaction: limits.oauth_request_s,
      Grant: limits.refresh_token_s,
      IdToken: limits.access_token_s,
      Session: limits.oauth_request_s,
    },
    features: features(runtime),
    ...consentPolicy(),
  }
}

/** Requests consent for each authorization request; a decision counts for that request only. */
function consentPolicy(): Pick<Configuration, 'interactions' | 'loadExistingGrant'> {
  const decided = ({ oidc }: KoaContextWithOIDC) => oidc.result?.consent?.grantId
  const check = new Check('not_asked', 'consent is required', (ctx) => !decided(ctx))
  return {
    interactions: {
      policy: Object.assign([new Prompt({ name: 'consent', requestable: true }, check)], {
        get: () => undefined,
        remove: () => {},
        clear: () => {},
        add: () => {},
      }),
      url: (_ctx, { uid }) => `${CONSENT_PATH}/${uid}`,
    },
    loadExistingGrant: async (ctx) => {
      const grant_id = decided(ctx)
      return grant_id === undefined ? undefined : ctx.oidc.provider.Grant.find(grant_id)
    },
  }
}

function features(runtime: Runtime): Configuration['features'] {
  const off = { enabled: false }
  return {
    devInteractions: off,
    dPoP: off,
    pushedAuthorizationRequests: off,
    rpInitiatedLogout: off,
    userinfo: off,
    revocation: {
      enabled: true,
      allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: async (_ctx, _client, named) =>
        [named ?? []].flat().at(0) ?? toAudience(runtime),
      useGrantedResource: async () => true,
      getResourceServerInfo: async (_ctx, name) => {
        if (!isOwnResource(runtime, name)) throw new InvalidTarget('the resource is unknown')
        return {
          scope: scopeNames.join(' '),
          audience: toAudience(runtime),
          accessTokenFormat: 'opaque',
          accessTokenTTL: limits.access_token_s,
        }
      },
    },
    clientIdMetadataDocument: {
      enabled: true,
      ack: 'draft-02',
      cacheDuration: DOCUMENT_KEPT_S,
      allowFetch: fetchRate(runtime),
    },
  }
}

/** Bounds for the cache lifetime that a document declares. */
const DOCUMENT_KEPT_S = { min: 300, max: 86_400 }

/** Rate limit of document retrievals per network, because the client chooses the URL. */
function fetchRate({ clock }: Runtime): (ctx: KoaContextWithOIDC | undefined) => boolean {
  const limit = limits.oauth_requests_max
  const window_ms = limits.oauth_requests_window_s * 1000
  const rate = createSlidingWindow(clock, { limit, window_ms })
  return (ctx) => ctx === undefined || rate.pass(findNetwork(ctx.ip)).allowed
}

/** The first bytes of a PKCS #8 Ed25519 private key; the key bytes follow. */
const KEY_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

/** The current master key, which signs, and during a rotation the previous one, which verifies. */
function keysOf({ seal }: Runtime): MacKey[] {
  return seal.previous === null ? [seal] : [seal, seal.previous]
}

/**
 * Derives the signing key from the master key, so that all processes have the same key without
 * storing it.
 */
function signingKey(master: MacKey): JWK {
  const key = Buffer.concat([KEY_HEAD, master.mac('signing key', 'oauth')])
  const { crv, d, x } = createPrivateKey({ key, format: 'der', type: 'pkcs8' }).export({
    format: 'jwk',
  })
  return { kty: 'OKP', alg: 'EdDSA', use: 'sig', crv, d, x }
}
