/** Shapes of alerts in the operator's API. */
import { Type, type Static } from 'typebox'
import { nameSchema } from '../../contract/schema/named.ts'
import { orNull, Timestamp, Uuid, withDescription } from '../../contract/schema/shapes.ts'
import { alertKinds } from './condition.ts'

const moment = (description: string) =>
  orNull(Type.String({ format: 'date-time', examples: ['2026-11-27T03:00:00Z'] }), description)

const AlertWords = Type.Object({
  title: Type.String({ examples: ['There is no recent backup'] }),
  about: Type.String({ description: 'What was found.', examples: ['It is 40 hours old.'] }),
  advice: Type.String({ description: 'What to do.', examples: ['Write one now.'] }),
})

const OperatedAlert = nameSchema(
  'OperatedAlert',
  Type.Object({
    id: withDescription(Uuid, 'Id of the alert.'),
    kind: Type.Enum([...alertKinds], { description: 'What it is about.', examples: ['backup'] }),
    subject: Type.String({ description: 'Which provider, disk or queue.', examples: ['age'] }),
    since: withDescription(Timestamp, 'When the condition was first seen.'),
    fired_at: moment('When the first notification was sent; null while it is only watched.'),
    sent_at: moment('When the last notification was sent.'),
    resolved_at: moment('When it was over; null while it fires.'),
    texts: Type.Object({ en: AlertWords, nl: AlertWords }),
    link: Type.String({
      description: 'The page to look at.',
      examples: ['https://home.example/portal/app/operator/backups'],
    }),
  }),
)
export type OperatedAlert = Static<typeof OperatedAlert>

const Delivered = {
  delivered_at: moment('The last delivery; null before the first.'),
  failed_at: moment('The last failed attempt.'),
  error: orNull(
    Type.String({ examples: ['hooks.example answered 500.'] }),
    'Why the last attempt failed; null if it worked.',
  ),
}

export const OperatedAlerts = nameSchema(
  'OperatedAlerts',
  Type.Object({
    checked_at: moment('The last evaluation; null before the first.'),
    firing: Type.Array(OperatedAlert, { description: 'Those that need the operator now.' }),
    watched: Type.Array(OperatedAlert, { description: 'Conditions that do not hold long enough.' }),
    history: Type.Array(OperatedAlert, {
      description: 'Resolved in the last 30 days, newest first; at most 200.',
    }),
    hold_minutes: Type.Integer({
      description: 'Minutes that a condition must hold before it fires.',
      examples: [5],
    }),
    mail: Type.Object({
      enabled: Type.Boolean({ description: 'Whether mail is sent at all.', examples: [true] }),
      addresses: Type.Array(Type.String({ examples: ['ops@home.example'] })),
      ...Delivered,
    }),
    webhook: Type.Object({
      host: orNull(Type.String({ examples: ['hooks.example'] }), 'null without a webhook.'),
      ...Delivered,
    }),
  }),
)
export type OperatedAlerts = Static<typeof OperatedAlerts>
