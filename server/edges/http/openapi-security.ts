/** Security schemes of the OpenAPI document. */
import type { Operation } from '../../contract/operation.ts'
import { scopeNames, scopes } from '../../contract/scopes.ts'
import { oauthPaths } from '../oauth-addresses.ts'

/** Returns the schemes that an operation accepts; an empty list means public. */
export function listSecurity(operation: Operation): object[] {
  if (operation.for_sessions) return [{ session: [] }]
  const { scope } = operation
  if (scope !== null) return [{ api_key: [scope] }, { oauth: [scope] }]
  return operation.kind === 'guest' ? [{ public_token: [] }] : []
}

/** Returns all schemes of a document. `origin` is that of the authorization server. */
export function createSecuritySchemes(origin: string, for_sessions: boolean): object {
  return for_sessions ? { session } : { api_key, oauth: oauth(origin), public_token }
}

const api_key = {
  type: 'http',
  scheme: 'bearer',
  description:
    'An API key (hm_live_… or hm_test_…) of one project. A person creates keys in the portal.',
}

function oauth(origin: string): object {
  return {
    type: 'oauth2',
    description:
      'An OAuth 2.1 access token (hm_oat_…). The client sends PKCE (S256) and can register itself ' +
      `at ${origin}${oauthPaths.register}; a person chooses the project and the scopes.`,
    flows: {
      authorizationCode: {
        authorizationUrl: origin + oauthPaths.authorize,
        tokenUrl: origin + oauthPaths.token,
        refreshUrl: origin + oauthPaths.token,
        scopes: Object.fromEntries(scopeNames.map((name) => [name, scopes[name].about])),
      },
    },
  }
}

const public_token = {
  type: 'http',
  scheme: 'bearer',
  description:
    'A public token (hm_pub_…), sent by a page in a browser. It works only on pages of the origins ' +
    'that the token allows.',
}

const session = {
  type: 'apiKey',
  in: 'cookie',
  name: '__Host-homeport_session',
  description: 'The session cookie of a person who is signed in to the portal.',
}
