/** Queues the mails and webhook requests about alerts, in the transaction of their state. */
import { toPortalUrl } from '../../../contract/manifest/portal-pages.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import { enqueue } from '../../../kernel/jobs/jobs.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'
import type { Notice } from '../evaluate.ts'
import { pageOf } from '../links.ts'
import { describeAlert } from '../texts/alert-texts.ts'
import {
  writeAlertMail,
  writeTestMail,
  type MailPlace,
  type MailWords,
} from '../texts/mail-texts.ts'
import { sendAlertMail, sendAlertWebhook } from './jobs.ts'
import { listRecipients } from './recipients.ts'
import { alertBody, testBody, type WebhookBody } from './webhook-body.ts'

const INSTALLATION = null

export async function queueNotices(
  tx: Transaction,
  runtime: Runtime,
  notices: readonly Notice[],
): Promise<void> {
  if (notices.length === 0) return
  const { config, clock } = runtime
  await queueMails(tx, runtime, (place) => writeAlertMail(notices, place))
  if (config.alerts.webhook === '') return
  const { public_url: installation, billing_timezone: timezone } = config
  for (const notice of notices) {
    const words = describeAlert(notice.alert, { language: 'en', timezone })
    const described = { ...words, link: pageOf(notice.alert.kind, config), installation }
    await queueWebhook(tx, runtime, alertBody(notice, described, clock.now()))
  }
}

/** Returns the number of mails and webhook requests. */
export async function queueTest(tx: Transaction, runtime: Runtime): Promise<number> {
  const { config, clock } = runtime
  const mails = await queueMails(tx, runtime, writeTestMail)
  if (config.alerts.webhook === '') return mails
  await queueWebhook(tx, runtime, testBody(config.public_url, clock.now()))
  return mails + 1
}

async function queueMails(
  tx: Transaction,
  runtime: Runtime,
  write: (place: MailPlace) => MailWords,
): Promise<number> {
  const { config, clock } = runtime
  const url = toPortalUrl(config, '/operator/alerts')
  const recipients = await listRecipients(tx, runtime)
  for (const { email: to, language } of recipients) {
    const words = write({ language, timezone: config.billing_timezone, url })
    const payload = { ...words, links: [...words.links], to, reference: newId(clock) }
    await enqueue(tx, runtime, sendAlertMail, { payload, project_id: INSTALLATION })
  }
  return recipients.length
}

/** The id and the body are the same in all attempts. */
async function queueWebhook(tx: Transaction, runtime: Runtime, body: WebhookBody): Promise<void> {
  const payload = { id: `msg_${newId(runtime.clock)}`, body: JSON.stringify(body) }
  await enqueue(tx, runtime, sendAlertWebhook, { payload, project_id: INSTALLATION })
}
