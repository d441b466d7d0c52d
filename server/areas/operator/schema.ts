/** Schemas of the operator console. */
import { Type, type Static } from 'typebox'
import { planNames } from '../../contract/plans.ts'
import { nameSchema } from '../../contract/schema/named.ts'
import { PageQuery, PageReply } from '../../contract/schema/pages.ts'
import { withDescription, orNull, Timestamp, Uuid } from '../../contract/schema/shapes.ts'

const REASON_CHARACTERS_MAX = 500
const Count = (description: string) => Type.Integer({ minimum: 0, description, examples: [3] })

export const OperatedProject = nameSchema(
  'OperatedProject',
  Type.Object({
    id: withDescription(Uuid, 'Id of the project.'),
    name: Type.String({ description: 'Name of the project.', examples: ['Bakery De Molen'] }),
    owner_email: orNull(Type.String(), 'Address of the owner; null if none is known.'),
    plan: Type.String({ description: 'Plan.', examples: ['free'] }),
    created_at: withDescription(Timestamp, 'When it was created.'),
    is_enabled: Type.Boolean({ description: 'Whether its keys work.' }),
    phone_verified: Type.Boolean({ description: 'Whether the phone of the owner is verified.' }),
    offline: orNull(
      Type.Object({
        since: withDescription(Timestamp, 'When it was taken offline.'),
        reason: Type.String({ description: 'The reason, which the team sees.' }),
      }),
      'Set if an operator took it offline.',
    ),
    health: Type.Enum(['ok', 'failing', 'offline'], {
      description: 'failing: server errors, disabled webhooks or failed jobs.',
    }),
    balance_eur: Type.Number({ description: 'Prepaid balance in euro.', examples: [25] }),
    spent_this_month_eur: Type.Number({ description: 'Spent this month.', examples: [3.5] }),
    numbers: Count('Phone numbers.'),
    sites: Count('Sites.'),
    members: Count('People in the team.'),
    requests_24h: Count('Requests of the last 24 hours, at most 1,000 are counted.'),
    refused_24h: Count('Of these: refused, with a status of 4xx.'),
    errors_24h: Count('Of these: server errors, with a status of 5xx.'),
    disabled_webhooks: Count('Webhook endpoints that are disabled.'),
    failed_jobs: Count('Jobs that failed for good.'),
  }),
)
export type OperatedProject = Static<typeof OperatedProject>

export const OperatedProjectPage = PageReply(OperatedProject)
export type OperatedProjectPage = Static<typeof OperatedProjectPage>

export const ProjectSearch = Type.Object(
  {
    ...PageQuery.properties,
    search: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'Part of the name or of the address of the owner, or the id.',
      }),
    ),
    only: Type.Optional(
      Type.Enum(['offline'], { description: 'offline: only projects taken offline.' }),
    ),
  },
  { additionalProperties: false },
)
export type ProjectSearch = Static<typeof ProjectSearch>

export const IdParams = Type.Object({ id: withDescription(Uuid, 'Id of the record.') })

export const Reason = Type.Object(
  {
    reason: Type.String({
      minLength: 1,
      maxLength: REASON_CHARACTERS_MAX,
      pattern: String.raw`\S`,
      description: 'The reason, which the team of the project sees.',
      examples: ['Phishing reported by a bank.'],
    }),
  },
  { additionalProperties: false },
)
export type Reason = Static<typeof Reason>

export const PlanChoice = Type.Object(
  { plan: Type.Enum([...planNames], { description: 'The new plan, which costs nothing.' }) },
  { additionalProperties: false },
)
export type PlanChoice = Static<typeof PlanChoice>

export const PhoneState = Type.Object(
  { verified: Type.Boolean({ description: 'Whether the phone of the owner is verified.' }) },
  { additionalProperties: false },
)
export type PhoneState = Static<typeof PhoneState>

export const Review = nameSchema(
  'OperatorReview',
  Type.Object({
    id: withDescription(Uuid, 'Id of the review.'),
    project_id: withDescription(Uuid, 'Id of the project.'),
    project_name: Type.String({ description: 'Name of the project.' }),
    site_id: orNull(Uuid, 'Id of the site; null if a first deploy was refused.'),
    slug: Type.String({ description: 'First part of the address of the site.' }),
    created_at: withDescription(
      Timestamp,
      'When the deploy was refused or the site taken offline.',
    ),
    findings: Type.Array(
      Type.Object({
        rule: Type.String({ description: 'Rule of the site check; operator for a takedown.' }),
        path: Type.String({ description: 'File of the finding; empty for the whole site.' }),
        line: orNull(Type.Integer(), 'Line of the finding.'),
        what: Type.String({ description: 'What was found.' }),
      }),
      { description: 'Why it was refused.' },
    ),
    appeal: orNull(Type.String(), 'Statement of the owner; null without an appeal.'),
    appealed_at: orNull(Timestamp, 'When the owner appealed.'),
    decision: orNull(Type.Enum(['allowed', 'upheld']), 'The decision; null while it is open.'),
    decision_note: orNull(Type.String(), 'Note to the owner.'),
    decided_at: orNull(Timestamp, 'When it was decided.'),
  }),
)
export type Review = Static<typeof Review>

export const ReviewQuery = Type.Object(
  { open: Type.Boolean({ default: false, description: 'Only appeals without a decision.' }) },
  { additionalProperties: false },
)

export const ReviewDecision = Type.Object(
  {
    decision: Type.Enum(['allowed', 'upheld'], {
      description: 'allowed: the findings are allowed on this site. upheld: they are not.',
    }),
    note: Type.Optional(
      Type.String({ maxLength: REASON_CHARACTERS_MAX, description: 'A note to the owner.' }),
    ),
  },
  { additionalProperties: false },
)
export type ReviewDecision = Static<typeof ReviewDecision>

export const ModeratedSite = Type.Object({
  id: withDescription(Uuid, 'Id of the site.'),
  project_id: withDescription(Uuid, 'Id of the project.'),
  slug: Type.String({ description: 'First part of its address.' }),
  status: Type.Enum(['live', 'offline', 'blocked'], { description: 'Its state.' }),
  status_reason: orNull(Type.String(), 'The reason; null if it is live.'),
})

const Ages = Type.Object(
  {
    under_10_s: Count('Late by less than 10 seconds.'),
    under_1_min: Count('Late by 10 to 60 seconds.'),
    under_10_min: Count('Late by 1 to 10 minutes.'),
    under_1_h: Count('Late by 10 to 60 minutes.'),
    over_1_h: Count('Late by more than an hour.'),
  },
  { description: 'Waiting work that is due, by how late it is; at most 10,000 are counted.' },
)

const Queue = {
  due: Count('Due now.'),
  running: Count('Running now.'),
  scheduled: Count('Due later.'),
  oldest_s: orNull(Type.Integer(), 'How late the oldest due work is, in seconds; null for none.'),
  ages: Ages,
}

export const Work = nameSchema(
  'OperatorWork',
  Type.Object({
    jobs: Type.Object({ ...Queue, failed: Count('Failed for good.') }, { description: 'Jobs.' }),
    deliveries: Type.Object(
      { ...Queue, failed_24h: Count('Failed in the last 24 hours.') },
      { description: 'Webhook deliveries.' },
    ),
    failed_jobs: Type.Array(
      Type.Object({
        id: withDescription(Uuid, 'Id of the job.'),
        job: Type.String({ description: 'Its kind.', examples: ['calls.summarise'] }),
        project_id: orNull(Uuid, 'Its project; null if it belongs to none.'),
        attempt: Count('Attempts.'),
        last_error: orNull(Type.String(), 'The last error.'),
        failed_at: orNull(Timestamp, 'When it failed for good.'),
      }),
      { description: 'The newest 100 jobs that failed for good.' },
    ),
  }),
)
export type Work = Static<typeof Work>

export const Provider = nameSchema(
  'OperatorProvider',
  Type.Object({
    interface: Type.Enum(['phone', 'ai', 'mail', 'payments', 'vat', 'files'], {
      description: 'What it is for.',
    }),
    provider: Type.String({ description: 'The configured provider.', examples: ['telnyx'] }),
    status: Type.Enum(['operational', 'degraded', 'down', 'not_in_use', 'unknown'], {
      description: 'Whether it answers; unknown: it is not probed.',
    }),
    last_error: orNull(
      Type.Object({
        at: withDescription(Timestamp, 'When it happened.'),
        message: Type.String({ description: 'What happened.' }),
      }),
      'Last failed request of this process since its start; null for none.',
    ),
  }),
)
export type Provider = Static<typeof Provider>

export const WorkRange = Type.Object(
  {
    range: Type.Enum(['24h', '7d', '30d'], {
      default: '24h',
      description: 'The time until now: a day, a week or 30 days.',
    }),
  },
  { additionalProperties: false },
)
export type WorkRange = Static<typeof WorkRange>

const QueueInterval = (failed: string) =>
  Type.Object({
    due: Count('Most that waited at once although due.'),
    oldest_s: Count('How late the oldest was at most, in seconds.'),
    failed: Count(failed),
  })

export const WorkHistory = nameSchema(
  'OperatorWorkHistory',
  Type.Object({
    interval_s: Type.Integer({
      description: 'Length of an interval in seconds.',
      examples: [1800],
    }),
    data: Type.Array(
      Type.Object({
        at: withDescription(Timestamp, 'Start of the interval.'),
        samples: Count('Samples in the interval; 0 if no process ran.'),
        jobs: QueueInterval('Most jobs at once that had failed for good.'),
        deliveries: QueueInterval('Deliveries that failed for good in the interval.'),
      }),
      { description: 'Oldest first.' },
    ),
  }),
)
export type WorkHistory = Static<typeof WorkHistory>
