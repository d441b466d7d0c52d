-- What an operator did exactly: from where, with which input, and what it changed.

alter table activity
  add column address text,
  add column input jsonb,
  add column before jsonb,
  add column after jsonb;
comment on column activity.address is 'Of an act of an operator: the IP address of the console, or user and machine of the command line.';
-- input: parameters, body or options of an act of an operator, without secrets. before, after: the columns
-- that it changed, as table.column, without secrets.
comment on column activity.input is '@type Record<string, unknown>';
comment on column activity.before is '@type Record<string, unknown>';
comment on column activity.after is '@type Record<string, unknown>';
