/**
 * Who may pass, in the order the specification fixes (Authentication 7): key, project, rate,
 * scope, mode, reach; all before the body is looked at. Every way in shares one admission, so
 * that a key has one rate, whichever door it comes through.
 */
import * as keys from '../areas/keys/service.ts'
import * as sites from '../areas/sites/service.ts'
import type { Access, Caller } from '../contract/caller.ts'
import { Problem } from '../contract/errors.ts'
import { limits } from '../contract/limits.ts'
import type { Operation } from '../contract/operation.ts'
import type { House } from '../kernel/house.ts'
import { createSlidingWindow, type Passage } from '../kernel/sliding-window.ts'

export interface Admission {
  /** The caller, recognised and within its rate. `tell` hears the headers that show the rate. */
  recognise(request: AdmissionRequest): Promise<Caller>
  /** Refuses an operation that this caller may not use. */
  allow(operation: Operation, caller: Caller): void
  /** The caller of a request that goes on, as its key is now. It does not count as a request. */
  recheck(
    operation: Operation,
    request: { authorization: string | undefined; caller: Caller },
  ): Promise<Caller>
}

export interface AdmissionRequest {
  authorization: string | undefined
  request_id: string
  tell(headers: Record<string, string>): void
}

const policy = `"key";q=${limits.requests_max};w=${limits.request_window_s}`

export function createAdmission(house: House): Admission {
  const window_ms = limits.request_window_s * 1000
  const rate = createSlidingWindow(house.clock, { limit: limits.requests_max, window_ms })
  const allow: Admission['allow'] = (operation, caller) => {
    const { scope, mode, reach } = operation
    if (scope && !caller.scopes.has(scope)) {
      throw new Problem(
        'missing_scope',
        `This key needs the scope ${scope} for ${operation.route}.`,
      )
    }
    if (mode === 'test' && caller.mode !== 'test') {
      throw new Problem('test_key_required', `${operation.route} exists only in test mode.`)
    }
    if (reach === 'project' && caller.access) throw outOfReach(operation, caller.access)
  }
  return {
    async recognise({ authorization, request_id, tell }) {
      const holder = await keys.recognise(house, authorization)
      const passage = rate.pass(holder.key_id)
      tell(rateHeaders(passage))
      if (!passage.allowed) {
        const { retry_after_s } = passage
        throw new Problem(
          'rate_limited',
          `This key made ${limits.requests_max} requests in the last ${limits.request_window_s} seconds.`,
          { retry_after_s },
        )
      }
      const nothing = { idempotency_key: null, remember: refuseToRemember }
      const access = await wholeAccess(house, holder)
      return { ...holder, access, house, db: house.db, request_id, ...nothing }
    },
    allow,
    async recheck(operation, { authorization, caller }) {
      const holder = await keys.recognise(house, authorization)
      const now = { ...caller, ...holder, access: await wholeAccess(house, holder) }
      allow(operation, now)
      return now
    },
  }
}

/** What a key is limited to, and what comes along with it. */
async function wholeAccess(house: House, holder: keys.KeyHolder): Promise<Access | null> {
  const { access, project } = holder
  return access && (await sites.withCollections(house.db, project.id, access))
}

function rateHeaders({ remaining, retry_after_s }: Passage): Record<string, string> {
  return { 'RateLimit-Policy': policy, RateLimit: `"key";r=${remaining};t=${retry_after_s}` }
}

function outOfReach(operation: Operation, access: Access): Problem {
  const named = [
    ...access.sites.map((id) => `site ${id}`),
    ...access.apps.map((id) => `app ${id}`),
  ].join(', ')
  return new Problem(
    'forbidden',
    `${operation.route} is for the whole project, and this key is limited.`,
    {
      user_message: `This connection may only work with these sites and apps: ${named || 'none'}.`,
    },
  )
}

function refuseToRemember(): Promise<void> {
  throw new Error('Only an operation with a required Idempotency-Key remembers its reply.')
}
