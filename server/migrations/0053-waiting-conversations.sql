-- Since when the visitor of a conversation waits for a person, for the inbox and its count.

alter table conversations
  add column waiting_since timestamptz,
  add constraint conversations_waiting check (waiting_since is null or status = 'handed_off');
comment on column conversations.waiting_since is 'Since when the visitor waits for a reply of a person; null if nobody waits.';
update conversations set waiting_since = last_message_at where status = 'handed_off';
create index conversations_waiting on conversations (project_id, id) where waiting_since is not null;
