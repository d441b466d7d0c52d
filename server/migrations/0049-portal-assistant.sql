-- Conversations of people with the portal assistant.

create table portal_conversations (
  project_id uuid not null references projects (id) on delete cascade,
  id uuid not null,
  person_id uuid not null references people (id) on delete cascade,
  mode text not null check (mode in ('live', 'test')),
  title text not null,
  messages integer not null check (messages >= 0),
  created_at timestamptz not null,
  last_message_at timestamptz not null,
  answering_until timestamptz,
  primary key (project_id, id)
);
comment on table portal_conversations is 'Conversations with the portal assistant. Each belongs to one person, one project and one mode.';
comment on column portal_conversations.mode is '@type "live" | "test"';
comment on column portal_conversations.title is 'Beginning of the first message.';
comment on column portal_conversations.messages is 'Number of messages.';
comment on column portal_conversations.answering_until is 'Until when an answer counts as under way; null if none is.';
create index portal_conversations_of_person
  on portal_conversations (person_id, project_id, mode, id);
create index portal_conversations_by_age on portal_conversations (last_message_at);

create table portal_messages (
  project_id uuid not null,
  conversation_id uuid not null,
  id uuid not null,
  role text not null check (role in ('person', 'assistant')),
  made_by text not null check (made_by in ('person', 'model', 'search')),
  state text not null check (state in ('complete', 'stopped', 'failed')),
  text text not null,
  sources text not null,
  form text,
  model text,
  cost_micro bigint not null check (cost_micro >= 0),
  created_at timestamptz not null,
  primary key (project_id, conversation_id, id),
  foreign key (project_id, conversation_id)
    references portal_conversations (project_id, id) on delete cascade
);
comment on table portal_messages is 'Messages of conversations with the portal assistant.';
comment on column portal_messages.role is '@type "person" | "assistant"';
comment on column portal_messages.made_by is '@type "person" | "model" | "search"';
comment on column portal_messages.state is '@type "complete" | "stopped" | "failed"';
comment on column portal_messages.sources is 'Pages and records that the answer names, as JSON.';
comment on column portal_messages.form is 'An operation with the values taken from the sentence, as JSON; null if there is none.';
comment on column portal_messages.model is 'Name of the language model; null without one.';
comment on column portal_messages.cost_micro is 'What was charged for the answer, in micro-euro.';

create table portal_proposals (
  project_id uuid not null,
  id uuid not null,
  conversation_id uuid not null,
  message_id uuid,
  operation text not null,
  effect text not null check (effect in ('read', 'write', 'outside', 'money')),
  about text not null,
  cost text,
  subject text,
  loss text,
  arguments text not null,
  input_hash bytea not null,
  status text not null
    check (status in ('pending', 'running', 'executed', 'failed', 'declined')),
  reply text,
  problem text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  begun_at timestamptz,
  ended_at timestamptz,
  primary key (project_id, id),
  foreign key (project_id, conversation_id)
    references portal_conversations (project_id, id) on delete cascade
);
comment on table portal_proposals is 'Operations that the portal assistant proposed and the person runs or declines.';
comment on column portal_proposals.message_id is 'The answer that proposed it; null if the person submitted a form.';
comment on column portal_proposals.effect is '@type "read" | "write" | "outside" | "money"';
comment on column portal_proposals.cost is 'The cost in a sentence; null if it is free.';
comment on column portal_proposals.subject is 'Name of the target at the time of the proposal.';
comment on column portal_proposals.loss is 'What it would delete, at the time of the proposal.';
comment on column portal_proposals.arguments is 'The exact arguments as JSON.';
comment on column portal_proposals.input_hash is 'SHA-256 of operation, arguments and cost, which the person confirms.';
comment on column portal_proposals.status is '@type "pending" | "running" | "executed" | "failed" | "declined"';
comment on column portal_proposals.reply is 'The reply as JSON, without secrets that are shown once; null if there is none or it is too large.';
comment on column portal_proposals.problem is 'The problem document; null unless it failed.';
create index portal_proposals_of_conversation on portal_proposals (project_id, conversation_id, id);
