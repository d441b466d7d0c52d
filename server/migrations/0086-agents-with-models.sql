-- Agents whose language model chooses among actions, actions that a person approved in advance, and
-- agents that a signed request starts.

alter table agents
  add column auto_approvals json not null default '[]',
  add column url_version integer not null default 1 check (url_version > 0);
comment on column agents.auto_approvals is 'Actions that a person approved in advance, as [{action, max_per_day}]; a new version has none.';
comment on column agents.url_version is 'The secret of its URL is derived from this number.';

alter table agent_runs drop constraint agent_runs_trigger_type_check,
  add constraint agent_runs_trigger_type_check
    check (trigger_type in ('manual', 'schedule', 'event', 'webhook')),
  add column request_hash text,
  add column output_summary text;
comment on column agent_runs.trigger_type is '@type "manual" | "schedule" | "event" | "webhook"';
comment on column agent_runs.request_hash is 'Hash of the signature of the request that started it, so that a repeated one starts nothing.';
comment on column agent_runs.output_summary is 'The last words of the language model; null without one.';
create unique index agent_runs_by_request on agent_runs (project_id, agent_id, request_hash)
  where request_hash is not null;

alter table agent_steps
  add column type text not null default 'rule' check (type in ('rule', 'model', 'action')),
  add column usage jsonb;
comment on column agent_steps.type is '@type "rule" | "model" | "action"';
comment on column agent_steps.usage is '@json { input_tokens: number; output_tokens: number; estimated: boolean } | null';

-- Earlier agents have steps only.
update agents set definition = (jsonb_set(definition::jsonb, '{limits,max_steps_per_run}', '10')
  || '{"actions": [], "model": null}')::json;
update agent_versions set definition = (jsonb_set(definition::jsonb, '{limits,max_steps_per_run}', '10')
  || '{"actions": [], "model": null}')::json;

-- Changes that an agent proposes although nothing else demands a person.
alter table approvals drop constraint approvals_effect_check,
  add constraint approvals_effect_check check (effect in ('deletes', 'outside', 'money', 'writes'));
comment on column approvals.effect is '@type "deletes" | "outside" | "money" | "writes"';
