-- Verification: levels in review or refused with a reason, the evidence behind them, and codes by phone.

alter table projects
  add column company_reason text,
  add column number_documents_reason text,
  add column full_reason text,
  add column verification_given text[] not null default '{}',
  add column company_round integer not null default 0,
  add column verification_round integer not null default 0,
  add column company_reviewed boolean not null default false;
comment on column projects.company_status is '@type "approved" | "not_started" | "pending" | "rejected"';
comment on column projects.number_documents_status is '@type "approved" | "not_started" | "pending" | "rejected"';
comment on column projects.full_status is '@type "approved" | "not_started" | "pending" | "rejected"';
comment on column projects.verification_given is 'Requirements whose evidence is stored, by the names in missing.';
comment on column projects.company_round is 'Incremented when the name or the register number of the company changes; reviews of earlier rounds are withdrawn.';
comment on column projects.verification_round is 'Incremented when the account type changes; evidence and reviews of earlier rounds are withdrawn.';
comment on column projects.company_reviewed is 'Whether the level company was approved by a review of the current details.';

create table verification_reviews (
  project_id uuid not null references projects (id),
  id uuid not null unique,
  level text not null check (level in ('company', 'number_documents', 'full')),
  round integer not null,
  status text not null check (status in ('pending', 'approved', 'rejected', 'withdrawn')),
  way text not null check (way in ('register', 'operator')),
  reason text,
  submitted_at timestamptz not null,
  decided_at timestamptz,
  primary key (project_id, id)
);
comment on table verification_reviews is 'Levels that a project submitted for approval: to the business register or to the operator.';
comment on column verification_reviews.level is '@type "company" | "number_documents" | "full"';
comment on column verification_reviews.status is '@type "pending" | "approved" | "rejected" | "withdrawn"';
comment on column verification_reviews.way is '@type "register" | "operator"';
create unique index verification_reviews_pending on verification_reviews (project_id, level) where status = 'pending';
create index verification_reviews_queue on verification_reviews (id) where way = 'operator';

create table verification_documents (
  project_id uuid not null references projects (id),
  id uuid not null unique,
  kind text not null check (kind in ('proof_of_address', 'identity', 'company_registration', 'director_identity')),
  round integer not null,
  filename text not null check (length(filename) between 1 and 200),
  bytes integer not null check (bytes > 0),
  content_type text,
  token_hash bytea not null unique,
  sealed_key bytea,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  received_at timestamptz,
  delete_at timestamptz,
  refused boolean not null default false,
  removed_at timestamptz,
  primary key (project_id, id)
);
comment on table verification_documents is 'Documents by upload link. The bytes are in the blob store, encrypted with a key of their own.';
comment on column verification_documents.kind is '@type "proof_of_address" | "identity" | "company_registration" | "director_identity"';
comment on column verification_documents.sealed_key is 'The key of the bytes, encrypted with the master key.';
comment on column verification_documents.expires_at is 'End of the upload link.';
comment on column verification_documents.refused is 'Whether the operator asked for another document; kept until delete_at.';
comment on column verification_documents.removed_at is 'Since when the document counts no more; its bytes are deleted by the next sweep.';
create unique index verification_documents_current on verification_documents (project_id, kind)
  where received_at is not null and removed_at is null and not refused;
create index verification_documents_due on verification_documents (delete_at) where removed_at is null;
create index verification_documents_removed on verification_documents (removed_at);
create index verification_documents_open on verification_documents (expires_at) where received_at is null;

create table verification_declarations (
  project_id uuid primary key references projects (id),
  round integer not null,
  sealed_content bytea not null,
  created_at timestamptz not null,
  delete_at timestamptz,
  refused boolean not null default false
);
comment on table verification_declarations is 'The director and the beneficial owners as declared, encrypted with the master key.';
create index verification_declarations_due on verification_declarations (delete_at);

create table verification_phone_codes (
  project_id uuid not null references projects (id),
  id uuid not null,
  person_id uuid not null,
  phone text not null,
  channel text not null check (channel in ('sms', 'call')),
  network_hash bytea not null,
  code_mac bytea not null,
  attempts integer not null default 0 check (attempts >= 0),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  confirmed_at timestamptz,
  primary key (project_id, id)
);
comment on table verification_phone_codes is 'Codes sent to phone numbers, as a MAC with a service key. Confirmed ones are kept with the project.';
comment on column verification_phone_codes.channel is '@type "sms" | "call"';
create index verification_phone_codes_phone on verification_phone_codes (phone, created_at);
create index verification_phone_codes_person on verification_phone_codes (person_id, created_at);
create index verification_phone_codes_network on verification_phone_codes (network_hash, created_at);
create index verification_phone_codes_created on verification_phone_codes (created_at);
