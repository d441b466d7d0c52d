-- Text chat: conversations with their messages, daily counts, unanswered questions, the use of
-- language models, and the settings of public chat tokens.

create table conversations (
  project_id uuid not null references projects (id),
  id uuid not null,
  channel text not null check (channel in ('api', 'widget', 'portal')),
  status text not null check (status in ('active', 'handed_off', 'closed')),
  language text not null,
  visitor jsonb not null,
  metadata jsonb not null,
  turns integer not null,
  lease_token uuid,
  lease_until timestamptz,
  handoff jsonb,
  no_answers integer not null,
  resolution text check (resolution in ('assumed', 'confirmed', 'handed_off', 'abandoned')),
  cost_micro bigint not null,
  chat_token_id uuid,
  site_id uuid,
  page_url text,
  messages_left jsonb not null,
  created_at timestamptz not null,
  last_message_at timestamptz not null,
  closed_at timestamptz,
  closed_reason text check (closed_reason in ('visitor', 'idle', 'turn_limit', 'api')),
  summary jsonb,
  summary_ready_at timestamptz,
  test boolean not null,
  primary key (project_id, id),
  constraint conversations_lease check ((lease_token is null) = (lease_until is null)),
  constraint conversations_closed check ((status = 'closed') = (closed_at is not null and closed_reason is not null and resolution is not null)),
  constraint conversations_handed_off check (status <> 'handed_off' or handoff is not null),
  constraint conversations_summary check ((summary is null) = (summary_ready_at is null))
);
comment on table conversations is 'Text conversations of visitors with the assistant and with people of the project.';
comment on column conversations.channel is '@type "api" | "widget" | "portal"';
comment on column conversations.status is '@type "active" | "handed_off" | "closed"';
comment on column conversations.visitor is '@json { external_id: string | null; name: string | null; email: string | null; phone: string | null }';
comment on column conversations.metadata is '@json Record<string, string>';
comment on column conversations.turns is 'Messages of the visitor.';
comment on column conversations.lease_token is 'Of the request that is answering; another one takes over once lease_until has passed.';
comment on column conversations.handoff is '@json { reason: "visitor" | "no_answer" | "person" | "api"; requested_at: string; assigned_to: string | null } | null';
comment on column conversations.no_answers is 'Consecutive replies without an answer.';
comment on column conversations.resolution is '@type "assumed" | "confirmed" | "handed_off" | "abandoned" | null';
comment on column conversations.site_id is 'The site of the public token, for callers that are limited to some sites.';
comment on column conversations.messages_left is '@json { text: string; left_at: string }[]';
comment on column conversations.closed_reason is '@type "visitor" | "idle" | "turn_limit" | "api" | null';
comment on column conversations.summary is '@json { text: string; topics: string[]; sentiment: "positive" | "neutral" | "negative" | "mixed" | "unknown"; action_items: string[]; next_step: string } | null';
create index conversations_status on conversations (status, project_id, id);
create index conversations_open on conversations (last_message_at) where status <> 'closed';

create table conversation_messages (
  project_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  role text not null check (role in ('visitor', 'assistant', 'human', 'system')),
  text text not null,
  sources jsonb not null,
  answer_kind text check (answer_kind in ('model', 'extracted', 'suggestion', 'handoff', 'fallback')),
  model text,
  usage jsonb,
  cost_micro bigint not null,
  client_message_id text,
  reply_to uuid,
  person_id uuid,
  created_at timestamptz not null,
  primary key (project_id, id),
  foreign key (project_id, conversation_id) references conversations (project_id, id) on delete cascade
);
comment on table conversation_messages is 'Messages of conversations, in the order of their ids.';
comment on column conversation_messages.role is '@type "visitor" | "assistant" | "human" | "system"';
comment on column conversation_messages.sources is '@json { title: string; url: string | null; source_id: string }[]';
comment on column conversation_messages.answer_kind is '@type "model" | "extracted" | "suggestion" | "handoff" | "fallback" | null';
comment on column conversation_messages.usage is '@json { input_tokens: number; cached_tokens: number; output_tokens: number; estimated: boolean } | null';
comment on column conversation_messages.reply_to is 'The message of the visitor that a reply of the assistant answers.';
comment on column conversation_messages.person_id is 'The person who wrote it. No foreign key: the message outlives the person.';
create index conversation_messages_of on conversation_messages (project_id, conversation_id, id);
create unique index conversation_messages_client on conversation_messages (project_id, conversation_id, client_message_id) where client_message_id is not null;
create unique index conversation_messages_reply on conversation_messages (project_id, conversation_id, reply_to) where reply_to is not null;

create table conversation_days (
  project_id uuid not null references projects (id),
  test boolean not null,
  day date not null,
  conversations integer not null check (conversations >= 0),
  primary key (project_id, test)
);
comment on table conversation_days is 'Conversations that were started on the latest day, by mode.';
comment on column conversation_days.day is 'Calendar day in the billing time zone.';

create table chat_token_days (
  project_id uuid not null,
  token_id uuid not null,
  day date not null,
  conversations integer not null check (conversations >= 0),
  spent_micro bigint not null check (spent_micro >= 0),
  primary key (project_id, token_id),
  foreign key (project_id, token_id) references public_tokens (project_id, id)
);
comment on table chat_token_days is 'Use of a public chat token on its latest day.';
comment on column chat_token_days.day is 'Calendar day in the billing time zone.';
comment on column chat_token_days.spent_micro is 'Cost of replies, including the maximum cost of replies that are being generated.';

create table unanswered_questions (
  project_id uuid not null references projects (id),
  id uuid not null,
  normalized text not null,
  question text not null,
  language text not null,
  times integer not null,
  first_asked_at timestamptz not null,
  last_asked_at timestamptz not null,
  conversation_id uuid not null,
  primary key (project_id, id),
  unique (project_id, normalized)
);
comment on table unanswered_questions is 'Questions without an answer, each once, with the number of times it was asked.';
comment on column unanswered_questions.conversation_id is 'The latest conversation in which it was asked.';
create index unanswered_questions_last on unanswered_questions (project_id, last_asked_at);

create table model_usage (
  project_id uuid not null references projects (id),
  day date not null,
  area text not null check (area in ('chat', 'agent', 'portal', 'voice', 'summary')),
  model text not null,
  test boolean not null,
  requests integer not null,
  estimated_requests integer not null,
  input_tokens bigint not null,
  cached_tokens bigint not null,
  output_tokens bigint not null,
  cost_micro bigint not null,
  primary key (project_id, day, area, model, test)
);
comment on table model_usage is 'Requests to language models, by day, area and model.';
comment on column model_usage.area is '@type "chat" | "agent" | "portal" | "voice" | "summary"';
comment on column model_usage.estimated_requests is 'Requests of which the provider did not report plausible token counts.';

alter table assistants add column model text;
comment on column assistants.model is 'The model that the project chose; null: the default one.';

alter table public_tokens
  add column challenge text not null default 'altcha' check (challenge in ('altcha', 'turnstile', 'hcaptcha')),
  add column theme jsonb not null default '{"color": null, "position": "right", "greeting": null, "language": null}';
comment on column public_tokens.challenge is '@type "altcha" | "turnstile" | "hcaptcha"';
comment on column public_tokens.theme is '@json { color: string | null; position: "left" | "right"; greeting: string | null; language: string | null }';
