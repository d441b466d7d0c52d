/**
 * The URL of the callbacks about one message. Its MAC proves that this server gave it to the carrier,
 * because not every carrier signs the URL of a callback.
 */
import { holdsUnderAnyKey, sameText, type Seal } from '../../../kernel/secrets/crypto.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { isUuid } from '../../../kernel/values/ids.ts'
import { callbackProvider } from '../../../providers/carrier/carrier.ts'
import type { MessageKey } from '../store.ts'

const MAC_CHARACTERS = 22

export function createCallbackUrl({ config, seal }: Runtime, { project_id, id }: MessageKey) {
  const reference = `${project_id}.${id}`
  const query = new URLSearchParams({ message: reference, mac: macOf(seal, reference) })
  return `${config.public_url}/hooks/${callbackProvider(config)}?${query}`
}

/** Returns null if the query names no message, or with a wrong MAC. */
export function readCallbackQuery({ seal }: Runtime, query: URLSearchParams): MessageKey | null {
  const reference = query.get('message') ?? ''
  const mac = query.get('mac') ?? ''
  if (!holdsUnderAnyKey(seal, (key) => sameText(macOf(key, reference), mac))) return null
  const [project_id = '', id = ''] = reference.split('.')
  return isUuid(project_id) && isUuid(id) ? { project_id, id } : null
}

function macOf(key: Pick<Seal, 'mac'>, reference: string): string {
  return key.mac(reference, 'message callback').toString('base64url').slice(0, MAC_CHARACTERS)
}
