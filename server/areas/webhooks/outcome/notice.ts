/**
 * Emails about a failing endpoint: when they are due, by its state before and after an attempt, and
 * their text. Pure. The text contains no secret: the query of the URL is omitted, because it may
 * contain tokens.
 */
import {
  joinParagraphs,
  toOneLine,
  type MailLanguage,
  type MailMessage,
} from '../../../providers/mail/mail-contract.ts'
import type { EndpointState } from './outcome.ts'
import type { DeliveryError } from '../schema.ts'
import { noticeTexts } from './notice-texts.ts'

/** A warning before the endpoint is disabled, or the notice that it was. */
export type NoticeKind = 'warning' | 'disabled'

/** Returns the email that is due after an attempt; null if none is. */
export function findDueNotice(before: EndpointState, after: EndpointState): NoticeKind | null {
  if (before.active && !after.active) return 'disabled'
  return after.warned_failures > before.warned_failures ? 'warning' : null
}

export interface Notice {
  kind: NoticeKind
  endpoint_id: string
  url: string
  failures: number
  /** Error of the last attempt. */
  error: DeliveryError
  response_status: number | null
  failed_at: Date
  project_name: string
  language: MailLanguage
  /** Base URL of the API. */
  api_url: string
}

const URL_CHARACTERS_MAX = 300
const NAME_CHARACTERS_MAX = 100

export function writeNotice(notice: Notice): Pick<MailMessage, 'subject' | 'text' | 'language'> {
  const { kind, url, failures, language } = notice
  const t = noticeTexts[language]
  const host = URL.parse(url)?.host ?? t.unknown_host
  const disabled = kind === 'disabled'
  const name = shorten(notice.project_name, NAME_CHARACTERS_MAX)
  const paragraphs = [
    t.hello,
    t.failed(failures, name) + (disabled ? ` ${t.is_off}` : ''),
    describe(notice),
    ...(disabled ? t.after_disabling(notice) : t.before_disabling(notice)),
  ]
  const subject = disabled ? t.off_subject(host) : t.failing_subject(host, failures)
  return { subject, text: joinParagraphs(paragraphs), language }
}

function describe({ url, language, ...notice }: Notice): string {
  const { endpoint_id, error, response_status, failed_at } = notice
  const t = noticeTexts[language]
  const [bare = ''] = url.split(/[?#]/)
  const status = response_status === null ? '' : `, status ${response_status}`
  return [
    `${t.endpoint}: ${shorten(bare.length < url.length ? `${bare}?…` : bare, URL_CHARACTERS_MAX)}`,
    `${t.id}: ${endpoint_id}`,
    `${t.last_error}: ${error}${status} (${t.errors[error]})`,
    `${t.at}: ${failed_at.toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  ].join('\n')
}

function shorten(words: string, characters_max: number): string {
  const characters = [...toOneLine(words)]
  if (characters.length <= characters_max) return characters.join('')
  return `${characters.slice(0, characters_max).join('')}…`
}
