-- Agents: work that a project lets run by itself, its versions, runs and steps.

create table agents (
  project_id uuid not null references projects (id),
  id uuid not null,
  name text not null,
  version integer not null check (version > 0),
  definition json not null,
  scopes text not null,
  event_type text,
  next_run_at timestamptz,
  status text not null check (status in ('active', 'paused', 'disabled')),
  paused_reason text,
  failures integer not null default 0 check (failures >= 0),
  mode text not null check (mode in ('live', 'test')),
  created_by text not null,
  created_at timestamptz not null,
  primary key (project_id, id)
);
comment on table agents is 'Agents of a project, with their current version.';
comment on column agents.scopes is 'Scopes of its operations, separated by spaces; the caller who saved this version had them.';
comment on column agents.event_type is 'The event that starts it; null for another trigger.';
comment on column agents.next_run_at is 'When its schedule starts it next; null without a schedule, and unless it is active.';
comment on column agents.status is '@type "active" | "paused" | "disabled"';
comment on column agents.paused_reason is '@type "failures" | null';
comment on column agents.failures is 'Failed runs in a row.';
comment on column agents.mode is '@type "live" | "test"';
comment on column agents.created_by is 'Name of the key, connection or person at the time.';
create index agents_by_event on agents (project_id, event_type) where status = 'active' and event_type is not null;
create index agents_due on agents (next_run_at) where next_run_at is not null;

create table agent_versions (
  project_id uuid not null,
  agent_id uuid not null,
  version integer not null,
  definition json not null,
  saved_by text not null,
  saved_at timestamptz not null,
  primary key (project_id, agent_id, version),
  foreign key (project_id, agent_id) references agents (project_id, id) on delete cascade
);
comment on table agent_versions is 'Every version of an agent. A run keeps the version with which it started.';

create table agent_runs (
  project_id uuid not null,
  id uuid not null,
  agent_id uuid not null,
  version integer,
  status text not null check (status in ('queued', 'running', 'waiting_approval', 'completed', 'failed',
    'canceled', 'timed_out', 'limit_reached', 'skipped')),
  trigger_type text not null check (trigger_type in ('manual', 'schedule', 'event')),
  event_id text,
  dry_run boolean not null default false,
  origins uuid[] not null,
  context json,
  reason text,
  cost_micro bigint not null default 0 check (cost_micro >= 0),
  problem json,
  created_at timestamptz not null,
  started_at timestamptz,
  resumed_at timestamptz,
  ended_at timestamptz,
  primary key (project_id, id),
  foreign key (project_id, agent_id) references agents (project_id, id) on delete cascade,
  check ((status in ('queued', 'running', 'waiting_approval')) = (ended_at is null))
);
comment on table agent_runs is 'Runs of agents. An event inserts a queued run in the statement that writes the event.';
comment on column agent_runs.version is 'The version of the agent with which it started; null before that.';
comment on column agent_runs.status is '@type "queued" | "running" | "waiting_approval" | "completed" | "failed" | "canceled" | "timed_out" | "limit_reached" | "skipped"';
comment on column agent_runs.trigger_type is '@type "manual" | "schedule" | "event"';
comment on column agent_runs.dry_run is 'Whether its steps are only tried.';
comment on column agent_runs.origins is 'The agents whose actions led to this run, this agent excluded; their number is the depth.';
comment on column agent_runs.reason is 'Why it was skipped, canceled or ended early.';
comment on column agent_runs.cost_micro is 'Cost of its steps in micro-euro.';
comment on column agent_runs.resumed_at is 'When it last began to work; waiting for a person does not count against its time.';
create index agent_runs_of_agent on agent_runs (agent_id, id);
create index agent_runs_open on agent_runs (status, project_id, id) where ended_at is null;
create index agent_runs_ended on agent_runs (ended_at) where ended_at is not null;

create table agent_steps (
  project_id uuid not null,
  run_id uuid not null,
  seq integer not null,
  action text not null,
  status text not null check (status in ('waiting_approval', 'done', 'failed', 'rejected', 'skipped',
    'would_run', 'would_wait')),
  input json,
  output json,
  problem json,
  approval_id uuid,
  cost_micro bigint not null default 0 check (cost_micro >= 0),
  started_at timestamptz not null,
  ended_at timestamptz,
  primary key (project_id, run_id, seq),
  foreign key (project_id, run_id) references agent_runs (project_id, id) on delete cascade,
  check ((status = 'waiting_approval') = (ended_at is null))
);
comment on table agent_steps is 'Steps of runs. The result of a step is stored before the next one begins.';
comment on column agent_steps.seq is 'Position of the step, from 1.';
comment on column agent_steps.status is '@type "waiting_approval" | "done" | "failed" | "rejected" | "skipped" | "would_run" | "would_wait"';
comment on column agent_steps.approval_id is 'The approval that it waits for or had; no foreign key, because approvals are deleted earlier.';

-- Agents change records, as background work.
alter table activity drop constraint activity_actor_kind_check,
  add constraint activity_actor_kind_check
    check (actor_kind in ('api_key', 'connection', 'person', 'agent', 'operator', 'system'));
comment on column activity.actor_kind is '@type "api_key" | "connection" | "person" | "agent" | "operator" | "system"';
comment on column activity.actor_id is 'Id of the key, connection, person or agent; null for the system and the command line. No foreign key: the row may outlive them.';
alter table document_versions drop constraint document_versions_actor_kind_check,
  drop constraint document_versions_door_check,
  add constraint document_versions_actor_kind_check
    check (actor_kind in ('person', 'api_key', 'connection', 'agent')),
  add constraint document_versions_door_check check (door in ('rest', 'mcp', 'portal', 'job'));
comment on column document_versions.actor_kind is '@type "person" | "api_key" | "connection" | "agent"';
comment on column document_versions.door is '@type "rest" | "mcp" | "portal" | "job"';
