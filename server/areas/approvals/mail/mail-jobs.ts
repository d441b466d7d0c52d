/**
 * Mails owners and admins about pending approvals, at most once in 15 minutes per project. Later
 * proposals are in the next mail; decided ones are in no mail.
 */
import { Type } from 'typebox'
import { limits } from '../../../contract/limits.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { enqueue, job } from '../../../kernel/jobs/jobs.ts'
import { toOneLine } from '../../../providers/mail/mail-contract.ts'
import { sendMail } from '../../../providers/mail/send-mail.ts'
import * as people from '../../people/service.ts'
import * as projects from '../../projects/service.ts'
import * as store from '../store.ts'

/** The retries cover a mail server that is unreachable for a weekend. */
const RETRY_S = [30, 120, 600, 1800, 7200, ...Array<number>(10).fill(21_600)]
const SHOWN_MAX = 10
const NAME_CHARACTERS_MAX = 100

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
    const addresses = await addressesOf(runtime, project_id)
    const waiting = await store.countPending(runtime.db, project_id, now)
    const what = rows.map((row) => (row.cost === null ? row.about : `${row.about} ${row.cost}`))
    await finish(async (tx) => {
      await store.setNotified(tx, project_id, now)
      for (const to of addresses) {
        const payload = { reference: newId(runtime.clock), project_id, to, what, waiting }
        await enqueue(tx, runtime, sendPendingMail, { project_id, payload })
      }
    })
  },
})

/**
 * Emails of unrestricted owners and admins. Returns the project's owner email while the team is
 * empty.
 */
async function addressesOf(runtime: Runtime, project_id: string): Promise<string[]> {
  const { members } = await people.listTeam(runtime.db, project_id, runtime.clock.now())
  const deciding = members.filter(
    ({ role, access }) => access === null && people.hasRole(role, 'admin'),
  )
  if (members.length > 0) return deciding.map(({ email }) => email)
  const project = await projects.find(runtime.db, project_id)
  return project?.owner_email ? [project.owner_email] : []
}

/** Sends one mail to one person. */
export const sendPendingMail = job({
  name: 'approvals.send_waiting',
  payload: Type.Object({
    reference: Type.String(),
    project_id: Type.String(),
    to: Type.String(),
    what: Type.Array(Type.String()),
    waiting: Type.Integer(),
  }),
  retry_after_s: RETRY_S,
  async run({ runtime, payload: { reference, project_id, to, what, waiting } }) {
    const project = await projects.find(runtime.db, project_id)
    if (!project || project.deleted_at) return
    const name = [...toOneLine(project.name)].slice(0, NAME_CHARACTERS_MAX).join('')
    const url = `${runtime.config.public_url}/portal/projects/${project_id}/approvals`
    const words = writeWaiting({ name, url, what, waiting })
    await sendMail(runtime, { to, reference, ...words }, 'a pending approval')
  },
})

interface Waiting {
  name: string
  url: string
  what: readonly string[]
  waiting: number
}

/**
 * Writes the text of the mail. It lists operations without their arguments, which the portal shows.
 */
function writeWaiting({ name, url, what, waiting }: Waiting): { subject: string; text: string } {
  const things = waiting === 1 ? 'One thing waits' : `${waiting} things wait`
  const paragraphs = [
    'Hello,',
    `an assistant that is connected to your project "${name}" wants to do something that needs ` +
      'the yes of a person. Nothing is done before that.',
    what.map((one) => `- ${one}`).join('\n'),
    `${things} in all. See exactly what, and decide, here:\n${url}`,
    `What nobody decides about within ${limits.approval_s / 3600} hours is not done.`,
  ]
  return { subject: `${things} for your yes: ${name}`, text: `${paragraphs.join('\n\n')}\n` }
}
