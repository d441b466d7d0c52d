-- Durable work, remembered replies and what the process itself has to keep.

create table jobs (
  id uuid primary key,
  kind text collate "C" not null,
  project_id uuid,
  tenant uuid not null generated always as (coalesce(project_id, '00000000-0000-0000-0000-000000000000')) stored,
  dedupe_key text,
  payload jsonb not null,
  run_at timestamptz not null,
  state text not null check (state in ('waiting', 'due', 'leased', 'dead')),
  attempt integer not null default 0,
  losses integer not null default 0,
  lease_until timestamptz,
  lease_token uuid,
  last_error text,
  created_at timestamptz not null,
  dead_at timestamptz,
  check ((state = 'leased') = (lease_until is not null and lease_token is not null)),
  check ((state = 'dead') = (dead_at is not null))
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01);
comment on table jobs is 'Durable work. A row is deleted when it is done; dead rows stay until somebody looks.';
comment on column jobs.tenant is 'Whose turn it uses up: the project, or for work of no project the nil id, so that it has turns too.';
comment on column jobs.state is '@type "waiting" | "due" | "leased" | "dead"';
comment on column jobs.attempt is 'Runs begun that were not lost; the last may be under way.';
comment on column jobs.losses is 'Runs in a row that were lost with their process or their lease.';
-- Of one key one job waits at most. One that has begun no longer counts: it may have read too early.
create unique index jobs_dedupe_key on jobs (tenant, kind, dedupe_key) where dedupe_key is not null and state in ('waiting', 'due');
create index jobs_waiting on jobs (run_at, id) where state = 'waiting';
create index jobs_due on jobs (tenant, kind, run_at, id) where state = 'due';
create index jobs_leased on jobs (tenant, kind, dedupe_key) where state = 'leased';
create index jobs_dead on jobs (id) where state = 'dead';

create table idempotency_keys (
  project_id uuid not null,
  key text not null,
  request_hash bytea not null,
  token uuid not null,
  locked_until timestamptz not null,
  status smallint,
  reply text,
  expires_at timestamptz not null,
  primary key (project_id, key),
  check ((status is null) = (reply is null))
);
comment on table idempotency_keys is 'Replies remembered for 24 hours under the key that the caller chose. No status: still running.';
create index idempotency_keys_expires_at on idempotency_keys (expires_at);

create table settings (
  name text primary key,
  value text not null
);
comment on table settings is 'What the service keeps about itself, for example how far the development clock was moved.';
