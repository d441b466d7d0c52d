-- Connections: assistants and agents that a person let into a project by OAuth, the programs that
-- asked for it, and what they hold. Of no token the text is kept: only its SHA-256.

create table oauth_clients (
  id text primary key,
  fingerprint bytea not null,
  metadata jsonb not null,
  secret_hash bytea,
  created_at timestamptz not null,
  used_at timestamptz
);
comment on table oauth_clients is 'Programs that registered themselves. One that nobody ever connected is purged.';
comment on column oauth_clients.fingerprint is 'SHA-256 of the metadata: who registers the same twice in a short time gets the same.';
comment on column oauth_clients.metadata is '@json { client_name: string; client_uri?: string; redirect_uris: string[]; grant_types: string[]; response_types: ["code"]; token_endpoint_auth_method: "none" | "client_secret_basic" | "client_secret_post"; application_type: "web" | "native" }';
comment on column oauth_clients.secret_hash is 'SHA-256 of the secret; null for a program that cannot keep one.';
comment on column oauth_clients.used_at is 'When a person last let it into a project; null: never.';
create index oauth_clients_fingerprint on oauth_clients (fingerprint, created_at);
create index oauth_clients_created_at on oauth_clients (created_at);

-- Connections refer to members. With the whole key in it, this index is as good as that of the key.
drop index members_person;
create index members_person on members (person_id, project_id);

create table connections (
  project_id uuid not null references projects (id),
  id uuid not null,
  person_id uuid not null,
  client_id text not null,
  client_name text not null,
  redirect_host text not null,
  mode text not null check (mode in ('live', 'test')),
  scopes text[] not null,
  access jsonb,
  created_at timestamptz not null,
  used_at timestamptz,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  revoked_because text check (revoked_because in ('person', 'client', 'replay')),
  primary key (project_id, id),
  constraint connections_member foreign key (project_id, person_id)
    references members (project_id, person_id) on delete cascade,
  check ((revoked_at is null) = (revoked_because is null))
);
comment on table connections is 'What a person let a program do in a project. It never may more than the person, and goes when they leave the team.';
comment on column connections.client_id is 'The id of a program in oauth_clients, or the https address of its metadata document.';
comment on column connections.mode is '@type "live" | "test"';
comment on column connections.access is '@json { sites: string[]; apps: string[] } | null';
comment on column connections.used_at is 'Right to a few minutes: it is not written at each request.';
comment on column connections.expires_at is 'When the last thing it holds runs out; each renewal moves it on.';
comment on column connections.revoked_because is '@type "person" | "client" | "replay" | null';
create index connections_person on connections (person_id, project_id);
create index connections_expires_at on connections (expires_at);
create index connections_client on connections (client_id);

create table access_tokens (
  hash bytea primary key,
  project_id uuid not null,
  connection_id uuid not null,
  scopes text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  foreign key (project_id, connection_id) references connections (project_id, id) on delete cascade
);
comment on table access_tokens is 'Access tokens (hm_oat_) by their SHA-256.';
create index access_tokens_connection on access_tokens (connection_id, project_id);
create index access_tokens_expires_at on access_tokens (expires_at);

create table oauth_records (
  hash bytea primary key,
  kind text not null check (kind in ('code', 'refresh_token', 'interaction')),
  project_id uuid,
  connection_id uuid,
  sealed bytea not null,
  expires_at timestamptz not null,
  consumed_at timestamptz,
  foreign key (project_id, connection_id) references connections (project_id, id) on delete cascade,
  check ((project_id is null) = (connection_id is null)),
  check ((connection_id is null) = (kind = 'interaction'))
);
comment on table oauth_records is 'Codes, refresh tokens and requests that wait for a person, by the SHA-256 of what names them; the rest is sealed.';
comment on column oauth_records.kind is '@type "code" | "refresh_token" | "interaction"';
comment on column oauth_records.consumed_at is 'Each is used once. Who comes with one that was used ends the whole connection.';
create index oauth_records_connection on oauth_records (connection_id, project_id);
create index oauth_records_expires_at on oauth_records (expires_at);
