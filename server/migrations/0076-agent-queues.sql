-- Counts of an agent's queued and started runs, which a long history would slow down.

create index agent_runs_queued on agent_runs (project_id, agent_id, id) where status = 'queued';
create index agent_runs_started on agent_runs (project_id, agent_id, started_at) where started_at is not null;
