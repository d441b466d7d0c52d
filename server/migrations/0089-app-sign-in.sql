-- Users of apps sign in by a password or a passkey too, and each app has its own sign-in page.

alter table app_versions
  alter column auth drop not null,
  alter column auth type jsonb using
    case when auth then '{"methods": ["code"], "name": null, "color": null}'::jsonb end;
comment on column app_versions.auth is '@json { methods: ("code" | "password" | "passkey")[]; name: string | null; color: string | null }';

alter table app_users add column password_hash text;
comment on column app_users.password_hash is 'The password as argon2id; null without one.';

alter table app_sessions add column opened_at timestamptz;
comment on column app_sessions.opened_at is 'When the user signed in; null for sessions before passwords existed.';

create table app_passkeys (
  project_id uuid not null,
  app_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  credential_id bytea not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  synced boolean not null,
  created_at timestamptz not null,
  used_at timestamptz,
  primary key (project_id, app_id, id),
  constraint app_passkeys_credential unique (project_id, app_id, credential_id),
  foreign key (project_id, app_id, user_id) references app_users (project_id, app_id, id) on delete cascade
);
comment on table app_passkeys is 'Passkeys of users of apps. The private key never leaves the device that made it.';
create index app_passkeys_of_user on app_passkeys (project_id, app_id, user_id);

alter table apps alter column deployed_at drop not null;
comment on column apps.deployed_at is 'When the live version became live; null for an imported app until its first deploy.';
