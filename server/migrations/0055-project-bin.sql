-- Deleted projects are kept in a bin. After it, everything of a project is removed.

alter table projects add column purge_started_at timestamptz;
comment on column projects.purge_started_at is 'When the removal of a deleted project began. It cannot be restored since then.';
create index projects_deleted_at on projects (deleted_at) where deleted_at is not null;

alter table webhook_endpoints
  add column suspended boolean not null default false,
  add check (not suspended or not active);
comment on column webhook_endpoints.suspended is 'Whether the endpoint was active when its project was deleted. Restoring the project activates it again.';

alter table people add column language text not null default 'en' check (language in ('en', 'nl'));
comment on column people.language is '@type "en" | "nl"';
