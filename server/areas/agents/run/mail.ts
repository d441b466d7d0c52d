/** Mails of agents to the owners and admins of a project. */
import { toProjectUrl } from '../../../contract/manifest/portal-pages.ts'
import type { ProjectRow } from '../../../contract/caller.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import { enqueue, job } from '../../../kernel/jobs/jobs.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'
import {
  joinParagraphs,
  shortName,
  type MailLanguage,
} from '../../../providers/mail/mail-contract.ts'
import { MAIL_RETRY_S, sendMail, writtenMail } from '../../../providers/mail/send-mail.ts'
import * as people from '../../people/service.ts'

/** Sends one mail to one person. */
export const sendAgentMail = job({
  name: 'agents.send_mail',
  payload: writtenMail,
  retry_after_s: MAIL_RETRY_S,
  run: ({ runtime, payload }) => sendMail(runtime, payload, 'an agent'),
})

interface Words {
  subject: string
  paragraphs: readonly string[]
  link: string
}

interface Mailing {
  project: ProjectRow
  words: Readonly<Record<MailLanguage, Words>>
}

/** Enqueues a mail to each owner and admin in the given transaction. */
async function enqueueMails(
  tx: Transaction,
  runtime: Runtime,
  { project, words }: Mailing,
): Promise<void> {
  const url = toProjectUrl(runtime.config, project.id, '/agents')
  for (const { email: to, language } of await people.listManagers(tx, project)) {
    const { subject, paragraphs, link } = words[language]
    const text = joinParagraphs([...paragraphs, url])
    const links = [{ url, label: link }]
    const payload = { reference: newId(runtime.clock), to, subject, text, language, links }
    await enqueue(tx, runtime, sendAgentMail, { project_id: project.id, payload })
  }
}

interface FromAgent {
  project: ProjectRow
  /** Name of the agent. */
  name: string
}

/** Mails the message of a step `notify.owner`. */
export function enqueueNotice(
  tx: Transaction,
  runtime: Runtime,
  { project, name, subject, text }: FromAgent & { subject: string; text: string },
): Promise<void> {
  const agent = shortName(name)
  const words = {
    en: {
      subject,
      paragraphs: [text, `Your agent “${agent}” of ${shortName(project.name)} sent this.`],
      link: 'See your agents',
    },
    nl: {
      subject,
      paragraphs: [text, `Uw agent “${agent}” van ${shortName(project.name)} stuurde dit.`],
      link: 'Bekijk uw agents',
    },
  }
  return enqueueMails(tx, runtime, { project, words })
}

/** Mails that an agent was paused after failed runs. */
export function enqueuePauseMails(
  tx: Transaction,
  runtime: Runtime,
  { project, name, failures }: FromAgent & { failures: number },
): Promise<void> {
  const agent = shortName(name)
  const of = shortName(project.name)
  const words = {
    en: {
      subject: `Your agent “${agent}” is paused`,
      paragraphs: [
        `The last ${failures} runs of the agent “${agent}” of ${of} failed, so it was paused.`,
        'Open its runs to see what went wrong. Change the agent, then switch it on again.',
      ],
      link: 'See your agents',
    },
    nl: {
      subject: `Uw agent “${agent}” is gepauzeerd`,
      paragraphs: [
        `De agent “${agent}” van ${of} mislukte ${failures} keer achter elkaar, daarom is hij gepauzeerd.`,
        'Bekijk wat er misging. Pas de agent aan en zet hem daarna weer aan.',
      ],
      link: 'Bekijk uw agents',
    },
  }
  return enqueueMails(tx, runtime, { project, words })
}
