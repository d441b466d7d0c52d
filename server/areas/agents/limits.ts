/** Limits of agents. */
import { HOUR_S, type LimitEntry } from '../../contract/catalogue/entries/limit-entry.ts'

export const limits = {
  agents_max: {
    value: 20,
    unit: 'agents',
    about: 'Agents per project',
    applies_to: 'POST /agents',
  },
  agent_steps_max: {
    value: 20,
    unit: 'steps',
    about: 'Steps of an agent',
    applies_to: 'POST /agents, PATCH /agents/{id}',
  },
  agent_definition_bytes_max: {
    value: 65_536,
    unit: 'bytes',
    about: 'Size of an agent as JSON: its name, instructions, trigger, steps and limits',
    applies_to: 'POST /agents, PATCH /agents/{id}',
  },
  agent_runs_per_day_max: {
    value: 1000,
    unit: 'runs',
    about: 'Runs of one agent in 24 hours, if it has no lower limit of its own',
    applies_to: 'runs of agents',
  },
  agent_emails_per_day_max: {
    value: 1000,
    unit: 'steps',
    about: 'Steps of one agent in 24 hours that send email, if it has no lower limit of its own',
    applies_to: 'runs of agents',
  },
  agent_queued_runs_max: {
    value: 1000,
    unit: 'runs',
    about: 'Runs of one agent that wait to start; beyond it, events and requests start no run',
    applies_to: 'runs of agents',
  },
  agent_dry_runs_per_day_max: {
    value: 200,
    unit: 'runs',
    about: 'Dry runs of one agent in 24 hours',
    applies_to: 'POST /agents/{id}/run',
  },
  agent_failures_in_a_row_max: {
    value: 5,
    unit: 'runs',
    about: 'Failed runs in a row after which an agent is paused',
    applies_to: 'runs of agents',
  },
  agent_depth_max: {
    value: 3,
    unit: 'agents',
    about: 'Agents that may start each other in a row by their events',
    applies_to: 'runs of agents',
  },
  agent_run_timeout_s: {
    value: 300,
    unit: 'seconds',
    about:
      'Time that a run may work without a pause; it begins again after a step that waited for a person',
    applies_to: 'runs of agents',
  },
  agent_output_bytes_max: {
    value: 65_536,
    unit: 'bytes',
    about: 'Size of the stored arguments or reply of a step; larger ones are not stored',
    applies_to: 'runs of agents',
  },
  agent_auto_approvals_per_day_max: {
    value: 200,
    unit: 'steps',
    about: 'Steps of one action in 24 hours that a person can approve in advance',
    applies_to: 'runs of agents',
  },
  agent_model_requests_max: {
    value: 20,
    unit: 'requests',
    about: 'Requests of one run to a language model, if the agent has no lower limit of its own',
    applies_to: 'runs of agents',
  },
  agent_url_bytes_max: {
    value: 65_536,
    unit: 'bytes',
    about: 'Size of a signed request that starts an agent',
    applies_to: 'POST /hooks/agents/{project_id}/{id}',
  },
  agent_inserted_characters_max: {
    value: 262_144,
    unit: 'characters',
    about: 'Characters that all templates of a step insert together',
    applies_to: 'runs of agents',
  },
  agent_runs_kept_s: {
    value: 90 * 24 * HOUR_S,
    unit: 'seconds',
    about: 'How long ended runs of agents are kept',
    applies_to: 'GET /agents/{id}/runs',
  },
} as const satisfies Record<string, LimitEntry>
