-- Alerts to the operator, the last delivery on each channel, and the results of requests to providers.

create table alerts (
  id uuid primary key,
  kind text not null,
  subject text not null,
  state text not null default 'pending' check (state in ('pending', 'firing', 'resolved')),
  detail jsonb not null,
  began_at timestamptz not null,
  seen_at timestamptz not null,
  fired_at timestamptz,
  sent_at timestamptz,
  cleared_at timestamptz,
  resolved_at timestamptz,
  check ((state = 'pending') = (fired_at is null)),
  check ((state = 'resolved') = (resolved_at is not null))
);
comment on table alerts is 'Conditions of the installation that need the operator. A condition that ends before it fired leaves no row.';
comment on column alerts.kind is '@type "provider" | "queue" | "failed_jobs" | "disk" | "certificate" | "backup"';
comment on column alerts.subject is 'What it is about, such as the provider or the disk; empty if there is only one.';
comment on column alerts.state is '@type "pending" | "firing" | "resolved"';
-- Numbers and names for the texts.
comment on column alerts.detail is '@type Record<string, string | number>';
comment on column alerts.began_at is 'When the condition was first seen.';
comment on column alerts.seen_at is 'When the condition was last seen to hold.';
comment on column alerts.sent_at is 'When the last notification was queued.';
comment on column alerts.cleared_at is 'Since when the condition is over; null while it holds.';
create unique index alerts_open on alerts (kind, subject) where state <> 'resolved';
create index alerts_resolved on alerts (resolved_at) where state = 'resolved';

create table alert_checks (
  id integer primary key check (id = 1),
  checked_at timestamptz not null
);
comment on table alert_checks is 'One row with the time of the last evaluation. Its lock serializes evaluations.';

create table alert_channels (
  channel text primary key,
  delivered_at timestamptz,
  failed_at timestamptz,
  error text
);
comment on table alert_channels is 'The last delivery of an alert by mail and by webhook.';
comment on column alert_channels.channel is '@type "mail" | "webhook"';

create table provider_results (
  provider text primary key,
  worked_at timestamptz,
  failed_at timestamptz,
  failing_since timestamptz,
  failures integer not null default 0,
  message text
);
comment on table provider_results is 'The last requests to each provider, of all processes.';
comment on column provider_results.failures is 'Failed requests since the last one that worked.';
