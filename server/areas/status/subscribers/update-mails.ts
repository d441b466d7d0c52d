/** Mails an update to every subscriber: one job makes a job for each of them, a hundred at a time. */
import { Type } from 'typebox'
import { enqueue, job, type Job } from '../../../kernel/jobs/jobs.ts'
import { sendMail } from '../../../providers/mail/send-mail.ts'
import { findIncident } from '../incidents/incidents-store.ts'
import { writeUpdate } from './mail-texts.ts'
import { linkTo } from './subscribers.ts'
import * as store from './subscribers-store.ts'

const PAGE_SIZE = 100

const UpdatePayload = Type.Object({
  incident_id: Type.String(),
  update_id: Type.String(),
  /** Id of the last subscriber with a job for this update; null before the first. */
  after: Type.Union([Type.String(), Type.Null()]),
})

const SentPayload = Type.Object({
  incident_id: Type.String(),
  update_id: Type.String(),
  subscriber_id: Type.String(),
})

type UpdateJob = Job<{ incident_id: string; update_id: string; after: string | null }>

export const mailUpdate: UpdateJob = job({
  name: 'status.mail_update',
  payload: UpdatePayload,
  retry_after_s: [30, 300, 3600],
  async run({ runtime, payload, finish }) {
    const { incident_id, update_id, after } = payload
    const ids = await store.listAfter(runtime.db, { after, count: PAGE_SIZE })
    await finish(async (tx) => {
      for (const subscriber_id of ids) {
        const one = { incident_id, update_id, subscriber_id }
        await enqueue(tx, runtime, sendUpdate, { payload: one, project_id: null })
      }
      if (ids.length < PAGE_SIZE) return
      const rest = { incident_id, update_id, after: ids.at(-1) ?? null }
      await enqueue(tx, runtime, mailUpdate, { payload: rest, project_id: null })
    })
  },
})

/** Does nothing for an update or a subscription that was deleted meanwhile. */
export const sendUpdate = job({
  name: 'status.send_update',
  payload: SentPayload,
  retry_after_s: [60, 600, 3600],
  async run({ runtime, payload: { incident_id, update_id, subscriber_id } }) {
    const subscriber = await store.findConfirmed(runtime.db, subscriber_id)
    const incident = await findIncident(runtime.db, incident_id)
    const update = incident?.updates.find(({ id }) => id === update_id)
    if (!subscriber || !incident || !update) return
    const unsubscribe_url = linkTo(runtime, 'unsubscribe', subscriber.id)
    const words = writeUpdate(subscriber.language, {
      title: incident.title,
      state: update.state,
      message: update.message,
      incident_url: `${runtime.config.public_url}/status/incidents/${incident.id}`,
      unsubscribe_url,
    })
    const reference = `${update.id}-${subscriber.id}`
    const message = { to: subscriber.email, reference, ...words, unsubscribe_url }
    await sendMail(runtime, message, 'an update of the status page')
  },
})
