-- Tells voicemails from messages that the assistant took.

alter table call_messages
  add column kind text default 'assistant' check (kind in ('assistant', 'voicemail'));
comment on table call_messages is 'Messages that callers left with the assistant, or as a voicemail.';
comment on column call_messages.kind is '@type "assistant" | "voicemail" | null';
comment on column live_calls.messages is
  '@json { text: string; kind: "assistant" | "voicemail"; mailed: boolean; at: string }[]';
