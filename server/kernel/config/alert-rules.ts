/** Rules of the settings of alerts. Pure. */
import type { AlertsConfig } from './config-types.ts'
import { isWhole } from './whole-number.ts'

const address = /^[^\s@,<>]+@[^\s@,<>]+$/
const ADDRESSES_MAX = 20
/** Limits of Standard Webhooks. */
const SECRET_BYTES = { min: 24, max: 64 }

export function describeAlertRules(alerts: AlertsConfig): [broken: boolean, sentence: string][] {
  const { mail, webhook, webhook_secret } = alerts
  const is_none = mail.length === 1 && mail[0] === 'none'
  return [
    [
      !is_none && (mail.length > ADDRESSES_MAX || !mail.every((one) => address.test(one))),
      'HOMEPORT_ALERT_MAIL must be up to 20 email addresses without names, separated by commas, or none.',
    ],
    [
      webhook !== '' && !isWebUrl(webhook),
      'HOMEPORT_ALERT_WEBHOOK must be an address such as https://hooks.example/alerts.',
    ],
    [
      webhook_secret !== '' && !isSecret(webhook_secret),
      'HOMEPORT_ALERT_WEBHOOK_SECRET must be whsec_ and 24 to 64 bytes in base64.',
    ],
    wholeRule('HOMEPORT_ALERT_MINUTES', alerts.hold_minutes, { min: 1, max: 60 }),
    wholeRule('HOMEPORT_ALERT_QUEUE_MINUTES', alerts.queue_minutes, { min: 0, max: 1440 }),
    wholeRule('HOMEPORT_ALERT_FAILED_JOBS', alerts.failed_jobs, { min: 0, max: 1_000_000 }),
    wholeRule('HOMEPORT_ALERT_DISK_PERCENT', alerts.disk_percent, { min: 0, max: 99 }),
    wholeRule('HOMEPORT_ALERT_CERTIFICATE_DAYS', alerts.certificate_days, { min: 0, max: 90 }),
    wholeRule('HOMEPORT_ALERT_BACKUP_HOURS', alerts.backup_hours, { min: 0, max: 720 }),
  ]
}

function wholeRule(
  name: string,
  value: number,
  range: { min: number; max: number },
): [boolean, string] {
  return [
    !isWhole(value, range),
    `${name} must be a whole number from ${range.min} to ${range.max}.`,
  ]
}

function isWebUrl(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.username === ''
}

function isSecret(text: string): boolean {
  const [, base64] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(text) ?? []
  return base64 !== undefined && isWhole(Buffer.from(base64, 'base64').length, SECRET_BYTES)
}
