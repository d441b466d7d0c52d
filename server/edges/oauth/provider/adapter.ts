/**
 * Storage of oidc-provider: codes, refresh tokens and pending requests as sealed records, access
 * tokens as hashes, grants as connections. Its sessions are not stored, because the portal
 * authenticates people. Expiry uses our clock.
 */
import type { Adapter, AdapterPayload } from 'oidc-provider'
import { findClient, credentials } from '../../../areas/connections/service.ts'
import { limits } from '../../../contract/limits.ts'
import { isScope } from '../../../contract/scopes.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { toAudience } from '../../oauth-addresses.ts'
import type { Write } from './token-requests.ts'

/** The expiry that the library sees: every record that the store returns is valid. */
const NEVER_S = 32_503_680_000

export interface AdapterHooks {
  /** Writes to the database; throws if a code or refresh token was used before. */
  write(work: Write): Promise<void>
  /** Why a grant ends: the client revoked it, or a credential was replayed. */
  whyEnded(): 'client' | 'replay'
}

export function createAdapter(runtime: Runtime, hooks: AdapterHooks): (model: string) => Adapter {
  const adapters: Record<string, Partial<Adapter>> = {
    AuthorizationCode: recordAdapter(runtime, 'code', hooks),
    RefreshToken: recordAdapter(runtime, 'refresh_token', hooks),
    Interaction: recordAdapter(runtime, 'interaction', hooks),
    AccessToken: tokenAdapter(runtime, hooks),
    Grant: grantAdapter(runtime, hooks),
    Client: clientAdapter(runtime),
    Session: { upsert: async () => {}, find: async () => {}, findByUid: async () => {} },
  }
  return (model) => ({ ...nothing(model), ...adapters[model] })
}

/** Unused methods throw, instead of silently doing nothing. */
function nothing(model: string): Adapter {
  const refuse = (verb: string) => async (): Promise<never> => {
    throw new Error(`The authorization server does not ${verb} ${model}.`)
  }
  return {
    upsert: refuse('keep'),
    find: refuse('find'),
    findByUserCode: refuse('find'),
    findByUid: refuse('find'),
    consume: refuse('use up'),
    destroy: async () => {},
    revokeByGrantId: async () => {},
  }
}

type Kind = credentials.CredentialKey['kind']

const longest_s = {
  code: limits.oauth_code_s,
  refresh_token: limits.refresh_token_s,
  interaction: limits.oauth_request_s,
} as const satisfies Record<Kind, number>

function recordAdapter(runtime: Runtime, kind: Kind, { write }: AdapterHooks): Partial<Adapter> {
  return {
    async upsert(name, { jti: _name, ...payload }, asked_s = 0) {
      const contents = { grant_id: payload.grantId ?? null, payload: JSON.stringify(payload) }
      // The library would set an endless lifetime for a record that it has read.
      const lasts_s = Math.min(asked_s, longest_s[kind])
      const credential = { kind, name, ...contents, lasts_s }
      await write((tx) => credentials.storeCredential(tx, runtime, credential))
    },
    async find(name) {
      const kept = await credentials.findCredential(runtime, { kind, name })
      if (!kept) return undefined
      const payload: AdapterPayload = JSON.parse(kept.payload)
      return {
        ...payload,
        jti: name,
        exp: NEVER_S,
        // The only audience, however the client spelled it.
        ...(payload['resource'] !== undefined && { resource: toAudience(runtime) }),
        ...(kept.was_used && { consumed: true }),
      }
    },
    consume: (name) => write((tx) => credentials.consumeCredential(tx, runtime, { kind, name })),
    async destroy(name) {
      // Used records stay in the store, so that a replay is detected.
      if (kind === 'interaction') await credentials.deleteCredential(runtime, { kind, name })
    },
  }
}

function tokenAdapter(runtime: Runtime, { write }: AdapterHooks): Partial<Adapter> {
  return {
    async upsert(token, { grantId: grant_id, scope = '' }) {
      if (grant_id === undefined) throw new Error('An access token needs a grant.')
      const scopes = scope.split(' ').filter(isScope)
      await write((tx) => credentials.storeAccessToken(tx, runtime, { token, grant_id, scopes }))
    },
    async find(token) {
      const found = await credentials.findAccessToken(runtime, token)
      if (!found) return undefined
      const { grant_id, person_id, client_id } = found
      return {
        jti: token,
        kind: 'AccessToken',
        grantId: grant_id,
        accountId: person_id,
        clientId: client_id,
        exp: NEVER_S,
      }
    },
    destroy: (token) => credentials.deleteAccessToken(runtime, token),
  }
}

function grantAdapter(runtime: Runtime, { whyEnded }: AdapterHooks): Partial<Adapter> {
  return {
    async find(grant_id) {
      const found = await credentials.findGrant(runtime, grant_id)
      if (!found) return undefined
      return {
        jti: grant_id,
        kind: 'Grant',
        accountId: found.person_id,
        clientId: found.client_id,
        resources: { [toAudience(runtime)]: found.scopes.join(' ') },
        exp: NEVER_S,
      }
    },
    destroy: (grant_id) => credentials.endGrant(runtime, grant_id, whyEnded()),
  }
}

/** The library receives the hash in place of the secret; see compareClientSecret. */
function clientAdapter({ db }: Runtime): Partial<Adapter> {
  return {
    async find(id) {
      const found = await findClient(db, id)
      if (!found) return undefined
      const { metadata, secret_hash } = found
      return {
        client_id: id,
        ...metadata,
        ...(secret_hash && { client_secret: secret_hash.toString('base64url') }),
      }
    },
  }
}
