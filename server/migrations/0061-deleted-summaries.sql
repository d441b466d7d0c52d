-- The summary of a conversation can be deleted, and is not made again.

alter table conversations add column wants_summary boolean not null default true;
comment on column conversations.wants_summary is 'False once the summary was deleted.';
