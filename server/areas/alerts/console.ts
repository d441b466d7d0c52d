/** Alerts in the console of the operators. */
import { Problem } from '../../contract/errors.ts'
import type { PersonCaller } from '../../contract/people.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { HISTORY_MS } from './history.ts'
import { pageOf } from './links.ts'
import type { OperatedAlert, OperatedAlerts } from './schema.ts'
import { listRecipients } from './send/recipients.ts'
import { queueTest } from './send/queue-notices.ts'
import * as store from './store.ts'
import { describeAlert } from './texts/alert-texts.ts'

const HISTORY_MAX = 200

export async function showAlerts(runtime: Runtime): Promise<OperatedAlerts> {
  const { db, clock, config } = runtime
  const open = await store.listOpen(db)
  const since = new Date(clock.now_ms() - HISTORY_MS)
  const history = await store.listResolved(db, { since, count: HISTORY_MAX })
  const channels = await store.listChannels(db)
  const { webhook, mail, hold_minutes } = config.alerts
  const recipients = await listRecipients(db, runtime)
  const present = (row: store.AlertRow) => presentAlert(row, runtime)
  return {
    checked_at: (await store.readCheckedAt(db))?.toISOString() ?? null,
    firing: open.filter(({ state }) => state === 'firing').map(present),
    watched: open.filter(({ state }) => state === 'pending').map(present),
    history: history.map(present),
    hold_minutes,
    mail: {
      enabled: config.mail.provider !== 'none' && mail[0] !== 'none',
      addresses: recipients.map(({ email }) => email),
      ...resultOf(channels, 'mail'),
    },
    webhook: {
      host: webhook === '' ? null : new URL(webhook).host,
      ...resultOf(channels, 'webhook'),
    },
  }
}

function presentAlert(row: store.AlertRow, { config }: Runtime): OperatedAlert {
  const { id, kind, subject, began_at, fired_at, sent_at, resolved_at } = row
  const timezone = config.billing_timezone
  return {
    id,
    kind,
    subject,
    since: began_at.toISOString(),
    fired_at: fired_at?.toISOString() ?? null,
    sent_at: sent_at?.toISOString() ?? null,
    resolved_at: resolved_at?.toISOString() ?? null,
    texts: {
      en: describeAlert(row, { language: 'en', timezone }),
      nl: describeAlert(row, { language: 'nl', timezone }),
    },
    link: pageOf(kind, config),
  }
}

function resultOf(channels: readonly store.ChannelRow[], channel: store.Channel) {
  const found = channels.find((one) => one.channel === channel)
  return {
    delivered_at: found?.delivered_at?.toISOString() ?? null,
    failed_at: found?.failed_at?.toISOString() ?? null,
    error: found?.error ?? null,
  }
}

/** Throws a Problem if there is nowhere to send it. */
export async function sendTest({
  runtime,
  db,
}: Pick<PersonCaller, 'runtime' | 'db'>): Promise<{ sent: number }> {
  const sent = await db.transact((tx) => queueTest(tx, runtime))
  if (sent > 0) return { sent }
  const user_message =
    'There is nowhere to send it. Set HOMEPORT_ALERT_MAIL to an address, or HOMEPORT_ALERT_WEBHOOK to a URL.'
  throw new Problem('conflict', user_message, { user_message })
}
