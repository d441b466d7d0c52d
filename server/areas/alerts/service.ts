/** Alerts to the operators of the installation, for the command line and the metrics. */
import { Gauge, Registry } from 'prom-client'
import type { Reader } from '../../kernel/database/database.ts'
import { alertKinds } from './condition.ts'
import * as store from './store.ts'

export { sendTest, showAlerts } from './console.ts'
export { webhookSecret } from './send/secret.ts'

/**
 * The metrics of alerts as text. They are read from the database for each request, so every process
 * reports the same.
 */
export async function writeAlertMetrics(db: Reader): Promise<string> {
  const registry = new Registry()
  const registers = [registry]
  const firing = new Gauge({
    name: 'homeport_alerts_firing',
    help: 'Alerts that fire, by kind.',
    labelNames: ['kind'],
    registers,
  })
  const counts = await store.countFiring(db)
  for (const kind of alertKinds) firing.set({ kind }, counts.get(kind) ?? 0)
  const checked = new Gauge({
    name: 'homeport_alerts_checked_timestamp_seconds',
    help: 'The last evaluation of alerts, as a Unix time; 0 before the first.',
    registers,
  })
  checked.set(((await store.readCheckedAt(db))?.getTime() ?? 0) / 1000)
  return registry.metrics()
}
