/** Chooses how messages leave: through the SMTP server of the operator, or directly. */
import type { EmailConfig } from '../../../kernel/config/config-types.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { createDirect } from './direct.ts'
import { createSmtpClient, type Transport } from './smtp-client.ts'

const PORTS: Record<string, number> = { 'smtp:': 587, 'smtps:': 465 }
const transports = new WeakMap<EmailConfig, Transport>()

/** Returns null if this server sends nothing to recipients. */
export function transportOf(runtime: Runtime): Transport | null {
  const { email } = runtime.config
  if (email.mode !== 'smarthost' && email.mode !== 'direct') return null
  const known =
    transports.get(email) ??
    (email.mode === 'direct' ? createDirect(runtime) : createSmarthost(new URL(email.url)))
  transports.set(email, known)
  return known
}

function createSmarthost(url: URL): Transport {
  const start = url.protocol === 'smtps:' ? 'from the start' : 'required'
  const credentials = {
    user: decodeURIComponent(url.username),
    pass: decodeURIComponent(url.password),
  }
  return createSmtpClient({
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (PORTS[url.protocol] ?? 0),
    name: url.hostname,
    greeting: null,
    credentials: url.username === '' ? null : credentials,
    tls: url.searchParams.get('tls') === 'off' ? 'off' : start,
  })
}
