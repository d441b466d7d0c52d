/** The limits of one agent, in the API, and their defaults. */
import { Type, type Static } from 'typebox'
import { limits } from '../../contract/limits.ts'
import { orNull } from '../../contract/schema/shapes.ts'

const cost = (about: string) =>
  orNull(Type.Number({ minimum: 0, maximum: 100_000, examples: [5] }), about)

const fields = {
  max_runs_per_day: Type.Integer({
    minimum: 1,
    maximum: limits.agent_runs_per_day_max,
    description: 'Runs in 24 hours. Further ones end as limit_reached.',
    examples: [100],
  }),
  max_steps_per_run: Type.Integer({
    minimum: 1,
    maximum: limits.agent_model_requests_max,
    description: 'Requests of a run to the language model.',
    examples: [10],
  }),
  max_actions_per_run: Type.Integer({
    minimum: 1,
    maximum: limits.agent_steps_max,
    description: 'Steps of a run that are not skipped.',
    examples: [10],
  }),
  max_emails_per_day: Type.Integer({
    minimum: 0,
    maximum: limits.agent_emails_per_day_max,
    description: 'Steps in 24 hours that send email, to the owner or to others.',
    examples: [50],
  }),
  max_cost_eur_per_run: cost(
    'Once a run has cost this much, it ends before its next step that costs money; null for no ' +
      'limit.',
  ),
  max_cost_eur_per_month: cost('The same for all runs of a calendar month (UTC) together.'),
  timeout_seconds: Type.Integer({
    minimum: 1,
    maximum: limits.agent_run_timeout_s,
    description:
      'Time that a run may work without a pause; it begins again after a step that waited for a ' +
      'person.',
    examples: [300],
  }),
}

export const AgentLimits = Type.Object(fields, {
  additionalProperties: false,
  description: 'Limits of its runs. A run that reaches one ends as limit_reached or timed_out.',
})
export type AgentLimits = Static<typeof AgentLimits>

export const AgentLimitsInput = Type.Partial(AgentLimits, {
  additionalProperties: false,
  description:
    'Limits of its runs; an absent one keeps its value, or gets the default in a new agent.',
})

export const defaultLimits: AgentLimits = {
  max_runs_per_day: 100,
  max_steps_per_run: 10,
  max_actions_per_run: limits.agent_steps_max,
  max_emails_per_day: 50,
  max_cost_eur_per_run: null,
  max_cost_eur_per_month: null,
  timeout_seconds: limits.agent_run_timeout_s,
}
