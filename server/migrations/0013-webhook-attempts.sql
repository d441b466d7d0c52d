-- The log of webhook attempts, what a page of deliveries is read by, and what old rows are found by.

-- An attempt under way when its delivery is deleted leaves nothing, hence the foreign key.
create table webhook_attempts (
  project_id uuid not null,
  delivery_id uuid not null,
  number integer not null check (number >= 1),
  manual boolean not null,
  started_at timestamptz not null,
  duration_ms integer not null check (duration_ms >= 0),
  response_status integer,
  error text,
  response_text text,
  body_sha256 bytea check (octet_length(body_sha256) = 32),
  primary key (project_id, delivery_id, number),
  foreign key (project_id, delivery_id) references webhook_deliveries (project_id, id) on delete cascade
);
comment on table webhook_attempts is 'What each attempt of a delivery came to; rows are added and never changed. response_text is the beginning of the answer, made safe to show; body_sha256 is of what was sent, null when nothing was.';

-- attempt counts within the schedule, which a replay begins again; attempts_made goes on.
alter table webhook_deliveries add column attempts_made integer not null default 0 check (attempts_made >= 0);
update webhook_deliveries set attempts_made = attempt where attempt > 0;

-- Ids of events grow with time, so webhook_deliveries_event gives the newest deliveries of an
-- endpoint. Most are delivered: those that are not are found among them by an index of their own.
create index webhook_deliveries_undelivered on webhook_deliveries (project_id, endpoint_id, state, event_id) where state <> 'delivered';
create index webhook_deliveries_finished on webhook_deliveries (finished_at) where finished_at is not null;
create index events_created on events (created_at);
