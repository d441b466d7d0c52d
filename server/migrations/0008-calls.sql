-- Calls. A call is written once, when it has ended; its summary follows by itself.

create table calls (
  project_id uuid not null references projects (id),
  id uuid not null,
  number_id uuid not null references numbers (id),
  direction text not null check (direction in ('inbound', 'outbound')),
  from_number text not null,
  to_number text not null,
  status text not null,
  hangup_cause text not null,
  hangup_by text not null check (hangup_by in ('caller', 'assistant', 'callee', 'system')),
  language text,
  created_at timestamptz not null,
  started_at timestamptz not null,
  answered_at timestamptz,
  ended_at timestamptz not null,
  path text[] not null,
  transcript jsonb not null,
  wants_summary boolean not null,
  summary jsonb,
  summary_ready_at timestamptz,
  test boolean not null,
  primary key (project_id, id),
  check ((summary is null) = (summary_ready_at is null))
);
comment on table calls is 'Calls that have ended, with transcript and summary.';
comment on column calls.direction is '@type "inbound" | "outbound"';
comment on column calls.hangup_by is '@type "caller" | "assistant" | "callee" | "system"';
comment on column calls.transcript is '@json { role: "caller" | "assistant" | "system"; text: string; at: string; node_id: string | null }[]';
comment on column calls.summary is '@json { text: string; topics: string[]; sentiment: "positive" | "neutral" | "negative" | "mixed" | "unknown"; action_items: string[]; next_step: string } | null';
create index calls_number_id on calls (number_id);
