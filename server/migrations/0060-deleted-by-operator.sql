-- Projects that the operator deleted, which their owners cannot restore.

alter table projects add column deleted_by_operator boolean not null default false;
comment on column projects.deleted_by_operator is 'Whether the operator deleted it, so that only the operator can restore it.';
