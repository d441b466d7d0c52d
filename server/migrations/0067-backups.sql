-- Scheduled backups: when each ran, its size, and the result of its restore test.

create table backups (
  id uuid primary key,
  name text not null unique,
  started_at timestamptz not null,
  scheduled_for timestamptz,
  finished_at timestamptz,
  state text not null check (state in ('running', 'complete', 'failed')),
  bytes bigint check (bytes >= 0),
  error text,
  tested_at timestamptz,
  test_error text,
  check ((state = 'running') = (finished_at is null))
);
comment on table backups is 'Runs of scheduled and requested backups. A backup leaves this table out: a restored installation lists the files of its store.';
comment on column backups.name is 'Name of the file in the store.';
comment on column backups.scheduled_for is 'The time of the schedule that it ran for; null for a backup that the operator requested.';
comment on column backups.state is '@type "running" | "complete" | "failed"';
comment on column backups.tested_at is 'Time of the last restore test; test_error is null if it passed.';
create index backups_started on backups (started_at);
create index backups_tested on backups (tested_at);
