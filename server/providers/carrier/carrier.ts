/**
 * Creates the carrier that the operator chose, the simulator, or none. One adapter serves Telnyx
 * and the simulator, which implements the same protocol at another address.
 */
import type { Config } from '../../kernel/config/config-types.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import type { ProviderAddress } from '../provider-outbound.ts'
import type { Carrier } from './carrier-contract.ts'
export type {
  MessageCallback,
  MessageReport,
  ReceivedMessage,
} from './messages/message-contract.ts'
import { simulatedPublicKey } from './messages/simulated-key.ts'
import { telnyxCarrier } from './telnyx.ts'
import { twilioCarrier } from './twilio.ts'

export {
  CarrierError,
  soldCountry,
  type Carrier,
  type CarrierFault,
  type CarrierOffer,
  type CarrierOrder,
  type CarrierOrderState,
  type CarrierSearch,
  type CarrierNumberType,
  type CodeMessage,
} from './carrier-contract.ts'

const runtimeCarrier = new WeakMap<Runtime, Carrier | null>()

/** Null if the operator chose none. */
export function carrierOf(runtime: Runtime): Carrier | null {
  const known = runtimeCarrier.get(runtime)
  if (known !== undefined) return known
  const carrier = openCarrier(runtime)
  runtimeCarrier.set(runtime, carrier)
  return carrier
}

/** Whether the carrier reads the reply to each callback about a call as instructions. */
export function readsReplies(runtime: Runtime): boolean {
  const carrier = carrierOf(runtime)
  return carrier !== null && carrier.calls.reply !== null
}

const addresses = { telnyx: 'https://api.telnyx.com/v2', twilio: 'https://api.twilio.com' } as const

/** The path below /hooks/ of the callbacks of the configured carrier; null without a carrier. */
export function callbackProvider({ carrier }: Config): 'telnyx' | 'twilio' | null {
  if (carrier.provider === 'none') return null
  return carrier.provider === 'twilio' ? 'twilio' : 'telnyx'
}

/** Null if no external carrier is configured. */
export function carrierAddress({ carrier: { provider, url } }: Config): ProviderAddress | null {
  if (provider === 'none' || provider === 'simulator') return null
  return { url: url || addresses[provider], is_own: url !== '' }
}

function openCarrier(runtime: Runtime): Carrier | null {
  const { provider, key, url, code_sender } = runtime.config.carrier
  switch (provider) {
    case 'none':
      return null
    case 'simulator':
      // Read at each call, because the port is known only after the server listens.
      return telnyxCarrier(runtime, {
        base_url: () => `${runtime.config.simulators_url}/telnyx/v2`,
        key: 'simulator',
        is_own: true,
        code_sender: 'simulator',
        public_key: () => simulatedPublicKey(runtime.config),
      })
    case 'telnyx':
      return telnyxCarrier(runtime, {
        base_url: () => url || addresses.telnyx,
        key,
        is_own: url !== '',
        code_sender,
        public_key: () => runtime.config.carrier.public_key,
      })
    case 'twilio':
      return twilioCarrier(runtime, {
        base_url: () => url || addresses.twilio,
        key,
        is_own: url !== '',
        code_sender,
      })
  }
}
