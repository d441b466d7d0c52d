-- People: who they are, how they sign in, and which projects they belong to. A realm keeps people
-- apart who sign in to different things: the portal now, the end users of each app later.

create table people (
  id uuid primary key,
  realm text not null,
  email text not null,
  password_hash text,
  sealed_totp_secret bytea,
  totp_since timestamptz,
  totp_step bigint,
  created_at timestamptz not null,
  check ((sealed_totp_secret is null) = (totp_since is null)),
  constraint people_email unique (realm, email)
);
comment on table people is 'People, each made when its address was first proven: by a code, or by a link of the operator. Addresses are in lower case.';
comment on column people.realm is '@type "portal"';
comment on column people.password_hash is 'argon2id in the PHC form; null: signs in without a password.';
comment on column people.totp_step is 'The time step of the last code that was taken: none is taken twice, nor an older one.';

create table sign_in_links (
  hash bytea primary key,
  realm text not null,
  email text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
comment on table sign_in_links is 'One-time links that the operator makes, by their SHA-256. A link that was used is gone.';
comment on column sign_in_links.realm is '@type "portal"';
create index sign_in_links_expires_at on sign_in_links (expires_at);

create table sessions (
  id uuid primary key,
  hash bytea not null unique,
  person_id uuid not null references people (id) on delete cascade,
  device text not null,
  network text not null,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  fresh_at timestamptz not null,
  expires_at timestamptz not null
);
comment on table sessions is 'Who is signed in, by the SHA-256 of what their cookie holds. A session that ended is gone.';
comment on column sessions.device is 'What the browser says of itself, so that people recognise their own.';
comment on column sessions.network is 'The IPv4 address, or the /64 of the IPv6 address, of the sign-in.';
comment on column sessions.seen_at is 'Right to a few minutes: it is not written at each request.';
comment on column sessions.fresh_at is 'When the person last proved who they are.';
create index sessions_person on sessions (person_id);
create index sessions_expires_at on sessions (expires_at);

create table sign_ins (
  id uuid primary key,
  hash bytea not null unique,
  realm text not null,
  email text not null,
  session_id uuid references sessions (id) on delete cascade,
  code_mac bytea,
  code_expires_at timestamptz,
  code_tries integer not null default 0,
  proven_at timestamptz,
  second_tries integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
comment on table sign_ins is 'Sign-ins that have begun, by the SHA-256 of what their cookie holds. One that has become a session is gone.';
comment on column sign_ins.realm is '@type "portal"';
comment on column sign_ins.session_id is 'The session whose person proves again who they are; null: a sign-in.';
comment on column sign_ins.code_mac is 'Of the code that was last sent by mail, under a key of the service.';
comment on column sign_ins.proven_at is 'When the first proof was given; what is left is the second.';
create index sign_ins_expires_at on sign_ins (expires_at);
create index sign_ins_session on sign_ins (session_id);

create table recovery_codes (
  person_id uuid not null references people (id) on delete cascade,
  mac bytea not null,
  used_at timestamptz,
  primary key (person_id, mac)
);
comment on table recovery_codes is 'Codes that stand in for the second factor, once each, as MACs under a key of the service.';

create table members (
  project_id uuid not null references projects (id),
  person_id uuid not null references people (id),
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  access jsonb,
  created_at timestamptz not null,
  primary key (project_id, person_id)
);
comment on table members is 'The team of each project. A project that has members has an owner. Access null: the whole project.';
comment on column members.role is '@type "owner" | "admin" | "member" | "viewer"';
comment on column members.access is '@json { sites: string[]; apps: string[] } | null';
create index members_person on members (person_id);

create table invitations (
  project_id uuid not null references projects (id),
  id uuid not null,
  email text not null,
  role text not null check (role in ('owner', 'admin', 'member', 'viewer')),
  access jsonb,
  invited_by text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (project_id, id),
  constraint invitations_email unique (email, project_id)
);
comment on table invitations is 'Invitations that are open. Only who has proven the address can take one; it is gone then, or when withdrawn.';
comment on column invitations.role is '@type "owner" | "admin" | "member" | "viewer"';
comment on column invitations.access is '@json { sites: string[]; apps: string[] } | null';
comment on column invitations.invited_by is 'The address of who invited; null: the operator.';
