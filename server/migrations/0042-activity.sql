-- Activity: who changed what in a project, and through which entry point.

create table activity (
  project_id uuid not null,
  id uuid not null,
  created_at timestamptz not null,
  entry_point text not null
    check (entry_point in ('rest', 'mcp', 'portal', 'command_line', 'job', 'operator')),
  mode text check (mode in ('live', 'test')),
  actor_kind text not null
    check (actor_kind in ('api_key', 'connection', 'person', 'operator', 'system')),
  actor_id uuid,
  operation text not null,
  resource_type text not null,
  resource_id text,
  resource_name text,
  changes integer not null check (changes > 0),
  error text,
  note text,
  request_id text,
  primary key (project_id, id)
);
comment on table activity is 'Changes of a project, without their contents. A row is written in the transaction of the change, as its last statement; changes of documents are counted per minute.';
comment on column activity.project_id is 'The project; zeros for an act of an operator that concerns the installation. No foreign key: its row lock could deadlock at the end of a transaction.';
comment on column activity.entry_point is '@type "rest" | "mcp" | "portal" | "command_line" | "job" | "operator"';
comment on column activity.mode is '@type "live" | "test"';
comment on column activity.actor_kind is '@type "api_key" | "connection" | "person" | "operator" | "system"';
comment on column activity.actor_id is 'Id of the key, connection or person; null for the system and the command line. No foreign key: the row may outlive them.';
comment on column activity.resource_type is 'The noun of the operation, such as sites.';
comment on column activity.resource_id is 'Id or name in the path of the operation, or id of the created record; null for settings of the project.';
comment on column activity.resource_name is 'Its name at the time of the change.';
comment on column activity.changes is 'Number of changes; over 1 only for documents.';
comment on column activity.error is 'Slug of the error of an operation that changed something and then failed; else null.';
comment on column activity.request_id is 'null for jobs and commands.';
comment on column activity.note is 'Reason that an operator gave.';
create index activity_of_resource on activity (project_id, resource_id, id);
create index activity_of_operators on activity (id)
  where entry_point in ('operator', 'command_line');
