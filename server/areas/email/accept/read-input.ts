/** Validates an email of a request, after the checks of the module and of its domain. */
import type { Validator } from 'typebox/compile'
import { schemaCompiler } from '../../../kernel/values/typebox.ts'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { parseMailbox, toKey, type Mailbox } from '../addresses/parse-address.ts'
import { EmailFields } from '../schema.ts'

export interface NewRecipient extends Mailbox {
  field: 'to' | 'cc' | 'bcc'
  /** The address in lower case. */
  key: string
}

export interface ReadEmail {
  sender: Mailbox
  to: Mailbox[]
  cc: Mailbox[]
  bcc: Mailbox[]
  reply_to: Mailbox[]
  /** Each address once; in the first of to, cc and bcc. */
  recipients: NewRecipient[]
  subject: string
  text: string | null
  html: string | null
  headers: Record<string, string>
  tags: Record<string, string>
  attachments: NonNullable<EmailFields['attachments']>
  scheduled_at: Date | null
}

interface Fault {
  path: string
  message: string
}

const FAULTS_MAX = 20
const headerName =
  /^(?:in-reply-to|references|list-unsubscribe|list-unsubscribe-post|x-[a-z0-9-]{1,60})$/i
/** Headers by which the server itself recognizes its messages. */
const reserved = /^x-(?:homeport|mailer)/i
let validator: Validator<Record<never, never>, typeof EmailFields> | null = null

export function readInput(given: unknown, now: Date): ReadEmail {
  validator ??= schemaCompiler().Compile(EmailFields)
  if (!validator.Check(given)) {
    const faults = validator
      .Errors(given)
      .slice(0, FAULTS_MAX)
      .map(({ instancePath, message }) => ({ path: instancePath, message }))
    throw invalid(faults)
  }
  const faults: Fault[] = []
  const email = convert(given, faults)
  faults.push(...describeContent(given), ...describeHeaders(given), ...describeTime(given, now))
  if (faults.length > 0) throw invalid(faults.slice(0, FAULTS_MAX))
  return email
}

/** The emails of a batch, each still to be checked. */
export function readBatch(given: unknown): unknown[] {
  const { emails, ...others } = Object(given)
  const max = limits.emails_per_batch_max
  const [other] = Object.keys(others)
  if (other !== undefined)
    throw invalid([{ path: `/${other}`, message: 'is not a field of a batch' }])
  if (Array.isArray(emails) && emails.length > 0 && emails.length <= max) return emails
  throw invalid([{ path: '/emails', message: `must be a list of 1 to ${max} emails` }])
}

function convert(given: EmailFields, faults: Fault[]): ReadEmail {
  const mailbox = (text: string, path: string): Mailbox => {
    const read = parseMailbox(text)
    if (read === null)
      faults.push({ path, message: 'must be an address such as Anna <anna@example.com>' })
    return read ?? { name: null, address: '' }
  }
  const mailboxes = (field: 'to' | 'cc' | 'bcc' | 'reply_to') =>
    (given[field] ?? []).map((text, index) => mailbox(text, `/${field}/${index}`))
  const [to, cc, bcc] = [mailboxes('to'), mailboxes('cc'), mailboxes('bcc')]
  const recipients = distinct({ to, cc, bcc })
  const max = limits.email_recipients_max
  if (recipients.length > max)
    faults.push({
      path: '/to',
      message: `must have at most ${max} recipients together with cc and bcc`,
    })
  return {
    sender: mailbox(given.from, '/from'),
    to,
    cc,
    bcc,
    reply_to: mailboxes('reply_to'),
    recipients,
    subject: given.subject,
    text: given.text ?? null,
    html: given.html ?? null,
    headers: given.headers ?? {},
    tags: given.tags ?? {},
    attachments: given.attachments ?? [],
    scheduled_at: given.scheduled_at === undefined ? null : new Date(given.scheduled_at),
  }
}

function distinct(fields: Record<'to' | 'cc' | 'bcc', Mailbox[]>): NewRecipient[] {
  const found = new Map<string, NewRecipient>()
  for (const field of ['to', 'cc', 'bcc'] as const) {
    for (const mailbox of fields[field]) {
      const key = toKey(mailbox.address)
      if (!found.has(key)) found.set(key, { ...mailbox, field, key })
    }
  }
  return [...found.values()]
}

function describeContent({ subject, text, html }: EmailFields): Fault[] {
  return [
    ...(text === undefined && html === undefined
      ? [{ path: '/text', message: 'is required if there is no html' }]
      : []),
    ...(html !== undefined && html.split('<').length > limits.email_html_tags_max
      ? [{ path: '/html', message: `must have at most ${limits.email_html_tags_max} tags` }]
      : []),
    ...(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u.test(subject)
      ? [{ path: '/subject', message: 'must be one line without control characters' }]
      : []),
  ]
}

function describeHeaders({ headers = {} }: EmailFields): Fault[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const path = `/headers/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
    if (!headerName.test(name) || reserved.test(name)) {
      const message =
        'must be In-Reply-To, References, List-Unsubscribe, List-Unsubscribe-Post, or begin with X-'
      return [{ path, message }]
    }
    if (!/^[\x20-\x7e]*$/.test(value))
      return [{ path, message: 'must be one line of visible ASCII characters' }]
    return []
  })
}

function describeTime({ scheduled_at }: EmailFields, now: Date): Fault[] {
  if (scheduled_at === undefined) return []
  const ahead_s = (new Date(scheduled_at).getTime() - now.getTime()) / 1000
  if (ahead_s > 0 && ahead_s <= limits.email_scheduled_s_max) return []
  const days = limits.email_scheduled_s_max / 86_400
  return [{ path: '/scheduled_at', message: `must be in the future, at most ${days} days ahead` }]
}

function invalid(errors: readonly Fault[]): Problem {
  const [first] = errors
  const detail = `${first?.path || 'The email'} ${first?.message ?? 'is not valid'}.`
  return new Problem('validation_failed', detail, { errors })
}
