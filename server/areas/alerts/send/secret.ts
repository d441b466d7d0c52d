/** The signing secret of the webhook of alerts: from the settings, or derived. */
import type { Runtime } from '../../../kernel/runtime.ts'

/** Outlives a rotation of the master key, because the receiver stores the secret. */
const PURPOSE = 'alert-webhook'
const TEXT = 'signing secret of alerts'

export function webhookSecret({ config, seal }: Pick<Runtime, 'config' | 'seal'>): string {
  return config.alerts.webhook_secret || `whsec_${seal.mac(TEXT, PURPOSE).toString('base64')}`
}
