/**
 * Reads companies in a business register: that of KVK in the Netherlands, or its simulator, which
 * implements the same protocol. Other countries have none.
 */
import type { Outbound } from '../../kernel/outbound/outbound.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { notingErrors } from '../provider-errors.ts'
import { openProviderOutbound } from '../provider-outbound.ts'
import { askKvk, KVK_URL } from './kvk.ts'

export interface RegisteredAddress {
  street: string
  /** With its letter and addition. */
  house_number: string
  postal_code: string
  city: string
}

export interface RegisteredCompany {
  number: string
  /** Its statutory name and its trade names. */
  names: string[]
  addresses: RegisteredAddress[]
  /** Whether it was struck off. */
  ended: boolean
}

/** `no_answer`: ask again later; `why` is for the log and never contains the number. */
export type RegisterReply =
  | { answer: 'found'; company: RegisteredCompany }
  | { answer: 'not_found' }
  | { answer: 'no_answer'; why: string }

export interface BusinessRegister {
  country: 'NL'
  /** Takes a number of eight digits. Never throws. */
  read(number: string): Promise<RegisterReply>
}

const runtimeOutbound = new WeakMap<Runtime, Outbound>()

/** Null if the operator chose none. */
export function registerOf(runtime: Runtime): BusinessRegister | null {
  if (runtime.config.register.provider === 'none') return null
  return {
    country: 'NL',
    async read(number) {
      const { provider, key, timeout_ms } = runtime.config.register
      const reply = await askKvk({
        outbound: outboundOf(runtime),
        url: addressOf(runtime),
        key: provider === 'simulator' ? 'simulator' : key,
        timeout_ms,
        number,
      })
      if ('why' in reply) runtime.log.info({ why: reply.why }, 'a company was not checked')
      return reply
    },
  }
}

/** Read at each request, because the port of the simulator is known only after the server listens. */
function addressOf({ config }: Runtime): string {
  const { provider, url } = config.register
  const standard = provider === 'simulator' ? `${config.simulators_url}/kvk/api/v1` : KVK_URL
  return (url || standard).replace(/\/+$/, '')
}

function outboundOf(runtime: Runtime): Outbound {
  const known = runtimeOutbound.get(runtime)
  if (known !== undefined) return known
  const { provider, url } = runtime.config.register
  const guarded = openProviderOutbound(runtime.config, provider === 'simulator' || url !== '')
  const outbound = notingErrors(runtime, 'register', guarded)
  runtimeOutbound.set(runtime, outbound)
  return outbound
}
