-- Apps: server code on a site.

create table apps (
  project_id uuid not null,
  id uuid not null,
  site_id uuid not null,
  name text not null,
  live_version integer not null,
  last_version integer not null,
  test boolean not null,
  secrets_revision integer not null default 0,
  sealed_database_password bytea,
  database_bytes bigint not null default 0,
  database_measured_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deployed_at timestamptz not null,
  primary key (project_id, id),
  foreign key (project_id, site_id) references sites (project_id, id) on delete cascade
);
comment on table apps is 'Apps: server code that answers /api/ of a site. The row is the lock of its versions.';
comment on column apps.secrets_revision is 'Grows with each change of a secret, so that processes start again.';
comment on column apps.sealed_database_password is 'Password of its role in the database of apps; null before the first use.';
comment on column apps.database_bytes is 'Size of its schema when it was last measured.';
create unique index apps_of_site on apps (site_id, project_id);

create table app_versions (
  project_id uuid not null,
  app_id uuid not null,
  number integer not null,
  modules json not null,
  code json not null,
  main text not null,
  allowed_hosts jsonb not null,
  collections jsonb not null,
  schedules jsonb not null,
  auth boolean not null,
  bytes integer not null,
  test boolean not null,
  created_at timestamptz not null,
  primary key (project_id, app_id, number),
  foreign key (project_id, app_id) references apps (project_id, id) on delete cascade
);
comment on table app_versions is 'Versions of apps. Never changed once written.';
comment on column app_versions.modules is 'The modules as they were sent: [{path, text}].';
comment on column app_versions.code is 'The modules as JavaScript, the main module first.';
comment on column app_versions.allowed_hosts is '@json string[]';
comment on column app_versions.collections is '@json string[]';
comment on column app_versions.schedules is '@json { cron: string; timezone: string }[]';

create table app_secrets (
  project_id uuid not null,
  app_id uuid not null,
  name text not null,
  sealed_value bytea not null,
  updated_at timestamptz not null,
  primary key (project_id, app_id, name),
  foreign key (project_id, app_id) references apps (project_id, id) on delete cascade
);
comment on table app_secrets is 'Secrets of apps. Their values are never shown again.';

create table app_schedules (
  project_id uuid not null,
  app_id uuid not null,
  cron text not null,
  timezone text not null,
  next_run_at timestamptz,
  last_run_at timestamptz,
  last_started_at timestamptz,
  last_ended_at timestamptz,
  last_error text,
  primary key (project_id, app_id, cron, timezone),
  foreign key (project_id, app_id) references apps (project_id, id) on delete cascade
);
comment on table app_schedules is 'Schedules of the live version of an app.';
comment on column app_schedules.last_run_at is 'The time for which it ran last, by its schedule.';
comment on column app_schedules.last_started_at is 'When that run was started.';
comment on column app_schedules.last_ended_at is 'When that run ended; null while it works.';
create index app_schedules_due on app_schedules (next_run_at) where next_run_at is not null;

create table app_logs (
  project_id uuid not null,
  app_id uuid not null,
  id uuid not null,
  level text not null check (level in ('debug', 'info', 'log', 'warn', 'error', 'exception', 'system')),
  text text not null,
  place text,
  version integer not null,
  at timestamptz not null,
  primary key (project_id, app_id, id),
  foreign key (project_id, app_id) references apps (project_id, id) on delete cascade
);
comment on table app_logs is 'What apps log, their exceptions, and why a process was stopped.';
comment on column app_logs.level is '@type "debug" | "info" | "log" | "warn" | "error" | "exception" | "system"';
comment on column app_logs.place is 'Method and path of the request, or the schedule.';
create index app_logs_old on app_logs (at);

create table app_hours (
  project_id uuid not null,
  app_id uuid not null,
  hour timestamptz not null,
  requests integer not null,
  errors integer not null,
  primary key (project_id, app_id, hour),
  foreign key (project_id, app_id) references apps (project_id, id) on delete cascade
);
comment on table app_hours is 'Requests to apps by hour, and those that ended with 5xx.';

create table app_users (
  project_id uuid not null,
  app_id uuid not null,
  id uuid not null,
  email text not null,
  blocked_at timestamptz,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  primary key (project_id, app_id, id),
  foreign key (project_id, app_id) references apps (project_id, id) on delete cascade
);
comment on table app_users is 'People who signed in to an app, by email address in lower case.';
create unique index app_users_by_email on app_users (email, app_id, project_id);

create table app_sessions (
  project_id uuid not null,
  app_id uuid not null,
  hash bytea not null,
  user_id uuid not null,
  expires_at timestamptz not null,
  primary key (project_id, app_id, hash),
  foreign key (project_id, app_id, user_id) references app_users (project_id, app_id, id) on delete cascade
);
comment on table app_sessions is 'Sessions of users of apps, by the SHA-256 of the cookie.';
create index app_sessions_of_user on app_sessions (project_id, app_id, user_id);
create index app_sessions_old on app_sessions (expires_at);

create table app_codes (
  project_id uuid not null,
  app_id uuid not null,
  email text not null,
  hash bytea not null,
  tries integer not null,
  sent_at timestamptz not null,
  sent_today integer not null,
  expires_at timestamptz not null,
  primary key (project_id, app_id, email),
  foreign key (project_id, app_id) references apps (project_id, id) on delete cascade
);
comment on table app_codes is 'Codes that were mailed for signing in to an app, by their SHA-256.';
create index app_codes_old on app_codes (expires_at);
