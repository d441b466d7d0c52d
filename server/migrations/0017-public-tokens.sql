-- Public tokens, which stand in web pages, and the proofs of work that pages have handed in.

create table public_tokens (
  project_id uuid not null references projects (id),
  id uuid not null,
  hash bytea not null unique,
  start text not null,
  name text not null,
  allowed_origins text[] not null check (cardinality(allowed_origins) > 0),
  created_at timestamptz not null,
  revoked_at timestamptz,
  last_used_at timestamptz,
  primary key (project_id, id)
);
comment on table public_tokens is 'Public tokens by their SHA-256. The row of a revoked one stays, because revoked and unknown differ.';
comment on column public_tokens.allowed_origins is 'As browsers write them in the header Origin.';
comment on column public_tokens.last_used_at is 'Right to the day: it is written once a day at most.';
create index public_tokens_allowed_origins on public_tokens using gin (allowed_origins) where revoked_at is null;

create table spent_challenges (
  project_id uuid not null,
  hash bytea not null,
  expires_at timestamptz not null,
  primary key (project_id, hash)
);
comment on table spent_challenges is 'Proofs of work that were handed in, kept until they would have expired anyway.';
create index spent_challenges_expires_at on spent_challenges (expires_at);
