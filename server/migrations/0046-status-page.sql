-- The public status page: incidents and maintenance, daily results of probes, proposals, subscribers.

create table status_incidents (
  id uuid primary key,
  kind text not null check (kind in ('incident', 'maintenance')),
  title text not null,
  impact text not null check (impact in ('none', 'minor', 'major', 'critical')),
  components text[] not null,
  state text not null check (state in ('investigating', 'identified', 'monitoring', 'resolved',
    'scheduled', 'in_progress', 'completed')),
  started_at timestamptz not null,
  planned_until timestamptz,
  ended_at timestamptz,
  check ((kind = 'maintenance') = (planned_until is not null)),
  check ((state in ('resolved', 'completed')) = (ended_at is not null)),
  check ((kind = 'maintenance') = (state in ('scheduled', 'in_progress', 'completed')))
);
comment on table status_incidents is 'Incidents and maintenance on the public status page.';
comment on column status_incidents.kind is '@type "incident" | "maintenance"';
comment on column status_incidents.impact is '@type "none" | "minor" | "major" | "critical"';
comment on column status_incidents.components is 'Ids of the components that are affected.';
comment on column status_incidents.state is '@type "investigating" | "identified" | "monitoring" | "resolved" | "scheduled" | "in_progress" | "completed"';
comment on column status_incidents.started_at is 'When the problem began; of maintenance: its planned start, or its start if an operator began earlier.';
comment on column status_incidents.planned_until is 'Planned end of maintenance.';
comment on column status_incidents.ended_at is 'When it was resolved or completed; null while it is open.';
create index status_incidents_by_start on status_incidents (started_at);
create index status_incidents_open on status_incidents (started_at) where ended_at is null;

create table status_updates (
  incident_id uuid not null references status_incidents (id) on delete cascade,
  id uuid not null,
  state text not null,
  message text,
  posted_at timestamptz not null,
  primary key (incident_id, id)
);
comment on table status_updates is 'Updates of incidents and maintenance, oldest first.';
comment on column status_updates.message is 'null: maintenance began or ended at its planned time.';
comment on column status_updates.state is '@type "investigating" | "identified" | "monitoring" | "resolved" | "scheduled" | "in_progress" | "completed"';

create table status_probes (
  component text primary key,
  probed_at timestamptz not null,
  failures integer not null check (failures >= 0),
  failing_since timestamptz,
  check ((failures = 0) = (failing_since is null))
);
comment on table status_probes is 'The last probe of each component. The locks of these rows serialize the recording of probes.';
comment on column status_probes.failures is 'Failed probes one after another, up to now.';

create table status_days (
  component text not null,
  day date not null,
  probes integer not null check (probes > 0),
  failed integer not null check (failed between 0 and probes),
  primary key (component, day)
);
comment on table status_days is 'Results of the probes by component and day in the billing time zone.';

create table status_proposals (
  id uuid primary key,
  kind text not null check (kind in ('report', 'resolve')),
  components text[] not null,
  impact text not null check (impact in ('none', 'minor', 'major', 'critical')),
  incident_id uuid references status_incidents (id) on delete cascade,
  since timestamptz not null,
  created_at timestamptz not null,
  decided_at timestamptz,
  decision text check (decision in ('published', 'dismissed', 'withdrawn')),
  check ((decided_at is null) = (decision is null)),
  check ((kind = 'resolve') <= (incident_id is not null))
);
comment on table status_proposals is 'Incidents, and their ends, that failed and recovered probes propose to operators.';
comment on column status_proposals.kind is '@type "report" | "resolve"';
comment on column status_proposals.impact is '@type "none" | "minor" | "major" | "critical"';
comment on column status_proposals.incident_id is 'The incident to resolve, or the one that was published from the proposal.';
comment on column status_proposals.since is 'Since when the components fail, or work again.';
comment on column status_proposals.decision is '@type "published" | "dismissed" | "withdrawn"';
create index status_proposals_open on status_proposals (created_at) where decided_at is null;
create index status_proposals_by_incident on status_proposals (incident_id);

create table status_subscribers (
  id uuid primary key,
  email text not null unique,
  language text not null check (language in ('en', 'nl')),
  created_at timestamptz not null,
  confirmed_at timestamptz,
  mailed_at timestamptz[] not null
);
comment on table status_subscribers is 'Addresses that get the updates of the status page by mail. Unsubscribing deletes the row. mailed_at has the times of the latest confirmation mails, for the limit per address.';
comment on column status_subscribers.language is '@type "en" | "nl"';
comment on column status_subscribers.confirmed_at is 'null until the link in the confirmation mail is used; such a row is deleted after some days.';
comment on column status_subscribers.mailed_at is '@type Date[]';
create index status_subscribers_unconfirmed on status_subscribers (created_at)
  where confirmed_at is null;
