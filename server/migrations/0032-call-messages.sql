-- Messages that callers leave with the assistant, and the mails that carry them to the owner.

create table call_messages (
  project_id uuid not null,
  id uuid not null,
  call_id uuid not null,
  text text not null,
  left_at timestamptz not null,
  mail_id uuid,
  mailed_at timestamptz,
  primary key (project_id, id),
  foreign key (project_id, call_id) references calls (project_id, id) on delete cascade,
  constraint call_messages_mailed check ((mail_id is null) = (mailed_at is null))
);
comment on table call_messages is 'Messages that callers left with the assistant.';
comment on column call_messages.mail_id is 'The mail to the owner that has it; several messages may share one.';
create index call_messages_mailed on call_messages (project_id, mailed_at);
create index call_messages_call on call_messages (project_id, call_id);
