/** The mails about verification, in English and Dutch. Pure. */
import { joinParagraphs, shortName, type MailLanguage } from '../../providers/mail/mail-contract.ts'
import type { CheckedLevel } from '../projects/service.ts'
import { reasonIn } from './register/reasons.ts'

export interface Notice {
  level: CheckedLevel
  status: 'approved' | 'rejected'
  reason: string | null
}

interface Context {
  language: MailLanguage
  project_name: string
  url: string
}

interface Words {
  subject: string
  text: string
  language: MailLanguage
  links: { url: string; label: string }[]
}

const en = {
  levels: { company: 'Company', number_documents: 'Documents for numbers', full: 'Full' },
  unlocked: {
    company: 'You can now use live keys, national phone numbers and incoming calls.',
    number_documents: 'You can now order local phone numbers.',
    full: 'You can now make outgoing calls, make more calls at once, and set a spending cap above 500 euro.',
  },
  approved_subject: (project: string) => `Verification approved: ${project}`,
  rejected_subject: (project: string) => `Verification refused: ${project}`,
  approved: (level: string, project: string) =>
    `The level ${level} of the project "${project}" is approved.`,
  rejected: (level: string, project: string) =>
    `The level ${level} of the project "${project}" was not approved.`,
  reason: (reason: string) => `Reason: ${reason}`,
  send_again: 'Change this and send it again:',
  open: 'Open verification',
}

const nl: typeof en = {
  levels: { company: 'Bedrijf', number_documents: 'Documenten voor nummers', full: 'Volledig' },
  unlocked: {
    company: 'U kunt nu live sleutels, landelijke nummers en inkomende gesprekken gebruiken.',
    number_documents: 'U kunt nu lokale telefoonnummers bestellen.',
    full: 'U kunt nu uitgaand bellen, meer gesprekken tegelijk voeren, en een bestedingslimiet boven 500 euro instellen.',
  },
  approved_subject: (project) => `Verificatie goedgekeurd: ${project}`,
  rejected_subject: (project) => `Verificatie afgewezen: ${project}`,
  approved: (level, project) => `Het niveau ${level} van het project "${project}" is goedgekeurd.`,
  rejected: (level, project) =>
    `Het niveau ${level} van het project "${project}" is niet goedgekeurd.`,
  reason: (reason) => `Reden: ${reason}`,
  send_again: 'Pas dit aan en stuur het opnieuw in:',
  open: 'Verificatie bekijken',
}

export function writeDecisionMail(
  { level, status, reason }: Notice,
  { language, project_name, url }: Context,
): Words {
  const t = language === 'nl' ? nl : en
  const name = shortName(project_name)
  const title = t.levels[level]
  const [subject, paragraphs] =
    status === 'approved'
      ? [t.approved_subject(name), [t.approved(title, name), t.unlocked[level]]]
      : [
          t.rejected_subject(name),
          [t.rejected(title, name), t.reason(reasonIn(language, reason ?? '')), t.send_again],
        ]
  return {
    subject,
    text: joinParagraphs([...paragraphs, url]),
    language,
    links: [{ url, label: t.open }],
  }
}

export function writeOperatorMail({
  level,
  project_name,
  url,
}: Pick<Context, 'project_name' | 'url'> & { level: CheckedLevel }): Words {
  const name = shortName(project_name)
  return {
    subject: `A verification waits for review: ${name}`,
    text: joinParagraphs([
      `The project "${name}" asks for the level ${en.levels[level]}.`,
      'Review it in the operator console:',
      url,
    ]),
    language: 'en',
    links: [{ url, label: 'Open the review' }],
  }
}
