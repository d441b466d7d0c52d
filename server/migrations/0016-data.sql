-- Collections of JSON documents, shaped by the agent of a project.

create table collections (
  project_id uuid not null references projects (id),
  id uuid not null,
  name text not null,
  title text not null,
  schema json not null,
  public_write boolean not null,
  public_read boolean not null,
  readable_fields jsonb not null,
  webhook_on_insert boolean not null,
  indexes jsonb not null,
  unique_fields jsonb not null,
  assistant_facts boolean not null,
  form jsonb not null,
  document_count integer not null default 0 check (document_count >= 0),
  bytes bigint not null default 0 check (bytes >= 0),
  change_number bigint not null default 0,
  test boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, id),
  constraint collections_name unique (name, project_id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01);
comment on table collections is 'Collections. The row is the lock of its documents: whoever writes one updates it first, so the counts and change_number are true.';
comment on column collections.readable_fields is '@json string[]';
comment on column collections.indexes is '@json string[]';
comment on column collections.unique_fields is '@json string[]';
comment on column collections.form is '@json { challenge: boolean }';
comment on column collections.change_number is 'Of the newest change; numbers are in the order in which changes are kept.';

create table documents (
  project_id uuid not null,
  collection_id uuid not null,
  id uuid not null,
  data jsonb not null,
  version integer not null,
  source text not null check (source in ('api', 'form', 'app', 'import', 'agent', 'portal')),
  bytes integer not null,
  test boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (project_id, collection_id, id)
);
comment on table documents is 'Documents as JSON objects; bytes is their length as UTF-8 JSON.';
comment on column documents.source is '@type "api" | "form" | "app" | "import" | "agent" | "portal"';

-- One row for each value of a field named in `indexes` or `unique_fields`. `key` orders values of
-- every type as bytes (see sort-key.ts) and holds the beginning of long ones only, `digest` the
-- whole value and is there for unique fields. Documents, keys and changes have no foreign key: they
-- are written and deleted with what they belong to, under its lock, and looking up each of them by
-- itself would take longer than writing it.
create table document_keys (
  project_id uuid not null,
  collection_id uuid not null,
  document_id uuid not null,
  field text not null,
  key bytea not null,
  digest bytea,
  primary key (project_id, collection_id, document_id, field)
);
comment on table document_keys is 'Values by which documents are found and sorted, or that no two documents may share.';
create index document_keys_order on document_keys (collection_id, field, key, document_id);
create unique index document_keys_unique on document_keys (collection_id, field, digest) where digest is not null;

create table document_changes (
  project_id uuid not null,
  collection_id uuid not null,
  number bigint not null,
  kind text not null check (kind in ('created', 'updated', 'deleted')),
  document_id uuid not null,
  version integer,
  created_at timestamptz not null,
  primary key (project_id, collection_id, number)
);
comment on table document_changes is 'What happened to documents, numbered per collection without gaps in the order in which it was kept.';
comment on column document_changes.kind is '@type "created" | "updated" | "deleted"';
create index document_changes_created_at on document_changes (created_at);

-- Counted with every write, so that what a plan allows is never summed over documents. Whoever
-- writes takes this row after that of the collection, and last.
create table data_usage (
  project_id uuid primary key references projects (id),
  bytes bigint not null check (bytes >= 0)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01);
comment on table data_usage is 'Bytes of the documents of a project, over all of its collections.';
