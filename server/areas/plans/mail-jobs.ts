/** Mails about the plan, to the owners and admins of a project. */
import type { ProjectRow } from '../../contract/caller.ts'
import { toProjectUrl } from '../../contract/manifest/portal-pages.ts'
import { PLAN_PAGE } from '../../contract/problems/plan-page.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import { enqueue, job } from '../../kernel/jobs/jobs.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { newId } from '../../kernel/values/ids.ts'
import { MAIL_RETRY_S, sendMail, writtenMail } from '../../providers/mail/send-mail.ts'
import * as people from '../people/service.ts'
import { writePlanMail, type Notice } from './mail-texts.ts'

/** Sends one mail to one person. */
export const sendPlanMail = job({
  name: 'plans.send_mail',
  payload: writtenMail,
  retry_after_s: MAIL_RETRY_S,
  run: ({ runtime, payload }) => sendMail(runtime, payload, 'a plan'),
})

/** Enqueues a mail to each owner and admin in their language, in the transaction of the event. */
export async function enqueueMails(
  tx: Transaction,
  runtime: Runtime,
  { project, notice }: { project: ProjectRow; notice: Notice },
): Promise<void> {
  const { config } = runtime
  for (const { email: to, language } of await people.listManagers(tx, project)) {
    const {
      subject,
      text,
      links = [],
    } = writePlanMail(notice, {
      language,
      project_name: project.name,
      url: toProjectUrl(config, project.id, PLAN_PAGE),
      page_url: (path) => toProjectUrl(config, project.id, path),
      timezone: config.billing_timezone,
    })
    const reference = newId(runtime.clock)
    const payload = { reference, to, subject, text, language, links: [...links] }
    await enqueue(tx, runtime, sendPlanMail, { project_id: project.id, payload })
  }
}
