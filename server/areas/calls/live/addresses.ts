/**
 * The addresses that a carrier is given for one call. Their MAC proves that this server made them,
 * because not every carrier signs all that it sends.
 */
import { holdsUnderAnyKey, sameText, type Seal } from '../../../kernel/secrets/crypto.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { isUuid } from '../../../kernel/values/ids.ts'
import type { CallAddresses } from '../../../providers/carrier/calls/call-contract.ts'
import { callbackProvider } from '../../../providers/carrier/carrier.ts'
import type { CallKey } from '../store.ts'

const MAC_CHARACTERS = 22

export function addressesOf({ config, seal }: Runtime, { project_id, id }: CallKey): CallAddresses {
  const named = `${project_id}.${id}`
  const reference = `${named}.${macOf(seal, named)}`
  const path = `/hooks/${callbackProvider(config)}`
  const query = new URLSearchParams({ call: reference })
  return {
    reference,
    callback_url: `${config.public_url}${path}/calls?${query}`,
    relay_url: `${config.public_url.replace(/^http/, 'ws')}${path}/relay?${query}`,
  }
}

/** Returns null for a text that names no call, or with a wrong MAC. */
export function readCallReference({ seal }: Runtime, text: string): CallKey | null {
  const [project_id = '', id = '', mac = ''] = text.split('.')
  if (!isUuid(project_id) || !isUuid(id)) return null
  const named = `${project_id}.${id}`
  if (!holdsUnderAnyKey(seal, (key) => sameText(macOf(key, named), mac))) return null
  return { project_id, id }
}

function macOf(key: Pick<Seal, 'mac'>, named: string): string {
  return key.mac(named, 'call reference').toString('base64url').slice(0, MAC_CHARACTERS)
}
