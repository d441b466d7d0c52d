/** Mails to the owners of a project that was deleted or restored. */
import { Type } from 'typebox'
import { limits } from '../../contract/limits.ts'
import { toPortalUrl, toProjectUrl } from '../../contract/manifest/portal-pages.ts'
import { job } from '../../kernel/jobs/jobs.ts'
import { mailLanguages } from '../../providers/mail/mail-contract.ts'
import { sendMail } from '../../providers/mail/send-mail.ts'
import { writeProjectMail } from './mail-texts.ts'
import { findName } from './store.ts'

/** Does nothing if the project was removed, deleted again or restored meanwhile. */
export const sendProjectNotice = job({
  name: 'deleted_projects.send_notice',
  payload: Type.Object({
    project_id: Type.String(),
    email: Type.String(),
    language: Type.Enum([...mailLanguages]),
    what: Type.Enum(['deleted', 'restored']),
    reference: Type.String(),
  }),
  retry_after_s: [30, 300, 3600],
  async run({ runtime, payload: { project_id, email, language, what, reference } }) {
    const found = await findName(runtime.db, project_id)
    if (!found || (found.deleted_at === null) !== (what === 'restored')) return
    const kept_ms = limits.deleted_project_kept_s * 1000
    const kept_until = new Date((found.deleted_at?.getTime() ?? 0) + kept_ms)
    const url =
      what === 'deleted' ? toPortalUrl(runtime.config) : toProjectUrl(runtime.config, project_id)
    const { name, deleted_by_operator: by_operator } = found
    const words = writeProjectMail(language, { what, name, by_operator, kept_until, url })
    await sendMail(runtime, { to: email, reference, language, ...words }, 'a deleted project')
  },
})
