/**
 * The kinds of personal data that the server stores, by area: where, and for how long. The settings
 * of retention and the page Privacy derive from them.
 */
import type { Transaction } from '../kernel/database/database.ts'
import { limits } from './limits.ts'

interface PersonalDataEntry {
  readonly title: string
  /** What it contains, in one sentence. */
  readonly about: string
  /** The tables that hold it. A test requires every table in one kind, or in the list of others. */
  readonly tables: readonly string[]
  /** Days until it is deleted, where the project chose nothing; null: until somebody deletes it. */
  readonly days: number | null
  /** Whether a project chooses the days. */
  readonly chosen: boolean
  /** The longest time that a project can choose, in days; null: as long as it likes. */
  readonly days_max: number | null
  /**
   * Why the search for one person leaves it out; null: it is searched, so `personalRecords` of the
   * area finds and erases it.
   */
  readonly not_searched: string | null
}

const DAY_S = 24 * 3_600

function daysOf(seconds: number): number {
  return Math.round(seconds / DAY_S)
}

const kinds = {
  // Activity
  activity: {
    title: 'Activity',
    about: 'Which member of the team or program changed what, and when.',
    tables: ['activity'],
    days: daysOf(limits.activity_kept_s),
    chosen: false,
    days_max: null,
    not_searched: 'It names members of the team and programs, not customers.',
  },

  // Agents
  agent_runs: {
    title: 'Runs of agents',
    about: 'The event that started a run, and the arguments and replies of its steps.',
    tables: ['agent_runs', 'agent_steps'],
    days: daysOf(limits.agent_runs_kept_s),
    chosen: false,
    days_max: null,
    not_searched:
      'It repeats records that are searched themselves, and is deleted after some time.',
  },

  // Approvals
  approvals: {
    title: 'Approvals',
    about: 'What programs asked permission for, with the contents of the request.',
    tables: ['approvals'],
    days: daysOf(limits.approval_kept_s),
    chosen: false,
    days_max: null,
    not_searched: 'It shows what was approved, and is deleted after its days.',
  },

  // Apps
  app_logs: {
    title: 'Logs of apps',
    about: 'What the code of an app logs, which may name visitors.',
    tables: ['app_logs'],
    days: daysOf(limits.app_logs_kept_s),
    chosen: false,
    days_max: null,
    not_searched: 'It is text of programs, and is deleted after a week.',
  },
  app_users: {
    title: 'Users of apps',
    about:
      'Email addresses of people who signed in to an app, their passwords as hashes, passkeys, sessions and codes.',
    tables: ['app_users', 'app_passkeys', 'app_sessions', 'app_codes'],
    days: null,
    chosen: false,
    days_max: null,
    not_searched: null,
  },

  // Assistant
  knowledge: {
    title: 'Knowledge of the assistant',
    about: 'Facts, instructions, and texts of websites and files from which the assistant answers.',
    tables: ['assistants', 'assistant_sources', 'assistant_source_pages', 'assistant_passages'],
    days: null,
    chosen: false,
    days_max: null,
    not_searched: 'The business wrote or published it.',
  },

  // Billing
  payments: {
    title: 'Payments',
    about: 'Charges, invoices and the reference of the saved card at the payment provider.',
    tables: [
      'billing_checkouts',
      'billing_reloads',
      'billing_settings',
      'ledger_accounts',
      'ledger_entries',
      'ledger_holds',
      'ledger_postings',
    ],
    days: null,
    chosen: false,
    days_max: null,
    not_searched: 'Payments of the business itself, which it must keep by law.',
  },

  // Calls
  calls: {
    title: 'Calls',
    about: 'Numbers of callers, with the time, duration and outcome of each call.',
    tables: ['calls', 'live_calls'],
    days: 730,
    chosen: true,
    days_max: null,
    not_searched: null,
  },
  call_contents: {
    title: 'Transcripts of calls',
    about: 'What was said in calls: transcripts, summaries and messages that callers left.',
    tables: ['call_messages'],
    days: 365,
    chosen: true,
    days_max: null,
    not_searched: null,
  },
  call_consents: {
    title: 'People who agreed to marketing calls',
    about: 'Numbers of people who agreed to be called, with how they agreed.',
    tables: ['call_consents'],
    days: null,
    chosen: false,
    days_max: null,
    not_searched: 'Kept as proof of the consent, until it is withdrawn.',
  },

  // Connections
  connections: {
    title: 'Connected programs',
    about: 'Which member connected which program, and when it was used last.',
    tables: ['connections', 'access_tokens', 'oauth_clients', 'oauth_records'],
    days: null,
    chosen: false,
    days_max: null,
    not_searched: 'Programs of the team.',
  },

  // Conversations
  conversations: {
    title: 'Chat conversations',
    about: 'What visitors and the assistant wrote, with the name and address that visitors left.',
    tables: ['conversations', 'conversation_messages'],
    days: 365,
    chosen: true,
    days_max: null,
    not_searched: null,
  },
  unanswered_questions: {
    title: 'Unanswered questions',
    about: 'Questions in the words of visitors and callers that the assistant could not answer.',
    tables: ['unanswered_questions'],
    days: 365,
    chosen: true,
    days_max: null,
    not_searched: null,
  },

  // Data
  documents: {
    title: 'Records',
    about: 'Records of collections, such as the messages that visitors send with a form.',
    tables: ['documents', 'document_keys', 'document_changes'],
    days: null,
    chosen: false,
    days_max: null,
    not_searched: null,
  },
  document_versions: {
    title: 'Earlier versions of records',
    about: 'Records as they were before they were changed or deleted.',
    tables: ['document_versions'],
    days: daysOf(limits.document_versions_kept_s),
    chosen: false,
    days_max: null,
    not_searched: null,
  },

  // Email
  emails: {
    title: 'Emails',
    about: 'Sent emails with their recipients, texts and attachments.',
    tables: ['emails', 'email_attachments', 'email_recipients', 'email_events', 'email_outbox'],
    days: 365,
    chosen: true,
    days_max: null,
    not_searched: null,
  },
  email_recipients: {
    title: 'Confirmed recipients of email',
    about: 'Addresses that the owner confirmed, or is asked to confirm.',
    tables: ['email_known_recipients'],
    days: null,
    chosen: false,
    days_max: null,
    not_searched: null,
  },
  email_suppressions: {
    title: 'Addresses that get no email',
    about: 'Addresses that bounced or asked for no more email.',
    tables: ['email_suppressions'],
    days: null,
    chosen: false,
    days_max: null,
    not_searched: 'Kept so that the address gets no more email.',
  },

  // Media
  media: {
    title: 'Files',
    about: 'Pictures and documents that the team uploaded, with their descriptions.',
    tables: ['media', 'media_uses', 'picture_copies'],
    days: null,
    chosen: false,
    days_max: null,
    not_searched: 'The team uploaded it. Search the page Media by name.',
  },

  // Messages
  messages: {
    title: 'Text messages',
    about: 'Texts that were sent and received by SMS, with the numbers and times.',
    tables: ['messages'],
    days: 365,
    chosen: true,
    days_max: null,
    not_searched: null,
  },
  message_opt_outs: {
    title: 'People who opted out of text messages',
    about: 'Numbers of people who replied STOP, so that they get no more messages.',
    tables: ['message_opt_outs'],
    days: null,
    chosen: false,
    days_max: null,
    not_searched: 'Kept so that these people are not sent messages again.',
  },

  // Numbers
  numbers: {
    title: 'Phone numbers',
    about:
      'Phone numbers of the business, and the call plans with the numbers that they forward to.',
    tables: ['numbers', 'call_plans', 'number_orders', 'number_reservations'],
    days: null,
    chosen: false,
    days_max: null,
    not_searched: 'Numbers of the business itself.',
  },

  // Payments
  orders: {
    title: 'Orders',
    about:
      'What customers ordered and paid, with their name, company, address, email address and phone ' +
      'number.',
    tables: [
      'orders',
      'order_refunds',
      'order_timeline',
      'order_invoices',
      'payment_subscriptions',
    ],
    days: null,
    chosen: false,
    days_max: null,
    not_searched: null,
  },

  // People
  team: {
    title: 'Team',
    about: 'Names and addresses of members and of invited people, and how they sign in.',
    tables: [
      'people',
      'members',
      'invitations',
      'sessions',
      'sign_ins',
      'sign_in_links',
      'sign_up_invitations',
      'accepted_terms',
      'passkeys',
      'recovery_codes',
    ],
    days: null,
    chosen: false,
    days_max: null,
    not_searched: 'Members of the team, who change and delete their accounts themselves.',
  },

  // Portal assistant
  portal_conversations: {
    title: 'Portal assistant',
    about: 'What members of the team asked the assistant of the portal.',
    tables: ['portal_conversations', 'portal_messages', 'portal_proposals'],
    days: daysOf(limits.portal_conversations_kept_s),
    chosen: false,
    days_max: null,
    not_searched: 'Questions of the team, deleted after their days.',
  },

  // Projects
  company: {
    title: 'Company details',
    about: 'Name, address and registration of the business, and the name of its contact.',
    tables: ['companies', 'projects'],
    days: null,
    chosen: false,
    days_max: null,
    not_searched: 'Details of the business itself.',
  },

  // Requests
  request_log: {
    title: 'Request log',
    about: 'Addresses of programs that use the API, and the paths that they request.',
    tables: ['request_log'],
    days: daysOf(limits.requests_kept_s),
    chosen: true,
    days_max: daysOf(limits.requests_kept_s),
    not_searched:
      'It has addresses of programs and paths, and is deleted after a week at the latest.',
  },

  // Sites
  sites: {
    title: 'Sites',
    about: 'Pages of the websites of the project, and the versions before them.',
    tables: ['sites', 'site_versions', 'site_reviews'],
    days: null,
    chosen: false,
    days_max: null,
    not_searched: 'The business published it.',
  },

  // Status
  status_subscribers: {
    title: 'Subscribers of the status page',
    about: 'Addresses that get updates of the status page by mail.',
    tables: ['status_subscribers'],
    days: null,
    chosen: false,
    days_max: null,
    not_searched:
      'It belongs to the installation: subscribers remove themselves, or ask the operator.',
  },

  // Verification
  verification: {
    title: 'Verification',
    about:
      'Confirmed phone numbers, documents for the review, and the names and birth dates of the ' +
      'director and the beneficial owners. The documents are deleted after the decision, on the day ' +
      'that the page Verification shows.',
    tables: [
      'verification_reviews',
      'verification_documents',
      'verification_declarations',
      'verification_phone_codes',
    ],
    days: null,
    chosen: false,
    days_max: null,
    not_searched: 'Evidence about the business itself.',
  },

  // Webhooks
  deliveries: {
    title: 'Deliveries of events',
    about: 'Addresses of receivers, and the beginning of their replies.',
    tables: ['events', 'webhook_endpoints', 'webhook_deliveries', 'webhook_attempts'],
    days: 30,
    chosen: false,
    days_max: null,
    not_searched: 'It names records by their ids, and is deleted after its days.',
  },
} as const satisfies Record<string, PersonalDataEntry>

export type PersonalDataKind = keyof typeof kinds

const table: Readonly<Record<PersonalDataKind, PersonalDataEntry>> = kinds

export const personalDataKinds: readonly (PersonalDataEntry & { kind: PersonalDataKind })[] =
  Object.keys(table)
    .filter((kind) => isKind(kind))
    .map((kind) => ({ kind, ...table[kind] }))

function isKind(kind: string): kind is PersonalDataKind {
  return Object.hasOwn(table, kind)
}

export interface OldRecords {
  project_id: string
  /** Records from before this time are deleted. */
  before: Date
  /** The maximum number of records in one transaction. */
  count: number
}

/** Deletes old records by an index. Returns their number; fewer than `count`: there are no more. */
export type DeleteOld = (tx: Transaction, old: OldRecords) => Promise<number>

/** Deletes the old records of a kind whose days the project chooses. */
export interface Retention {
  kind: PersonalDataKind
  deleteOld: DeleteOld
}
