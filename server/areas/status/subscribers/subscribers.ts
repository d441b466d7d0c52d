/**
 * Subscriptions to the updates of the status page by mail. An address is added by a link in a mail to
 * it (double opt-in). Whether an address is known is decided in a job, so that neither the reply nor
 * its duration reveals it.
 */
import { Type } from 'typebox'
import { limits } from '../../../contract/limits.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import { enqueue, job, reconciler } from '../../../kernel/jobs/jobs.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { sameText } from '../../../kernel/secrets/crypto.ts'
import { isUuid, newId } from '../../../kernel/values/ids.ts'
import { MailError, readMessage } from '../../../providers/mail/mail-contract.ts'
import { sendMail } from '../../../providers/mail/send-mail.ts'
import { mailOf } from '../../../providers/mail/mail.ts'
import { pageLanguages, type PageLanguage } from '../page/component-names.ts'
import { writeConfirmation, writeKnown } from './mail-texts.ts'
import * as store from './subscribers-store.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const FORGET_EVERY_S = 3600

/** Whether mail is configured, which confirmations and notices need. */
export function canSubscribe(runtime: Runtime): boolean {
  return mailOf(runtime) !== null
}

/** The address in lower case; null if it is not one email address. */
export function readAddress(text: string): string | null {
  const email = text.trim().toLowerCase()
  try {
    return readMessage({ to: email, subject: '', text: '', reference: 'address' }).to
  } catch (error) {
    if (error instanceof MailError) return null
    throw error
  }
}

export interface Subscription {
  email: string
  language: PageLanguage
}

/** Does the same for each address. Mails the address a link if it may get one. */
export async function subscribe(runtime: Runtime, payload: Subscription): Promise<void> {
  await runtime.db.transact((tx) =>
    enqueue(tx, runtime, sendConfirmation, { payload, project_id: null }),
  )
}

export const sendConfirmation = job({
  name: 'status.send_confirmation',
  payload: Type.Object({ email: Type.String(), language: Type.Enum([...pageLanguages]) }),
  retry_after_s: [30, 300],
  async run({ runtime, payload }) {
    const now = runtime.clock.now()
    const subscriber = await runtime.db.transact((tx) => add(tx, runtime, { ...payload, now }))
    if (subscriber === undefined) return
    const { id, language, confirmed_at } = subscriber
    const url =
      confirmed_at === null ? linkTo(runtime, 'confirm', id) : linkTo(runtime, 'unsubscribe', id)
    const write = confirmed_at === null ? writeConfirmation : writeKnown
    const words = write(language, { url, page_url: `${runtime.config.public_url}/status` })
    const reference = `${id}-${now.getTime()}`
    await sendMail(runtime, { to: payload.email, reference, ...words }, 'a subscription')
  },
})

/** Counts the mail to an address. Returns undefined if that would exceed a limit. */
async function add(
  tx: Transaction,
  { clock, log }: Runtime,
  { email, language, now }: Subscription & { now: Date },
) {
  await store.lockAdding(tx)
  const asked = await store.countAsked(tx, { email, since: new Date(now.getTime() - HOUR_MS) })
  // Unconfirmed addresses count too: each of them can be confirmed.
  const is_full = !asked.is_known && asked.subscribers >= limits.status_subscribers_max
  if (is_full || asked.mails >= limits.status_confirmations_per_hour_max) {
    log.warn('a subscription to the status page exceeds a limit of the installation')
    return undefined
  }
  return store.askToConfirm(tx, {
    id: newId(clock),
    email,
    language,
    now,
    since: new Date(now.getTime() - DAY_MS),
    mails_max: limits.status_confirmations_per_day_max,
  })
}

export type LinkPurpose = 'confirm' | 'unsubscribe'

/** A link that only the owner of the address gets. Its token is an id with a MAC, stored nowhere. */
export function linkTo(runtime: Runtime, purpose: LinkPurpose, id: string): string {
  const mac = macOf(runtime, purpose, id)
  return `${runtime.config.public_url}/status/${purpose}?token=${id}.${mac}`
}

function macOf({ seal }: Runtime, purpose: LinkPurpose, id: string): string {
  return seal.mac(`${purpose} ${id}`, 'status subscription').toString('base64url')
}

/** The subscriber of a token; null if it was not issued for this purpose. */
export function readToken(runtime: Runtime, purpose: LinkPurpose, token: string): string | null {
  const [id = '', mac = ''] = token.split('.')
  return isUuid(id) && sameText(mac, macOf(runtime, purpose, id)) ? id : null
}

/** Returns false if the link is invalid or expired. */
export async function confirmSubscription(runtime: Runtime, token: string): Promise<boolean> {
  const id = readToken(runtime, 'confirm', token)
  if (id === null) return false
  return runtime.db.transact((tx) => store.confirm(tx, id, runtime.clock.now()))
}

/** Succeeds also if the address was removed before. Returns false if the link is invalid. */
export async function unsubscribe(runtime: Runtime, token: string): Promise<boolean> {
  const id = readToken(runtime, 'unsubscribe', token)
  if (id === null) return false
  await runtime.db.transact((tx) => store.remove(tx, id))
  return true
}

export const forgetUnconfirmed = reconciler({
  name: 'status.forget_unconfirmed',
  every_s: FORGET_EVERY_S,
  async run({ db, clock }) {
    const before = new Date(clock.now_ms() - limits.status_unconfirmed_kept_s * 1000)
    await db.transact((tx) => store.deleteUnconfirmed(tx, before))
  },
})
