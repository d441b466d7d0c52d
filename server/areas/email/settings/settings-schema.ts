/** Shapes of the email module in the API. */
import { Type, type Static } from 'typebox'
import { nameSchema } from '../../../contract/schema/named.ts'
import { orNull, Timestamp } from '../../../contract/schema/shapes.ts'
import { closed } from '../schema.ts'

export const EmailStatus = nameSchema(
  'EmailStatus',
  Type.Object({
    enabled: Type.Boolean({ description: 'Whether the owner turned email on.' }),
    rails: Type.Object(
      {
        email: Type.Enum(['live', 'test'], {
          description: 'live: emails of live keys are really sent.',
        }),
      },
      { description: 'The rail of email.' },
    ),
    delivery: Type.Enum(['log', 'smarthost', 'direct', 'none'], {
      description:
        'How this server delivers: log writes to the outbox in the portal; smarthost: through another mail ' +
        'server; direct: to the mail servers of the recipients.',
    }),
    daily_limit: Type.Integer({ description: 'Recipients per day.', examples: [2000] }),
    used_today: Type.Integer({ description: 'Recipients so far today.', examples: [14] }),
    new_recipients_limit: Type.Integer({
      description:
        'First emails per day to people who are known only from records written by software.',
      examples: [50],
    }),
    new_recipients_today: Type.Integer({
      description: 'Such first emails so far today.',
      examples: [2],
    }),
    recipients_waiting: Type.Integer({
      description: 'Addresses that wait for the confirmation of the owner (GET /email/recipients).',
      examples: [1],
    }),
    reputation: Type.Object(
      {
        sent_last_200: Type.Integer({
          description: 'The latest recipients, at most 200.',
          examples: [120],
        }),
        bounced: Type.Integer({ description: 'Of them, permanent bounces.', examples: [1] }),
        bounce_rate: Type.Number({ description: 'Share of bounces.', examples: [0.0083] }),
        complaints: Type.Integer({
          description: 'Spam complaints of the latest 1,000 recipients.',
          examples: [0],
        }),
        complaint_rate: Type.Number({ description: 'Share of complaints.', examples: [0] }),
      },
      { description: 'Bounces and spam complaints of the latest recipients.' },
    ),
    days: Type.Array(
      Type.Object({
        day: Type.String({ format: 'date', description: 'Day.', examples: ['2026-11-21'] }),
        delivered: Type.Integer({ description: 'Delivered.', examples: [20] }),
        bounced: Type.Integer({ description: 'Bounced.', examples: [1] }),
        complained: Type.Integer({ description: 'Marked as spam.', examples: [0] }),
        waiting: Type.Integer({ description: 'Still on their way.', examples: [0] }),
      }),
      {
        description: 'Recipients by day of the last thirty days; days without email are left out.',
      },
    ),
    paused_at: orNull(Timestamp, 'When sending was paused; null if it is not.'),
    paused_reason: orNull(Type.Enum(['bounces', 'complaints']), 'Why; null if it is not.'),
  }),
)
export type EmailStatus = Static<typeof EmailStatus>

export const ModuleSwitch = closed({
  enabled: Type.Boolean({ description: 'Whether email is on.', examples: [true] }),
})
