-- Projects and their keys. One row of each answers "who asks, and what may they do" in one query.

create table projects (
  id uuid primary key,
  name text not null check (length(name) between 1 and 200),
  edition text not null default 'api',
  shape text not null check (shape in ('single', 'live', 'test')),
  pair_id uuid references projects (id) deferrable initially deferred,
  plan text not null default 'free',
  enabled boolean not null default true,
  owner_email text,
  rails jsonb not null,
  account_type text not null default 'business' check (account_type in ('business', 'personal')),
  company_status text not null default 'not_started',
  number_documents_status text not null default 'not_started',
  full_status text not null default 'not_started',
  phone_verified boolean not null default false,
  card boolean not null default false,
  payment_authenticated boolean not null default false,
  spending_limit_micro bigint,
  numbers_count integer not null default 0 check (numbers_count >= 0),
  created_at timestamptz not null,
  deleted_at timestamptz
);
comment on table projects is 'What a key belongs to. A pair is a live and a test project that name each other.';
comment on column projects.rails is '@json Record<"phone" | "outbound" | "sms" | "email" | "payments" | "domains", "live" | "test">';
comment on column projects.shape is '@type "single" | "live" | "test"';
comment on column projects.account_type is '@type "business" | "personal"';
comment on column projects.company_status is '@type "approved" | "not_started"';
comment on column projects.number_documents_status is '@type "approved" | "not_started"';
comment on column projects.full_status is '@type "approved" | "not_started"';
comment on column projects.plan is '@type "free" | "online" | "reachable" | "business" | "enterprise"';

create table api_keys (
  id uuid primary key,
  project_id uuid not null references projects (id),
  hash bytea not null unique,
  start text not null,
  name text not null,
  mode text not null check (mode in ('live', 'test')),
  scopes text[] not null,
  access jsonb,
  created_at timestamptz not null,
  revoked_at timestamptz
);
comment on table api_keys is 'API keys by their SHA-256. The row of a revoked key stays, because revoked and unknown differ.';
comment on column api_keys.mode is '@type "live" | "test"';
comment on column api_keys.access is '@json { sites: string[]; apps: string[]; collections: string[]; limited_by: "api_key" | "connection" | "member" } | null';
create index api_keys_project_id on api_keys (project_id);
