-- Accounts that people create themselves: invitations of the operator, and the terms that were accepted.

create table sign_up_invitations (
  id uuid primary key,
  email text,
  hash bytea not null unique,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
comment on table sign_up_invitations is 'Invitations of the operator to create an account, by the SHA-256 of their links. One that was used is gone.';
comment on column sign_up_invitations.email is 'The only address that may use it, in lower case; null: any address.';
create index sign_up_invitations_email on sign_up_invitations (email) where email is not null;
create index sign_up_invitations_expires_at on sign_up_invitations (expires_at);

alter table sign_ins
  add column is_sign_up boolean not null default false,
  add column terms_version text,
  add column invitation_id uuid;
comment on column sign_ins.is_sign_up is 'Whether the person asks for an account.';
comment on column sign_ins.terms_version is 'The version of the terms that was accepted when this sign-in began.';
comment on column sign_ins.invitation_id is 'The invitation whose link was opened. No foreign key: using the invitation up would lock the other sign-ins with it, which could deadlock.';

create table accepted_terms (
  person_id uuid not null references people (id) on delete cascade,
  version text not null,
  accepted_at timestamptz not null,
  primary key (person_id, version)
);
comment on table accepted_terms is 'The versions of the terms that a person accepted. The first acceptance of a version counts.';
