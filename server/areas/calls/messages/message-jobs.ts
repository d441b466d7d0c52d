/**
 * Mails the messages of callers to the business: the first at once, then at most one mail per
 * interval and project with all messages since.
 */
import { Type } from 'typebox'
import { limits } from '../../../contract/limits.ts'
import { toProjectUrl } from '../../../contract/manifest/portal-pages.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { enqueue, job } from '../../../kernel/jobs/jobs.ts'
import { mailOf } from '../../../providers/mail/mail.ts'
import { MAIL_RETRY_S } from '../../../providers/mail/send-mail.ts'
import * as assistant from '../../assistant/service.ts'
import * as people from '../../people/service.ts'
import * as projects from '../../projects/service.ts'
import { writeMessages } from './message-mail.ts'
import * as store from './message-store.ts'

const MESSAGES_PER_MAIL_MAX = 20
const MESSAGE_AGE_MAX_MS = 24 * 3600 * 1000

/** Creates one mail for the unmailed messages, and reschedules itself if some are left. */
export const mailMessages = job({
  name: 'calls.mail_messages',
  payload: Type.Object({ project_id: Type.String() }),
  retry_after_s: [30, 120, 600, 1800, 7200],
  async run({ runtime, payload, finish }): Promise<void> {
    const { project_id } = payload
    if (mailOf(runtime) === null) return
    const now = runtime.clock.now()
    const since = new Date(now.getTime() - MESSAGE_AGE_MAX_MS)
    await dropOld(runtime, { project_id, since })
    if ((await addressOf(runtime, project_id)) === null) {
      const count = await store.countUnmailed(runtime.db, project_id)
      runtime.log.warn({ project_id, count }, 'messages of callers have no address to be mailed to')
      return
    }
    const last = await store.findLastMailTime(runtime.db, project_id)
    const pause_ms = limits.call_message_mail_pause_s * 1000
    const due_ms = last === null ? 0 : last.getTime() + pause_ms
    const again = (run_at: number) => ({
      project_id,
      payload,
      dedupe_key: 'messages',
      run_at: new Date(run_at),
    })
    if (due_ms > now.getTime()) {
      await finish((tx) => enqueue(tx, runtime, mailMessages, again(due_ms)))
      return
    }
    await finish(async (tx) => {
      const mail_id = newId(runtime.clock)
      const order = { project_id, mail_id, now, count: MESSAGES_PER_MAIL_MAX }
      const count = await store.assignToMail(tx, order)
      if (count === 0) return
      await enqueue(tx, runtime, sendMessages, { project_id, payload: { project_id, mail_id } })
      if (count < MESSAGES_PER_MAIL_MAX) return
      await enqueue(tx, runtime, mailMessages, again(now.getTime() + pause_ms))
    })
  },
})

async function dropOld(
  runtime: Runtime,
  { project_id, since }: { project_id: string; since: Date },
): Promise<void> {
  const drop = { project_id, mail_id: newId(runtime.clock), since }
  const count = await runtime.db.transact((tx) => store.setOldMessagesMailed(tx, drop))
  if (count === 0) return
  runtime.log.warn({ project_id, count }, 'messages of callers are too old to be mailed')
}

/**
 * Returns the assistant's `transfer.email`, otherwise the owner's address; null if the project is
 * deleted.
 */
async function addressOf(runtime: Runtime, project_id: string): Promise<string | null> {
  const project = await projects.find(runtime.db, project_id)
  if (!project || project.deleted_at) return null
  const { transfer } = await assistant.readContacts(runtime.db, project_id)
  return transfer.email ?? project.owner_email
}

/**
 * Sends one mail. Retries a permanent refusal too, because each attempt uses the current address,
 * which the owner can correct. A job that keeps failing becomes a dead letter, which the operator
 * sees.
 */
export const sendMessages = job({
  name: 'calls.send_messages',
  payload: Type.Object({ project_id: Type.String(), mail_id: Type.String() }),
  retry_after_s: MAIL_RETRY_S,
  async run({ runtime, payload: { project_id, mail_id } }) {
    const project = await projects.find(runtime.db, project_id)
    const to = await addressOf(runtime, project_id)
    if (!project || to === null) return
    const messages = await store.listMessagesOfMail(runtime.db, project_id, mail_id)
    if (messages.length === 0) return
    const { timezone } = await assistant.readContacts(runtime.db, project_id)
    const calls_url = toProjectUrl(runtime.config, project_id, '/calls')
    const [first] = await assistant.readLanguages(runtime.db, project_id)
    const otherwise = first?.startsWith('nl') ? 'nl' : 'en'
    const language = await people.findLanguageOf(runtime.db, to, otherwise)
    const words = writeMessages({
      project_name: project.name,
      messages,
      timezone,
      calls_url,
      language,
    })
    await mailOf(runtime)?.send({ to, reference: mail_id, ...words })
  },
})
