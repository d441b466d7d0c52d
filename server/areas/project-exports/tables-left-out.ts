/** Why the tables with a column `project_id` that no area exports are not in a project export. */
const secrets = 'A secret: create a new one in the other installation.'
const people = 'People sign in to each installation and are invited there.'
const numbers = 'Phone numbers are rented by this installation.'
const money = 'Money and payment methods stay where they were paid.'
const verification = 'Each installation verifies its customers.'
const agents = 'Agents would work in both installations: create them again in the other one.'
const apps =
  'The code and its database belong together, and the database is not exported yet: deploy it again.'
const running = 'Temporary state of this installation.'
const counted = 'Counts for the limits of this installation.'

export const tablesLeftOut: Readonly<Record<string, string>> = {
  access_tokens: secrets,
  app_codes: apps,
  app_hours: apps,
  app_logs: apps,
  app_schedules: apps,
  app_secrets: apps,
  app_sessions: apps,
  app_users: apps,
  app_versions: apps,
  apps,
  api_keys: secrets,
  connections: secrets,
  oauth_records: secrets,
  invitations: people,
  members: people,
  portal_conversations: 'Conversations of people of the team with the assistant are their own.',
  portal_messages: 'Conversations of people of the team with the assistant are their own.',
  portal_proposals: 'Conversations of people of the team with the assistant are their own.',
  number_orders: numbers,
  number_reservations: numbers,
  billing_checkouts: money,
  billing_reloads: money,
  billing_settings: money,
  ledger_accounts: money,
  ledger_holds: money,
  ledger_postings: money,
  payment_accounts: money,
  builtin_payments: money,
  plan_payments: money,
  plan_subscriptions: money,
  verification_declarations: verification,
  verification_documents: verification,
  verification_phone_codes: verification,
  verification_reviews: verification,
  agents,
  agent_versions: agents,
  agent_runs: running,
  agent_steps: running,
  approvals: running,
  events: running,
  idempotency_keys: running,
  jobs: running,
  request_log: running,
  product_stock: running,
  order_refusals: running,
  order_counters: 'Numbers of orders, which are exported for reading only, begin again.',
  site_reviews: running,
  spent_challenges: running,
  uploads: running,
  webhook_attempts: running,
  webhook_deliveries: running,
  assistant_test_replies: counted,
  assistant_tool_days: counted,
  chat_token_days: counted,
  conversation_days: counted,
  message_days: counted,
  email_days: counted,
  email_outbox: running,
  email_settings: 'The owner turns email on in each installation.',
}
