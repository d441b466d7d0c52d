-- Earlier versions of documents. A row is written when a document changes or is deleted, so creating
-- documents costs nothing more.

create table document_versions (
  project_id uuid not null,
  collection_id uuid not null,
  document_id uuid not null,
  id uuid not null,
  version integer not null,
  data jsonb not null,
  bytes integer not null,
  written_at timestamptz not null,
  ended_at timestamptz not null,
  ended_by text not null check (ended_by in ('changed', 'deleted')),
  actor_kind text check (actor_kind in ('person', 'api_key', 'connection')),
  actor_id uuid,
  door text not null check (door in ('rest', 'mcp', 'portal')),
  primary key (project_id, collection_id, document_id, id)
);
comment on table document_versions is 'Versions of documents before their last changes. actor and door are of the change that ended the version, which wrote the next one.';
comment on column document_versions.ended_by is '@type "changed" | "deleted"';
comment on column document_versions.actor_kind is '@type "person" | "api_key" | "connection"';
comment on column document_versions.door is '@type "rest" | "mcp" | "portal"';
create index document_versions_ended on document_versions (project_id, ended_at);

alter table data_usage add column versions_bytes bigint not null default 0;
comment on column data_usage.versions_bytes is 'Bytes of the earlier versions of documents of the project.';
