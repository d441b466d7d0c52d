-- Calls that run: an outbound one, or one over a carrier. Their end is unknown until they have ended.

alter table calls alter column hangup_cause drop not null;
alter table calls alter column hangup_by drop not null;
alter table calls alter column ended_at drop not null;
alter table calls add column purpose text check (purpose in ('transactional', 'marketing'));
alter table calls add column instructions text;
alter table calls add column carrier_id text unique;
comment on column calls.carrier_id is 'Id at the carrier of a call that came in, so that it is taken once.';
alter table calls add check ((ended_at is null) = (hangup_cause is null));
alter table calls add check ((ended_at is null) = (hangup_by is null));
comment on table calls is 'Calls with transcript and summary. One without ended_at is running.';
comment on column calls.purpose is '@type "transactional" | "marketing" | null';

create table live_calls (
  project_id uuid not null,
  call_id uuid not null,
  carrier_id text unique,
  state jsonb not null,
  commands jsonb not null,
  messages jsonb not null,
  script jsonb,
  legs jsonb not null,
  epoch integer not null,
  reconnects integer not null,
  bridged_at timestamptz,
  hold_id uuid,
  held_micro bigint not null,
  handed_over_at timestamptz,
  ends_by timestamptz not null,
  due_at timestamptz not null,
  primary key (project_id, call_id),
  foreign key (project_id, call_id) references calls (project_id, id) on delete cascade
);
create index live_calls_due on live_calls (due_at);
comment on table live_calls is 'What a running call needs between two messages of its carrier.';
comment on column live_calls.state is '@json unknown';
comment on column live_calls.commands is '@json unknown[]';
comment on column live_calls.messages is '@json { text: string; at: string }[]';
comment on column live_calls.script is '@json unknown[] | null';
comment on column live_calls.legs is '@json { leg_id: string; target: string; result: "no_answer" | "busy" | "failed" | null }[]';
comment on column live_calls.epoch is 'Rises with each step, so that a late one changes nothing.';
comment on column live_calls.ends_by is 'When the call is ended for its length.';
comment on column live_calls.due_at is 'A carrier that says nothing until then has lost the call.';

create table call_days (
  project_id uuid not null references projects (id),
  test boolean not null,
  day date not null,
  calls integer not null check (calls > 0),
  primary key (project_id, test)
);
comment on table call_days is 'How many outbound calls a project started on the latest day on which it started any.';

create table call_consents (
  project_id uuid not null references projects (id),
  id uuid not null,
  test boolean not null,
  phone text not null,
  source text not null,
  created_at timestamptz not null,
  primary key (project_id, id),
  unique (project_id, test, phone)
);
comment on table call_consents is 'People who agreed to be called for marketing, in each mode.';
