-- Text messages (SMS): sent and received ones, daily counts, and people who opted out.

create table messages (
  project_id uuid not null references projects (id),
  id uuid not null,
  direction text not null check (direction in ('outbound', 'inbound')),
  from_number text not null,
  to_number text not null,
  text text not null,
  encoding text not null check (encoding in ('gsm7', 'ucs2')),
  segments integer not null check (segments > 0),
  status text not null check (status in ('queued', 'sent', 'delivered', 'failed', 'received')),
  failure_reason text,
  cost_micro bigint not null check (cost_micro >= 0),
  hold_id uuid,
  handed_over_at timestamptz,
  carrier_id text,
  test boolean not null,
  created_at timestamptz not null,
  sent_at timestamptz,
  ended_at timestamptz,
  primary key (project_id, id),
  constraint messages_failed check ((status = 'failed') = (failure_reason is not null))
);
comment on table messages is 'Text messages of a project, sent and received.';
comment on column messages.direction is '@type "outbound" | "inbound"';
comment on column messages.encoding is '@type "gsm7" | "ucs2"';
comment on column messages.status is '@type "queued" | "sent" | "delivered" | "failed" | "received"';
comment on column messages.failure_reason is '@type "unreachable" | "unknown_number" | "landline" | "blocked_by_carrier" | "refused_by_carrier" | "carrier_unavailable" | "expired" | "unknown" | null';
comment on column messages.handed_over_at is 'When its request to the carrier began. A message with this time is never sent to the carrier again.';
comment on column messages.carrier_id is 'Id at the carrier; null if unknown.';
comment on column messages.ended_at is 'When it was delivered, failed or was received.';
create unique index messages_carrier on messages (project_id, carrier_id) where carrier_id is not null;
create index messages_to on messages (project_id, to_number, id);
create index messages_from on messages (project_id, from_number, id);
create index messages_queued on messages (created_at) where status = 'queued';

create table message_days (
  project_id uuid not null references projects (id),
  test boolean not null,
  day date not null,
  messages integer not null check (messages > 0),
  primary key (project_id, test)
);
comment on table message_days is 'How many messages a project sent on the latest day on which it sent any.';

create table message_opt_outs (
  project_id uuid not null references projects (id),
  test boolean not null,
  phone text not null,
  opted_out_at timestamptz not null,
  primary key (project_id, test, phone)
);
comment on table message_opt_outs is 'People who replied STOP: the project sends them no messages.';
