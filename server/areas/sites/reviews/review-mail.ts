/** The mails about a review. Pure; text of site owners and reporters is quoted as plain text. */
import type { Runtime } from '../../../kernel/runtime.ts'
import { toOneLine } from '../../../providers/mail/mail-contract.ts'
import type { ReviewWithProject } from './review-store.ts'
import { toAppealUrl, deriveOfflineToken, formatPlace } from './review-token.ts'

interface Words {
  subject: string
  text: string
}

const NAME_CHARACTERS_MAX = 100

function letter(paragraphs: readonly (string | null)[]): string {
  return `${paragraphs.filter((one) => one !== null).join('\n\n')}\n`
}

export function writeOwnerMail(
  runtime: Runtime,
  review: ReviewWithProject,
  kind: 'decided' | 'offline',
): Words {
  const { slug, project_id, site_id, decision } = review
  const hello = `Hello,`
  const of = `the site "${slug}" of your project "${shorten(review.project_name)}"`
  if (kind === 'offline') {
    const url =
      site_id === null
        ? ''
        : toAppealUrl(runtime, deriveOfflineToken(runtime, { project_id, id: site_id }))
    return {
      subject: `Your site ${slug} was taken offline`,
      text: letter([
        hello,
        `${of} was taken offline. Visitors cannot see it, and nothing can be published to it.`,
        `The reason: ${review.findings.map(({ what }) => what).join(' ')}`,
        `If you think that this is a mistake, appeal here, and a person will review it:\n${url}`,
      ]),
    }
  }
  const note = review.decision_note
  return {
    subject: `Your appeal about the site ${slug} was decided`,
    text: letter([
      hello,
      `a person has reviewed your appeal about ${of}.`,
      decision === 'allowed' ? 'You were right.' : 'The decision stands.',
      note === null ? null : `Their note: ${note}`,
      whatNext(review),
    ]),
  }
}

function whatNext({ decision, findings }: ReviewWithProject): string {
  const offline = findings.some(({ path }) => path === '')
  if (decision === 'allowed') {
    return offline
      ? 'The site is online again.'
      : 'Please publish the site again: the allowed findings no longer block it.'
  }
  return offline
    ? 'The site stays offline.'
    : 'The site can be published after the findings are removed.'
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
      `The owner of the site "${slug}" of project "${shorten(review.project_name)}" appealed.`,
      `Findings:\n${found.join('\n')}`,
      `Their note:\n${quoted.join('\n')}`,
      `Project: ${project_id}\nReview: ${id}\nAnswer goes to: ${appeal_email ?? review.owner_email ?? 'nobody'}`,
      'Decide with one of\n' +
        `npm run -s homeport -- sites decide --review ${id} --allow\n` +
        `npm run -s homeport -- sites decide --review ${id} --uphold --note "why"`,
    ]),
  }
}

function shorten(words: string): string {
  const characters = [...toOneLine(words)]
  return characters.length <= NAME_CHARACTERS_MAX
    ? characters.join('')
    : `${characters.slice(0, NAME_CHARACTERS_MAX).join('')}…`
}
