-- Bytes of a project, and what they are for: the sites it publishes and its media library.

-- Content-addressed: the same bytes are kept once for a project, never shared between projects, so
-- that nobody learns what another has. The id names the bytes in the blob store; it is never used
-- again, so what is swept late can never be what was stored anew.
create table files (
  project_id uuid not null references projects (id),
  id uuid not null,
  sha256 bytea check (octet_length(sha256) = 32),
  bytes bigint not null check (bytes >= 0),
  stored_at timestamptz,
  encodings jsonb not null default '{}',
  encoded_at timestamptz,
  beside text[] not null default '{}',
  uses integer not null default 0 check (uses >= 0),
  unused_since timestamptz,
  doomed_at timestamptz,
  created_at timestamptz not null,
  primary key (project_id, id),
  check (stored_at is null or sha256 is not null),
  check ((uses = 0) = (unused_since is not null))
);
comment on table files is 'Stored bytes, counted by who uses them. A row is written before its bytes and goes after them. unused_since is set while uses is 0; doomed_at once the sweep has begun to remove them.';
comment on column files.sha256 is 'Not known while bytes arrive that nobody announced.';
comment on column files.beside is 'Names of what is kept beside the bytes and goes with them, such as a smaller picture.';
comment on column files.encodings is '@json { br?: number; gzip?: number; zstd?: number }';
create unique index files_sha256 on files (sha256, project_id) where doomed_at is null;
create index files_unused on files (unused_since) where uses = 0 and doomed_at is null;
create index files_doomed on files (doomed_at) where doomed_at is not null;

-- Counted when bytes are stored and swept, so that what a plan allows is never summed.
create table file_usage (
  project_id uuid primary key references projects (id),
  bytes bigint not null check (bytes >= 0)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01);
comment on table file_usage is 'The sum of files.bytes of a project without doomed ones. The row is the lock of whoever adds files.';

create table uploads (
  project_id uuid not null references projects (id),
  id uuid not null,
  sha256 bytea not null check (octet_length(sha256) = 32),
  bytes bigint not null check (bytes >= 0),
  purpose text not null check (purpose in ('site', 'media')),
  name text not null,
  content_type text not null,
  token_hash bytea not null unique,
  test boolean not null,
  expires_at timestamptz not null,
  received_at timestamptz,
  created_at timestamptz not null,
  primary key (project_id, id)
);
comment on table uploads is 'Upload links. A link is known by the SHA-256 of its token, and takes its bytes once.';
comment on column uploads.purpose is '@type "site" | "media"';
create index uploads_expires_at on uploads (expires_at);
create index uploads_sha256 on uploads (project_id, sha256);

create table sites (
  project_id uuid not null references projects (id),
  id uuid not null,
  slug text not null unique,
  label text not null unique,
  title text not null,
  status text not null check (status in ('live', 'offline', 'blocked')),
  status_reason text,
  visibility text not null check (visibility in ('public', 'unlisted', 'password')),
  password_hash text,
  password_version integer not null default 0,
  spa boolean not null,
  live_version integer not null,
  last_version integer not null,
  collections jsonb not null default '[]',
  test boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deployed_at timestamptz not null,
  primary key (project_id, id),
  check (visibility <> 'password' or password_hash is not null)
);
comment on table sites is 'Sites. label is the first part of the address; of an unlisted site it is the slug and a secret. The row is the lock of its versions.';
comment on column sites.status is '@type "live" | "offline" | "blocked"';
comment on column sites.visibility is '@type "public" | "unlisted" | "password"';
comment on column sites.collections is '@json string[]';

-- Never changed once written: a deploy adds one and moves live_version in the same transaction.
create table site_versions (
  project_id uuid not null,
  site_id uuid not null,
  number integer not null check (number >= 1),
  preview_label text not null unique,
  files jsonb not null,
  rules jsonb not null,
  files_count integer not null,
  bytes bigint not null,
  collections jsonb not null,
  warnings jsonb not null,
  test boolean not null,
  created_at timestamptz not null,
  primary key (project_id, site_id, number),
  foreign key (project_id, site_id) references sites (project_id, id) on delete cascade
);
comment on table site_versions is 'Immutable versions of sites: a manifest of paths, and the rules of _redirects and _headers as they were read.';
comment on column site_versions.files is '@json { path: string; file_id: string; sha256: string; bytes: number; content_type: string; encodings: { br?: number; gzip?: number; zstd?: number }; media_id: string | null }[]';
comment on column site_versions.rules is '@json { redirects: { from: string; to: string; status: number; force: boolean }[]; headers: { path: string; set: [name: string, value: string][]; unset: string[] }[] }';
comment on column site_versions.collections is '@json string[]';
comment on column site_versions.warnings is '@json string[]';

create table site_deploys (
  project_id uuid not null references projects (id),
  id uuid not null,
  created_at timestamptz not null,
  primary key (project_id, id)
);
comment on table site_deploys is 'One row for each deploy that was tried, by which deploys of an hour are counted; older ones are swept.';
create index site_deploys_created_at on site_deploys (created_at);

-- What the check before publication stopped, and what the owner says about it.
create table site_reviews (
  project_id uuid not null references projects (id),
  id uuid not null,
  site_id uuid,
  slug text not null,
  findings jsonb not null,
  token_hash bytea not null unique,
  appeal text,
  appeal_email text,
  appealed_at timestamptz,
  decision text check (decision in ('allowed', 'upheld')),
  decision_note text,
  decided_at timestamptz,
  created_at timestamptz not null,
  primary key (project_id, id)
);
comment on table site_reviews is 'Deploys that the check refused, or sites that were taken offline. Findings that were allowed are not held against the same slug of the project again.';
comment on column site_reviews.findings is '@json { rule: string; path: string; line: number | null; what: string; digest: string }[]';
comment on column site_reviews.decision is '@type "allowed" | "upheld"';
create index site_reviews_open on site_reviews (appealed_at) where appealed_at is not null and decided_at is null;

create table media (
  project_id uuid not null references projects (id),
  id uuid not null,
  file_id uuid not null,
  filename text not null,
  kind text not null check (kind in ('image', 'video', 'audio', 'document', 'other')),
  content_type text not null,
  bytes bigint not null,
  sha256 bytea not null check (octet_length(sha256) = 32),
  sent_sha256 bytea not null check (octet_length(sent_sha256) = 32),
  width integer,
  height integer,
  duration_sec double precision,
  alt text,
  title text,
  tags text[] not null default '{}',
  folder text not null default '',
  status text not null check (status in ('uploading', 'processing', 'ready', 'failed', 'blocked')),
  status_reason text,
  placeholder text,
  source text not null check (source in ('upload', 'import', 'form', 'portal')),
  test boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, id)
);
comment on table media is 'The media library. Private until a site names it. sha256 is of the bytes as they are kept, sent_sha256 as they came: a picture is kept without what its camera wrote into it.';
-- The digest first: an index that begins like the key would be taken for it by foreign key checks.
create index media_sent_sha256 on media (sent_sha256, project_id);
comment on column media.kind is '@type "image" | "video" | "audio" | "document" | "other"';
comment on column media.status is '@type "uploading" | "processing" | "ready" | "failed" | "blocked"';
comment on column media.source is '@type "upload" | "import" | "form" | "portal"';

create table media_variants (
  project_id uuid not null,
  media_id uuid not null,
  width integer not null,
  format text not null check (format in ('webp', 'avif', 'jpeg', 'png')),
  bytes bigint not null,
  created_at timestamptz not null,
  primary key (project_id, media_id, width, format),
  foreign key (project_id, media_id) references media (project_id, id) on delete cascade
);
comment on table media_variants is 'Smaller pictures that were asked for once and are kept beside the original.';
comment on column media_variants.format is '@type "webp" | "avif" | "jpeg" | "png"';

create table media_uses (
  project_id uuid not null,
  media_id uuid not null,
  site_id uuid not null,
  path text not null,
  primary key (project_id, media_id, site_id, path),
  foreign key (project_id, media_id) references media (project_id, id)
);
comment on table media_uses is 'Where the live versions of sites show media.';
create index media_uses_site on media_uses (site_id, project_id);
