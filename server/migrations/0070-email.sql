-- Email from the domains of a project: the module, sending domains, emails with a row per recipient, and addresses.

create table email_settings (
  project_id uuid primary key references projects (id),
  enabled boolean not null,
  enabled_at timestamptz,
  paused_at timestamptz,
  paused_reason text,
  counted_from timestamptz not null
);
comment on table email_settings is 'The email module of a project. Its row is locked while emails are accepted, so that limits hold.';
comment on column email_settings.paused_reason is '@type "bounces" | "complaints" | null';
comment on column email_settings.counted_from is 'Bounces and complaints of earlier emails do not count; set when the owner resumes sending.';

create table email_days (
  project_id uuid not null references projects (id),
  test boolean not null,
  day date not null,
  recipients integer not null check (recipients >= 0),
  new_recipients integer not null check (new_recipients >= 0),
  primary key (project_id, test)
);
comment on table email_days is 'Recipients of emails on the latest day, by mode.';
comment on column email_days.day is 'Calendar day in the billing time zone.';
comment on column email_days.new_recipients is 'First emails to people who are known only from documents written by software.';

create table sending_domains (
  project_id uuid not null references projects (id),
  id uuid not null,
  domain text not null,
  status text not null check (status in ('pending', 'verified', 'temporary_failure', 'failed')),
  return_path_host text not null,
  dkim_selector text not null,
  dkim_public_key text not null,
  sealed_dkim_key bytea not null,
  next_dkim_selector text,
  next_dkim_public_key text,
  next_sealed_dkim_key bytea,
  results jsonb not null,
  verified_at timestamptz,
  missing_since timestamptz,
  last_checked_at timestamptz,
  created_at timestamptz not null,
  test boolean not null,
  primary key (project_id, id),
  unique (project_id, domain),
  check ((next_dkim_selector is null) = (next_dkim_public_key is null and next_sealed_dkim_key is null))
);
comment on table sending_domains is 'Domains from which a project sends email.';
comment on column sending_domains.status is '@type "pending" | "verified" | "temporary_failure" | "failed"';
comment on column sending_domains.sealed_dkim_key is 'Private key in PKCS#8 PEM, encrypted with the master key.';
comment on column sending_domains.next_sealed_dkim_key is 'The key that signs as soon as its record is visible.';
comment on column sending_domains.results is '@json { purpose: "dkim" | "next_dkim" | "return_path" | "dmarc"; status: "verified" | "missing" | "invalid" | "temporary_failure"; found: string[]; message: string }[]';
comment on column sending_domains.missing_since is 'When a required record of a verified domain was first missed; 72 hours later the domain is failed.';
create index sending_domains_checked on sending_domains (last_checked_at nulls first);

create table emails (
  project_id uuid not null references projects (id),
  id uuid not null,
  sending_domain_id uuid not null,
  app_id uuid,
  sender jsonb not null,
  "to" jsonb not null,
  cc jsonb not null,
  bcc jsonb not null,
  reply_to jsonb not null,
  subject text not null,
  text text,
  html text,
  headers jsonb not null,
  tags jsonb not null,
  message_id text not null,
  status text not null check (status in ('scheduled', 'queued', 'sent', 'delivered', 'partially_delivered', 'delayed', 'bounced', 'complained', 'suppressed', 'canceled')),
  scheduled_at timestamptz,
  created_at timestamptz not null,
  test boolean not null,
  primary key (project_id, id)
);
comment on table emails is 'Emails of a project, in the order of their ids.';
comment on column emails.sender is '@json { name: string | null; address: string }';
comment on column emails."to" is '@json { name: string | null; address: string }[]';
comment on column emails.cc is '@json { name: string | null; address: string }[]';
comment on column emails.bcc is '@json { name: string | null; address: string }[]';
comment on column emails.reply_to is '@json { name: string | null; address: string }[]';
comment on column emails.headers is '@json Record<string, string>';
comment on column emails.tags is '@json Record<string, string>';
comment on column emails.status is '@type "scheduled" | "queued" | "sent" | "delivered" | "partially_delivered" | "delayed" | "bounced" | "complained" | "suppressed" | "canceled"';
create index emails_status on emails (status, project_id, id);

create table email_attachments (
  project_id uuid not null,
  email_id uuid not null,
  position integer not null,
  filename text not null,
  content_type text not null,
  content_id text,
  bytes integer not null check (bytes >= 0),
  content bytea,
  primary key (project_id, email_id, position),
  foreign key (project_id, email_id) references emails (project_id, id) on delete cascade
);
comment on table email_attachments is 'Attachments of emails. The content is deleted once no recipient waits for it.';

create table email_recipients (
  project_id uuid not null,
  id uuid not null,
  email_id uuid not null,
  address text not null,
  field text not null check (field in ('to', 'cc', 'bcc')),
  status text not null check (status in ('queued', 'sent', 'delivered', 'delayed', 'bounced', 'complained', 'suppressed', 'canceled')),
  reason text,
  reason_code text,
  bounce_type text check (bounce_type in ('permanent', 'transient', 'undetermined')),
  smtp_code integer,
  enhanced_code text,
  remote_mta text,
  attempts integer not null default 0,
  next_attempt_at timestamptz,
  lease_until timestamptz,
  lease_token uuid,
  handed_over_at timestamptz,
  sent_at timestamptz,
  delayed_at timestamptz,
  delivered_at timestamptz,
  bounced_at timestamptz,
  complained_at timestamptz,
  test boolean not null,
  primary key (project_id, id),
  foreign key (project_id, email_id) references emails (project_id, id) on delete cascade,
  constraint email_recipients_lease check ((lease_token is null) = (lease_until is null))
);
comment on table email_recipients is 'Recipients of emails, in the order of their ids: the queue of deliveries.';
comment on column email_recipients.address is 'In lower case.';
comment on column email_recipients.field is '@type "to" | "cc" | "bcc"';
comment on column email_recipients.status is '@type "queued" | "sent" | "delivered" | "delayed" | "bounced" | "complained" | "suppressed" | "canceled"';
comment on column email_recipients.bounce_type is '@type "permanent" | "transient" | "undetermined" | null';
comment on column email_recipients.next_attempt_at is 'When it is due; null: it is not due any more.';
comment on column email_recipients.handed_over_at is 'When the mail server asked for the message in the current attempt. Without a recorded result the outcome is unknown, and the message is not sent again.';
comment on column email_recipients.delayed_at is 'When email.delayed was emitted last.';
create index email_recipients_of on email_recipients (email_id, project_id, id);
create index email_recipients_due on email_recipients (project_id, next_attempt_at) where next_attempt_at is not null;
create index email_recipients_address on email_recipients (address, project_id, id);
create index email_recipients_sent on email_recipients (project_id, id) where not test and sent_at is not null;

create table email_events (
  project_id uuid not null,
  id uuid not null,
  email_id uuid not null,
  recipient_id uuid not null,
  type text not null check (type in ('sent', 'delivered', 'delayed', 'bounced', 'complained', 'suppressed', 'canceled')),
  reason text,
  occurred_at timestamptz not null,
  primary key (project_id, id),
  foreign key (project_id, recipient_id) references email_recipients (project_id, id) on delete cascade
);
comment on table email_events is 'The timeline of each recipient of an email, and the subjects of email events.';
comment on column email_events.type is '@type "sent" | "delivered" | "delayed" | "bounced" | "complained" | "suppressed" | "canceled"';
create index email_events_of on email_events (project_id, email_id, id);
create index email_events_recipient on email_events (project_id, recipient_id);

create table email_outbox (
  project_id uuid not null,
  id uuid not null,
  email_id uuid not null,
  source bytea not null,
  written_at timestamptz not null,
  primary key (project_id, id),
  foreign key (project_id, id) references email_recipients (project_id, id) on delete cascade
);
comment on table email_outbox is 'Signed messages that were not sent, because HOMEPORT_EMAIL is log. The id is that of the recipient.';

create table email_suppressions (
  project_id uuid not null references projects (id),
  id uuid not null,
  address text not null,
  reason text not null,
  origin text not null check (origin in ('bounce', 'complaint', 'manual')),
  source_email_id uuid,
  created_at timestamptz not null,
  primary key (project_id, id),
  unique (project_id, address)
);
comment on table email_suppressions is 'Addresses that get no email from a project.';
comment on column email_suppressions.address is 'In lower case.';
comment on column email_suppressions.origin is '@type "bounce" | "complaint" | "manual"';
comment on column email_suppressions.source_email_id is 'The email that bounced or was marked as spam. No foreign key: the suppression outlives it.';

create table email_known_recipients (
  project_id uuid not null references projects (id),
  id uuid not null,
  address text not null,
  status text not null check (status in ('pending_owner', 'confirmed')),
  note text,
  requested_at timestamptz not null,
  confirmed_at timestamptz,
  confirmed_by text,
  primary key (project_id, id),
  unique (project_id, address),
  check ((status = 'confirmed') = (confirmed_at is not null))
);
comment on table email_known_recipients is 'Addresses that the owner confirmed, or that a key asked the owner to confirm.';
comment on column email_known_recipients.address is 'In lower case.';
comment on column email_known_recipients.status is '@type "pending_owner" | "confirmed"';
