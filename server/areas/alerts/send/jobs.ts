/** The jobs that deliver alerts. The last result of each channel is stored for the operators. */
import { Type } from 'typebox'
import type { Transaction } from '../../../kernel/database/database.ts'
import { job } from '../../../kernel/jobs/jobs.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { deliverMail, MAIL_RETRY_S, writtenMail } from '../../../providers/mail/send-mail.ts'
import { openProviderOutbound } from '../../../providers/provider-outbound.ts'
import { createStandardHeaders } from '../../webhooks/service.ts'
import * as store from '../store.ts'
import { webhookSecret } from './secret.ts'

const ERROR_CHARACTERS_MAX = 300

export const sendAlertMail = job({
  name: 'alerts.send_mail',
  payload: writtenMail,
  retry_after_s: MAIL_RETRY_S,
  run: ({ runtime, payload, finish }) =>
    deliver(runtime, {
      channel: 'mail',
      send: () => deliverMail(runtime, payload, 'an alert'),
      finish,
    }),
})

export const sendAlertWebhook = job({
  name: 'alerts.send_webhook',
  payload: Type.Object({ id: Type.String(), body: Type.String() }),
  retry_after_s: MAIL_RETRY_S,
  run: ({ runtime, payload, finish }) =>
    deliver(runtime, { channel: 'webhook', send: () => post(runtime, payload), finish }),
})

interface Delivery {
  channel: store.Channel
  /** Returns null, or the reason of a permanent failure. Throws on a failure that is retried. */
  send(): Promise<string | null>
  finish(write: (tx: Transaction) => Promise<void>): Promise<void>
}

async function deliver(runtime: Runtime, { channel, send, finish }: Delivery): Promise<void> {
  const { db, clock } = runtime
  const failed = (error: string) => ({
    channel,
    failed_at: clock.now(),
    error: error.slice(0, ERROR_CHARACTERS_MAX),
  })
  let refused: string | null
  try {
    refused = await send()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    await db.transact((tx) => store.recordDelivery(tx, failed(reason)))
    throw error
  }
  const delivered = { channel, delivered_at: clock.now(), error: null }
  await finish((tx) => store.recordDelivery(tx, refused === null ? delivered : failed(refused)))
}

/** The operator named the address, so it may be in a private network. */
async function post(
  runtime: Runtime,
  { id, body: raw_body }: { id: string; body: string },
): Promise<null> {
  const { webhook: url } = runtime.config.alerts
  if (url === '') return null
  const t = Math.floor(runtime.clock.now_ms() / 1000)
  const outbound = openProviderOutbound(runtime.config, true)
  try {
    const { status } = await outbound.request({
      url,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...createStandardHeaders([webhookSecret(runtime)], { id, t, raw_body }),
      },
      body: raw_body,
      body_bytes_kept: 0,
    })
    if (status < 200 || status > 299) throw new Error(`${new URL(url).host} answered ${status}.`)
    return null
  } finally {
    await outbound.close()
  }
}
