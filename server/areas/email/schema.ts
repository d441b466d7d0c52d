/** Shapes of emails in the API. */
import { Type, type Static, type TProperties } from 'typebox'
import { limits } from '../../contract/limits.ts'
import { checkedByService } from '../../contract/operations/checked-by-service.ts'
import { nameSchema } from '../../contract/schema/named.ts'
import { markAsOutsiders } from '../../contract/schema/outsiders.ts'
import { PageQuery, PageReply } from '../../contract/schema/pages.ts'
import {
  orNull,
  RequestTime,
  Timestamp,
  Uuid,
  withDescription,
} from '../../contract/schema/shapes.ts'
import { formatSize } from '../../kernel/values/size.ts'

const recipientStatuses = [
  'queued',
  'sent',
  'delivered',
  'delayed',
  'bounced',
  'complained',
  'suppressed',
  'canceled',
] as const
const emailStatuses = [
  'scheduled',
  'queued',
  'sent',
  'delivered',
  'partially_delivered',
  'delayed',
  'bounced',
  'complained',
  'suppressed',
  'canceled',
] as const

export const closed = <Properties extends TProperties>(properties: Properties, options = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options })

const ADDRESS_CHARACTERS_MAX = 500
const { email_recipients_max, email_text_characters_max, email_attachments_max } = limits

const addressText = (description: string) =>
  Type.String({
    minLength: 3,
    maxLength: ADDRESS_CHARACTERS_MAX,
    description,
    examples: ['Anna de Vries <anna@example.com>'],
  })

const addressList = (description: string, minItems = 0) =>
  Type.Array(addressText('An address, also with a name.'), {
    minItems,
    maxItems: email_recipients_max,
    description,
  })

const AttachmentInput = closed({
  filename: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Name of the file; needed with content. Default: its name in the media library.',
      examples: ['invoice-1042.pdf'],
    }),
  ),
  content: Type.Optional(
    Type.String({ description: 'The bytes as base64; or media_id.', examples: ['JVBERi0xLjcK'] }),
  ),
  media_id: Type.Optional(withDescription(Uuid, 'A file of the media library; or content.')),
  content_type: Type.Optional(
    Type.String({
      maxLength: 100,
      description: 'Media type; default: by the name.',
      examples: ['application/pdf'],
    }),
  ),
  content_id: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9._@-]{1,100}$',
      description: 'Id by which the HTML shows a picture: <img src="cid:logo">.',
      examples: ['logo'],
    }),
  ),
})

const Tags = Type.Record(
  Type.String({ pattern: '^[A-Za-z0-9_.-]{1,40}$' }),
  Type.String({ maxLength: 200 }),
  {
    maxProperties: 20,
    description: 'Your own data, returned as it is.',
    examples: [{ order: '1042' }],
  },
)

/** Bodies are validated by the service, after the checks of the module and the domain. */
export const EmailFields = closed({
  from: addressText('Sender, on a verified sending domain.'),
  to: addressList(`Recipients; with cc and bcc at most ${email_recipients_max}.`, 1),
  cc: Type.Optional(addressList('Recipients of a copy.')),
  bcc: Type.Optional(addressList('Recipients of a hidden copy.')),
  reply_to: Type.Optional(addressList('Addresses for replies.')),
  subject: Type.String({
    minLength: 1,
    maxLength: 998,
    description: 'Subject.',
    examples: ['Your order 1042'],
  }),
  text: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: email_text_characters_max,
      description: 'Plain text; text or html is needed.',
      examples: ['Hello Anna, your bread is ready.'],
    }),
  ),
  html: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: email_text_characters_max,
      description: 'HTML.',
      examples: ['<p>Hello Anna, your bread is ready.</p>'],
    }),
  ),
  attachments: Type.Optional(
    Type.Array(AttachmentInput, {
      description: `At most ${email_attachments_max} files, together ${formatSize(limits.email_attachments_bytes_max)}.`,
    }),
  ),
  headers: Type.Optional(
    Type.Record(Type.String(), Type.String({ maxLength: 998 }), {
      maxProperties: 20,
      description:
        'In-Reply-To, References, List-Unsubscribe, List-Unsubscribe-Post, and names that begin with X-.',
      examples: [{ 'X-Order': '1042' }],
    }),
  ),
  tags: Type.Optional(Tags),
  scheduled_at: Type.Optional(
    withDescription(
      RequestTime,
      `When it is sent, at most ${limits.email_scheduled_s_max / 86_400} days ahead.`,
    ),
  ),
})
export type EmailFields = Static<typeof EmailFields>

export const EmailInput = checkedByService(nameSchema('EmailInput', EmailFields))

export const BatchInput = checkedByService(
  closed({
    emails: Type.Array(EmailFields, {
      minItems: 1,
      maxItems: limits.emails_per_batch_max,
      description: 'Separate emails. Each is checked by itself.',
    }),
  }),
)

const Recipient = Type.Object({
  address: markAsOutsiders(
    Type.String({ description: 'Address.', examples: ['anna@example.com'] }),
  ),
  field: Type.Enum(['to', 'cc', 'bcc'], { description: 'Where the email names it.' }),
  status: Type.Enum([...recipientStatuses], {
    description:
      'queued: it waits for its time. sent: accepted, and on its way. delivered: the mail server of the ' +
      'recipient took it. delayed: it is tried again. suppressed: the address gets no email.',
  }),
  reason: markAsOutsiders(
    orNull(
      Type.String({ examples: ['The mailbox does not exist.'] }),
      'Why, in a sentence; null if nothing went wrong.',
    ),
  ),
  reason_code: orNull(
    Type.String({ examples: ['mailbox_unknown'] }),
    'The reason as a word. outcome_unknown: the server was interrupted while it handed the email over, and does not send it again.',
  ),
  bounce_type: orNull(
    Type.Enum(['permanent', 'transient', 'undetermined']),
    'Kind of a bounce; null without one.',
  ),
  smtp_code: orNull(
    Type.Integer({ examples: [550] }),
    'Reply of the mail server; null without one.',
  ),
  enhanced_code: orNull(
    Type.String({ examples: ['5.1.1'] }),
    'Enhanced status code; null without one.',
  ),
  remote_mta: markAsOutsiders(
    orNull(Type.String({ examples: ['mx.example.com'] }), 'The mail server; null before.'),
  ),
  attempts: Type.Integer({ description: 'Attempts so far.', examples: [1] }),
  next_attempt_at: orNull(Timestamp, 'Next attempt; null if there is none.'),
  sent_at: orNull(Timestamp, 'When it was accepted for delivery; null before.'),
  delivered_at: orNull(Timestamp, 'When it was delivered; null before.'),
  bounced_at: orNull(Timestamp, 'When it bounced; null if it did not.'),
  complained_at: orNull(Timestamp, 'When it was marked as spam; null if it was not.'),
})

const EmailEvent = Type.Object({
  type: Type.Enum(
    ['sent', 'delivered', 'delayed', 'bounced', 'complained', 'suppressed', 'canceled'],
    {
      description: 'What happened.',
    },
  ),
  recipient: markAsOutsiders(
    Type.String({ description: 'Address of the recipient.', examples: ['anna@example.com'] }),
  ),
  reason: markAsOutsiders(
    orNull(
      Type.String({ examples: ['The mailbox does not exist.'] }),
      'Why, in a sentence; null if nothing went wrong.',
    ),
  ),
  occurred_at: Timestamp,
})

const addresses = (description: string) =>
  markAsOutsiders(
    Type.Array(Type.String(), { description, examples: [['Anna de Vries <anna@example.com>']] }),
  )

const emailFields = {
  id: Uuid,
  from: Type.String({ description: 'Sender.', examples: ['Bakery <orders@bakery.example>'] }),
  to: addresses('Recipients.'),
  cc: addresses('Recipients of a copy.'),
  bcc: addresses('Recipients of a hidden copy.'),
  reply_to: addresses('Addresses for replies.'),
  subject: Type.String({ description: 'Subject.', examples: ['Your order 1042'] }),
  status: Type.Enum([...emailStatuses], {
    description: 'Follows from the recipients; bounced and delivered: all of them.',
  }),
  app_id: orNull(Uuid, 'The app that sent it; null for other emails.'),
  sending_domain_id: withDescription(Uuid, 'The sending domain.'),
  message_id: Type.String({ description: 'Message-ID.', examples: ['<019aafe2@bakery.example>'] }),
  tags: Tags,
  scheduled_at: orNull(Timestamp, 'When it is sent; null: at once.'),
  created_at: Timestamp,
  test: Type.Boolean({ description: 'Whether it belongs to test mode: nothing is sent.' }),
}

export const ListedEmail = nameSchema('ListedEmail', Type.Object(emailFields))
export type ListedEmail = Static<typeof ListedEmail>

export const Email = nameSchema(
  'Email',
  Type.Object({
    ...emailFields,
    recipients: Type.Array(Recipient, { description: 'The state of each recipient.' }),
    attachments: Type.Array(
      Type.Object({
        filename: Type.String({ description: 'Name of the file.', examples: ['invoice-1042.pdf'] }),
        content_type: Type.String({ description: 'Media type.', examples: ['application/pdf'] }),
        bytes: Type.Integer({ description: 'Size.', examples: [48_213] }),
      }),
      { description: 'Attachments, without their content.' },
    ),
    text: orNull(
      Type.String({ examples: ['Hello Anna, your bread is ready.'] }),
      'Plain text; null without one.',
    ),
    html: orNull(
      Type.String({ examples: ['<p>Hello Anna, your bread is ready.</p>'] }),
      'HTML; null without it.',
    ),
    events: Type.Array(EmailEvent, { description: 'What happened, oldest first.' }),
  }),
)
export type Email = Static<typeof Email>

export const EmailsQuery = Type.Object(
  {
    ...PageQuery.properties,
    status: Type.Optional(
      Type.Enum([...emailStatuses], { description: 'Only emails with this status.' }),
    ),
    recipient: Type.Optional(
      Type.String({
        maxLength: 254,
        description: 'Only emails to this address.',
        examples: ['anna@example.com'],
      }),
    ),
    app_id: Type.Optional(withDescription(Uuid, 'Only emails of this app.')),
  },
  { additionalProperties: false },
)
export type EmailsQuery = Static<typeof EmailsQuery>

export const EmailPage = PageReply(ListedEmail)
export type EmailPage = Static<typeof EmailPage>

export const EmailId = Type.Object({ id: withDescription(Uuid, 'Id of the email.') })

export const ScheduleInput = closed({
  scheduled_at: withDescription(RequestTime, 'The new time, in the future.'),
})
export type ScheduleInput = Static<typeof ScheduleInput>

export const BatchReply = Type.Object({
  data: Type.Array(
    Type.Union([
      Type.Object({
        index: Type.Integer({ description: 'Place in the request, from 0.' }),
        id: Uuid,
        status: Type.Enum([...emailStatuses], { description: 'Status of the email.' }),
      }),
      Type.Object({
        index: Type.Integer({ description: 'Place in the request, from 0.' }),
        problem: Type.Object(
          {
            type: Type.String({
              description: 'Name of the error.',
              examples: ['recipient_not_allowed'],
            }),
            status: Type.Integer({ description: 'Status of the error.', examples: [403] }),
            detail: Type.String({ description: 'What is wrong.' }),
            user_message: Type.String({ description: 'A sentence for the user.' }),
            next_step: Type.String({ description: 'What to do.' }),
            errors: Type.Optional(
              Type.Array(
                Type.Object({
                  path: Type.String({
                    description: 'JSON pointer to the field.',
                    examples: ['/subject'],
                  }),
                  message: Type.String({
                    description: 'What would be valid.',
                    examples: ['must be one line without control characters'],
                  }),
                }),
                {
                  description: 'Faults by field.',
                },
              ),
            ),
          },
          { description: 'Why this email was not accepted.' },
        ),
      }),
    ]),
    { description: 'One result for each email, in the order of the request.' },
  ),
})
export type BatchReply = Static<typeof BatchReply>
