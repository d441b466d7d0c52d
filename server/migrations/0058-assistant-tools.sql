-- What the assistant may look up, where it writes messages, and the use of its tools.

alter table assistants
  add column tools jsonb not null default '{"lookups": [], "messages": null}';
comment on column assistants.tools is '@json { lookups: { collection_id: string; collection: string; fields: string[]; match: string[] }[]; messages: { collection_id: string; collection: string } | null }';

alter table conversation_messages
  add column tools jsonb not null default '[]';
comment on column conversation_messages.tools is '@json { name: string; subject: string | null; outcome: "done" | "nothing" | "refused" | "limit"; count: number }[]';

create table assistant_tool_days (
  project_id uuid not null references projects (id),
  tool text not null,
  test boolean not null,
  day date not null,
  uses integer not null check (uses >= 0),
  primary key (project_id, tool, test)
);
comment on table assistant_tool_days is 'Uses of a tool of the assistant on the latest day, by mode.';
comment on column assistant_tool_days.day is 'Calendar day in the billing time zone.';
