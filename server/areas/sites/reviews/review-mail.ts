/** The mails about a review. Pure; text of site owners and reporters is quoted as plain text. */
import type { Runtime } from '../../../kernel/runtime.ts'
import {
  joinParagraphs,
  shortName,
  type MailLanguage,
  type MailMessage,
} from '../../../providers/mail/mail-contract.ts'
import type { ReviewWithProject } from './review-store.ts'
import { toAppealUrl, deriveOfflineToken, formatPlace } from './review-token.ts'

type Words = Pick<MailMessage, 'subject' | 'text' | 'links' | 'language'>

function letter(paragraphs: readonly (string | null)[]): string {
  return joinParagraphs(paragraphs.filter((one) => one !== null))
}

interface About {
  kind: 'decided' | 'offline'
  language: MailLanguage
}

export function writeOwnerMail(
  runtime: Runtime,
  review: ReviewWithProject,
  { kind, language }: About,
): Words {
  const { slug, decision, decision_note: note } = review
  const t = language === 'nl' ? dutch : english
  const site = t.site(slug, shortName(review.project_name))
  if (kind === 'offline') {
    const url = appealUrl(runtime, review)
    const reason = review.findings.map(({ what }) => what).join(' ')
    return {
      language,
      subject: t.offline_subject(slug),
      text: letter([t.hello, t.offline(site), t.reason(reason), `${t.may_appeal}\n${url}`]),
      links: [{ url, label: t.appeal }],
    }
  }
  const is_offline = review.findings.some(({ path }) => path === '')
  const outcome = decision === 'allowed' ? t.allowed : t.upheld
  return {
    language,
    subject: t.decided_subject(slug),
    text: letter([
      t.hello,
      t.decided(site),
      outcome.said,
      note === null ? null : t.note(note),
      is_offline ? outcome.if_offline : outcome.if_refused,
    ]),
  }
}

function appealUrl(runtime: Runtime, { project_id, site_id: id }: ReviewWithProject): string {
  return id === null ? '' : toAppealUrl(runtime, deriveOfflineToken(runtime, { project_id, id }))
}

const english = {
  hello: 'Hello,',
  site: (slug: string, project: string) => `the site "${slug}" of your project "${project}"`,
  offline_subject: (slug: string) => `Your site ${slug} was taken offline`,
  offline: (site: string) =>
    `${site} was taken offline. Visitors cannot see it, and nothing can be published to it.`,
  reason: (reason: string) => `The reason: ${reason}`,
  may_appeal: 'If you think that this is a mistake, appeal here, and a person will review it:',
  appeal: 'Appeal',
  decided_subject: (slug: string) => `Your appeal about the site ${slug} was decided`,
  decided: (site: string) => `a person has reviewed your appeal about ${site}.`,
  note: (note: string) => `Their note: ${note}`,
  allowed: {
    said: 'You were right.',
    if_offline: 'The site is online again.',
    if_refused: 'Please publish the site again: the allowed findings no longer block it.',
  },
  upheld: {
    said: 'The decision stands.',
    if_offline: 'The site stays offline.',
    if_refused: 'The site can be published after the findings are removed.',
  },
}

const dutch: typeof english = {
  hello: 'Hallo,',
  site: (slug, project) => `de site "${slug}" van uw project "${project}"`,
  offline_subject: (slug) => `Uw site ${slug} is offline gehaald`,
  offline: (site) =>
    `${site} is offline gehaald. Bezoekers zien de site niet, en er kan niets op worden gepubliceerd.`,
  reason: (reason) => `De reden: ${reason}`,
  may_appeal: 'Is dit volgens u een vergissing, maak dan hier bezwaar. Een mens beoordeelt het:',
  appeal: 'Bezwaar maken',
  decided_subject: (slug) => `Er is beslist over uw bezwaar voor de site ${slug}`,
  decided: (site) => `een mens heeft uw bezwaar over ${site} beoordeeld.`,
  note: (note) => `De toelichting: ${note}`,
  allowed: {
    said: 'U had gelijk.',
    if_offline: 'De site is weer online.',
    if_refused:
      'Publiceer de site opnieuw: de toegestane bevindingen houden publicatie niet meer tegen.',
  },
  upheld: {
    said: 'De beslissing blijft staan.',
    if_offline: 'De site blijft offline.',
    if_refused: 'De site kan worden gepubliceerd nadat de bevindingen zijn verholpen.',
  },
}

export function writeOperatorMail(review: ReviewWithProject): Words {
  const { id, slug, project_id, findings, appeal, appeal_email } = review
  const found = findings.map(
    (one) => `- ${one.path === '' ? '' : `${formatPlace(one)}: `}${one.what}`,
  )
  const quoted = (appeal ?? '').split('\n').map((line) => `> ${line}`)
  return {
    subject: `Appeal about the site ${slug}`,
    text: letter([
      `The owner of the site "${slug}" of project "${shortName(review.project_name)}" appealed.`,
      `Findings:\n${found.join('\n')}`,
      `Their note:\n${quoted.join('\n')}`,
      `Project: ${project_id}\nReview: ${id}\nAnswer goes to: ${appeal_email ?? review.owner_email ?? 'nobody'}`,
      'Decide with one of\n' +
        `npm run -s homeport -- sites decide --review ${id} --allow\n` +
        `npm run -s homeport -- sites decide --review ${id} --uphold --note "why"`,
    ]),
  }
}
