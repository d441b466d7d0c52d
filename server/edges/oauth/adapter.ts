/**
 * Where the library keeps things: codes, refresh tokens and waiting requests as sealed records,
 * access tokens as hashes, grants as connections. Its sessions are kept nowhere, because who is
 * signed in is for the portal to say. When something runs out, our clock decides and not the library's.
 */
import type { Adapter, AdapterPayload } from 'oidc-provider'
import { findClient, holdings } from '../../areas/connections/service.ts'
import { limits } from '../../contract/limits.ts'
import { isScope } from '../../contract/scopes.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { namesOfAudience } from './addresses.ts'

/** For the library nothing that is found has run out. */
const NEVER_S = 32_503_680_000

export interface Refusals {
  /** What is thrown when a code or refresh token was used already. */
  usedAlready(): Error
  /** Why a grant is ended: its program said so, or somebody came with what was used already. */
  whyEnded(): 'client' | 'replay'
}

export function adapterFor(runtime: Runtime, refusals: Refusals): (model: string) => Adapter {
  const adapters: Record<string, Partial<Adapter>> = {
    AuthorizationCode: recordAdapter(runtime, 'code', refusals),
    RefreshToken: recordAdapter(runtime, 'refresh_token', refusals),
    Interaction: recordAdapter(runtime, 'interaction', refusals),
    AccessToken: tokenAdapter(runtime),
    Grant: grantAdapter(runtime, refusals),
    Client: clientAdapter(runtime),
    Session: { upsert: async () => {}, find: async () => {}, findByUid: async () => {} },
  }
  return (model) => ({ ...nothing(model), ...adapters[model] })
}

/** What a model is not used for fails loudly, instead of looking as if it had been done. */
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

type Kind = holdings.Holding['kind']

const longest_s = {
  code: limits.oauth_code_s,
  refresh_token: limits.refresh_token_s,
  interaction: limits.oauth_request_s,
} as const satisfies Record<Kind, number>

function recordAdapter(runtime: Runtime, kind: Kind, refusals: Refusals): Partial<Adapter> {
  return {
    async upsert(name, { jti: _name, ...payload }, asked_s = 0) {
      const contents = { grant_id: payload.grantId ?? null, payload: JSON.stringify(payload) }
      // Of what it found before it thinks that it lasts for ever.
      const lasts_s = Math.min(asked_s, longest_s[kind])
      await holdings.keep(runtime, { kind, name }, { ...contents, lasts_s })
    },
    async find(name) {
      const kept = await holdings.find(runtime, { kind, name })
      if (!kept) return undefined
      const payload: AdapterPayload = JSON.parse(kept.payload)
      return { ...payload, jti: name, exp: NEVER_S, ...(kept.was_used && { consumed: true }) }
    },
    async consume(name) {
      if (!(await holdings.use(runtime, { kind, name }))) throw refusals.usedAlready()
    },
    async destroy(name) {
      // One that was used is kept, so that using it once more is still noticed.
      if (kind === 'interaction') await holdings.drop(runtime, { kind, name })
    },
  }
}

function tokenAdapter(runtime: Runtime): Partial<Adapter> {
  return {
    async upsert(token, { grantId: grant_id, scope = '' }) {
      if (grant_id === undefined) throw new Error('An access token is of a connection.')
      await holdings.keepToken(runtime, token, {
        grant_id,
        scopes: scope.split(' ').filter(isScope),
      })
    },
    async find(token) {
      const found = await holdings.findToken(runtime, token)
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
    destroy: (token) => holdings.dropToken(runtime, token),
  }
}

function grantAdapter(runtime: Runtime, refusals: Refusals): Partial<Adapter> {
  return {
    async find(grant_id) {
      const found = await holdings.findGrant(runtime, grant_id)
      if (!found) return undefined
      const scope = found.scopes.join(' ')
      return {
        jti: grant_id,
        kind: 'Grant',
        accountId: found.person_id,
        clientId: found.client_id,
        resources: Object.fromEntries(namesOfAudience(runtime).map((name) => [name, scope])),
        exp: NEVER_S,
      }
    },
    destroy: (grant_id) => holdings.endGrant(runtime, grant_id, refusals.whyEnded()),
  }
}

/** Of a secret the library gets the hash, which is all there is; see compareClientSecret. */
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
