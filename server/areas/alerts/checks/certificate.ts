/** Whether the certificate of the public address expires soon. */
import { readCertificateEnd } from '../../../kernel/outbound/certificate-end.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import type { Condition } from '../condition.ts'

const DAY_MS = 86_400_000
const LOOK_MS = 5 * 60_000

const ends = new WeakMap<Runtime, { looked_ms: number; end: Date | null }>()

/** Null if the certificate cannot be seen from here. */
export async function checkCertificate(runtime: Runtime): Promise<Condition[] | null> {
  const { public_url, alerts } = runtime.config
  const url = URL.parse(public_url)
  if (alerts.certificate_days === 0 || url?.protocol !== 'https:') return []
  const end = await endOf(runtime, url)
  if (end === null) return null
  const left_ms = end.getTime() - runtime.clock.now_ms()
  if (left_ms > alerts.certificate_days * DAY_MS) return []
  const days = Math.floor(left_ms / DAY_MS)
  const detail = { host: url.host, days, expires_at: end.toISOString() }
  return [{ kind: 'certificate', subject: '', detail }]
}

async function endOf(runtime: Runtime, url: URL): Promise<Date | null> {
  const now_ms = runtime.clock.now_ms()
  const known = ends.get(runtime)
  if (known && now_ms - known.looked_ms < LOOK_MS) return known.end
  const end = await readCertificateEnd(url).catch((err: unknown) => {
    runtime.log.debug({ err }, 'the certificate of the public address cannot be read from here')
    return null
  })
  ends.set(runtime, { looked_ms: now_ms, end })
  return end
}
