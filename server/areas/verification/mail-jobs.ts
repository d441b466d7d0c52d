/** Mails about verification: decisions to the team, and new reviews to the operator. */
import type { ProjectRow } from '../../contract/caller.ts'
import { toPortalUrl, toProjectUrl } from '../../contract/manifest/portal-pages.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import { enqueue, job } from '../../kernel/jobs/jobs.ts'
import type { Runtime } from '../../kernel/runtime.ts'
import { newId } from '../../kernel/values/ids.ts'
import { MAIL_RETRY_S, sendMail, writtenMail } from '../../providers/mail/send-mail.ts'
import * as people from '../people/service.ts'
import type { CheckedLevel } from '../projects/service.ts'
import { writeDecisionMail, writeOperatorMail, type Notice } from './mail-texts.ts'

export const sendVerificationMail = job({
  name: 'verification.send_mail',
  payload: writtenMail,
  retry_after_s: MAIL_RETRY_S,
  run: ({ runtime, payload }) => sendMail(runtime, payload, 'a verification'),
})

/** Enqueues a mail to each owner and admin, in the transaction of the decision. */
export async function enqueueNotices(
  tx: Transaction,
  runtime: Runtime,
  { project, notice }: { project: ProjectRow; notice: Notice },
): Promise<void> {
  const url = toProjectUrl(runtime.config, project.id, '/verification')
  for (const { email: to, language } of await people.listManagers(tx, project)) {
    const words = writeDecisionMail(notice, { language, project_name: project.name, url })
    const payload = { ...words, to, reference: newId(runtime.clock) }
    await enqueue(tx, runtime, sendVerificationMail, { project_id: project.id, payload })
  }
}

/** Does nothing if the operator has no address. */
export async function enqueueOperatorNotice(
  tx: Transaction,
  runtime: Runtime,
  { project, level }: { project: ProjectRow; level: CheckedLevel },
): Promise<void> {
  const { operator_email: to } = runtime.config
  if (to === '') return
  const url = `${toPortalUrl(runtime.config)}/operator/verifications`
  const words = writeOperatorMail({ level, project_name: project.name, url })
  const payload = { ...words, to, reference: newId(runtime.clock) }
  await enqueue(tx, runtime, sendVerificationMail, { project_id: project.id, payload })
}
