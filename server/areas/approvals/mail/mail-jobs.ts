/**
 * Mails owners and admins about pending approvals, at most once in 15 minutes per project. Later
 * proposals are in the next mail; decided ones are in no mail.
 */
import { Type } from 'typebox'
import { limits } from '../../../contract/limits.ts'
import { toProjectUrl } from '../../../contract/manifest/portal-pages.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { enqueue, job } from '../../../kernel/jobs/jobs.ts'
import { mailLanguages, shortName } from '../../../providers/mail/mail-contract.ts'
import { MAIL_RETRY_S, sendMail } from '../../../providers/mail/send-mail.ts'
import * as people from '../../people/service.ts'
import * as projects from '../../projects/service.ts'
import * as store from '../store.ts'
import { describeIn, writeWaiting } from './mail-texts.ts'

const SHOWN_MAX = 10

/** Finds pending approvals without a mail, and enqueues a mail to each owner and admin. */
export const notifyTeam = job({
  name: 'approvals.tell_team',
  payload: Type.Object({ project_id: Type.String() }),
  retry_after_s: [30, 120, 600, 1800, 7200],
  async run({ runtime, payload: { project_id }, finish }): Promise<void> {
    const now = runtime.clock.now()
    const last = await store.findLastNotified(runtime.db, project_id)
    const due_ms = (last?.getTime() ?? 0) + limits.approval_mail_pause_s * 1000
    const rows = await store.listUnnotified(runtime.db, { project_id, now, count: SHOWN_MAX })
    if (rows.length === 0) return
    if (last !== null && due_ms > now.getTime()) {
      const run_at = new Date(due_ms)
      const work = { project_id, payload: { project_id }, dedupe_key: 'waiting', run_at }
      await finish((tx) => enqueue(tx, runtime, notifyTeam, work))
      return
    }
    const project = await projects.find(runtime.db, project_id)
    const managers = project ? await people.listManagers(runtime.db, project) : []
    const waiting = await store.countPending(runtime.db, project_id, now)
    await finish(async (tx) => {
      await store.setNotified(tx, project_id, now)
      for (const { email: to, language } of managers) {
        const what = rows.map((row) => describeIn(language, row))
        const reference = newId(runtime.clock)
        const payload = { reference, project_id, to, what, waiting, language }
        await enqueue(tx, runtime, sendPendingMail, { project_id, payload })
      }
    })
  },
})

/** Sends one mail to one person. */
export const sendPendingMail = job({
  name: 'approvals.send_waiting',
  payload: Type.Object({
    reference: Type.String(),
    project_id: Type.String(),
    to: Type.String(),
    what: Type.Array(Type.String()),
    waiting: Type.Integer(),
    /** Optional, because jobs of an earlier version have none. */
    language: Type.Optional(Type.Enum([...mailLanguages])),
  }),
  retry_after_s: MAIL_RETRY_S,
  async run({ runtime, payload }) {
    const { reference, project_id, to, what, waiting, language = 'en' } = payload
    const project = await projects.find(runtime.db, project_id)
    if (!project || project.deleted_at) return
    const name = shortName(project.name)
    const url = toProjectUrl(runtime.config, project_id, '/approvals')
    const words = writeWaiting(language, { name, url, what, waiting })
    await sendMail(runtime, { to, reference, ...words }, 'a pending approval')
  },
})
