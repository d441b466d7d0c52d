-- The log of requests: a bounded, short history for the people and agents of a project.

create table request_log (
  project_id uuid not null references projects (id),
  id uuid not null,
  created_at timestamptz not null,
  entry_point text not null check (entry_point in ('rest', 'mcp', 'portal')),
  mode text not null check (mode in ('live', 'test')),
  method text not null,
  path text not null,
  message text,
  tool text,
  operation text,
  status smallint not null,
  error text,
  actor_kind text not null check (actor_kind in ('api_key', 'connection', 'person')),
  actor_id uuid not null,
  request_id text not null,
  duration_ms integer not null check (duration_ms >= 0),
  source text,
  primary key (project_id, id)
);
comment on table request_log is 'Requests of the API and of MCP, without bodies. Rows are written in batches after the reply, and deleted by age and number.';
comment on column request_log.entry_point is '@type "rest" | "mcp" | "portal"';
comment on column request_log.mode is '@type "live" | "test"';
comment on column request_log.path is 'Path and names of the query parameters. Segments that may be secrets are replaced.';
comment on column request_log.message is 'Method of the MCP message; null for other entry points.';
comment on column request_log.error is 'Slug of the error; null if the request succeeded.';
comment on column request_log.actor_kind is '@type "api_key" | "connection" | "person"';
comment on column request_log.actor_id is 'Id of the key, connection or person. No foreign key: the row may outlive them.';
comment on column request_log.source is 'Address of the client; null for people.';
