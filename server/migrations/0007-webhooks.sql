-- Webhooks: the endpoints of a project, the events that happened, and their deliveries.

create table webhook_endpoints (
  project_id uuid not null references projects (id),
  id uuid not null,
  url text not null,
  events text[] not null check (cardinality(events) > 0),
  app_id uuid,
  sealed_secret bytea not null,
  secret_prefix text not null,
  active boolean not null default true,
  consecutive_failures integer not null default 0 check (consecutive_failures >= 0),
  last_success_at timestamptz,
  last_failure_at timestamptz,
  created_at timestamptz not null,
  primary key (project_id, id)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01);
comment on table webhook_endpoints is 'Where events are sent. The row lock of an endpoint orders the results of its attempts.';

create table events (
  project_id uuid not null,
  id text not null check (id ~ '^evt_[0-9a-f]{32}$'),
  type text not null,
  subject jsonb not null,
  app_id uuid,
  created_at timestamptz not null,
  primary key (project_id, id)
);
comment on table events is 'What happened, as a type and the ids of its subject. The payload is built at delivery.';
comment on column events.subject is '@json Record<string, string>';

-- A delivery is its own queue. While it is pending it waits for its time, is ready, or is leased
-- to the attempt under way. It has no foreign key to its event: they are written together, and
-- an index that only makes deleting events cheap would cost every attempt.
create table webhook_deliveries (
  project_id uuid not null,
  id uuid not null,
  endpoint_id uuid not null,
  event_id text not null,
  type text not null,
  subject_key text not null,
  call_id uuid,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed', 'dropped')),
  stage text default 'ready' check (stage in ('waiting', 'ready', 'leased')),
  attempt integer not null default 0 check (attempt >= 0),
  next_attempt_at timestamptz,
  lease_until timestamptz,
  lease_token uuid,
  response_status integer,
  error text,
  created_at timestamptz not null,
  finished_at timestamptz,
  primary key (project_id, id),
  foreign key (project_id, endpoint_id) references webhook_endpoints (project_id, id) on delete cascade,
  constraint webhook_deliveries_event unique (project_id, endpoint_id, event_id),
  check ((state = 'pending') = (stage is not null)),
  check ((state = 'pending') = (next_attempt_at is not null)),
  check ((state = 'pending') = (finished_at is null)),
  check (stage is distinct from 'leased' or (lease_until is not null and lease_token is not null))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01);
comment on table webhook_deliveries is 'One event on its way to one endpoint. attempt counts the attempts that ended; a lease outlives its stage when the endpoint is disabled under it.';
comment on column webhook_deliveries.state is '@type "pending" | "delivered" | "failed" | "dropped"';
comment on column webhook_deliveries.stage is '@type "waiting" | "ready" | "leased" | null';
-- Each call event goes to an endpoint at most once, whatever caused it twice.
create unique index webhook_deliveries_call on webhook_deliveries (project_id, endpoint_id, type, call_id) where call_id is not null;
create index webhook_deliveries_pending on webhook_deliveries (project_id, endpoint_id, subject_key, id) where state = 'pending';
create index webhook_deliveries_ready on webhook_deliveries (project_id, endpoint_id, id) where stage = 'ready';
create index webhook_deliveries_waiting on webhook_deliveries (next_attempt_at) where stage = 'waiting';
create index webhook_deliveries_leased on webhook_deliveries (project_id, endpoint_id, lease_until) where stage = 'leased';
