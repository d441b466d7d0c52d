-- Passkeys: signing in with what a device or a password manager keeps, instead of a password.

create table passkeys (
  id uuid primary key,
  person_id uuid not null references people (id) on delete cascade,
  realm text not null,
  credential_id bytea not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  synced boolean not null,
  created_at timestamptz not null,
  used_at timestamptz,
  constraint passkeys_credential unique (realm, credential_id)
);
comment on table passkeys is 'The passkeys of people. A credential is of one person of a realm. What is kept of it signs in nobody: the private key never leaves where it was made.';
comment on column passkeys.realm is '@type "portal"';
comment on column passkeys.counter is 'How often it was used, as it said itself; 0 for those that do not count.';
comment on column passkeys.transports is 'How a browser can reach it, as it said when it was made.';
comment on column passkeys.synced is 'Whether it is kept by a password manager, and so on other devices too.';
create index passkeys_person on passkeys (person_id);

create table spent_passkey_challenges (
  hash bytea primary key,
  expires_at timestamptz not null
);
comment on table spent_passkey_challenges is 'Challenges that were answered, by their SHA-256, until they would have expired: none is taken twice.';
create index spent_passkey_challenges_expires_at on spent_passkey_challenges (expires_at);
