/** Operations of agents for people in the portal. Keys and connections cannot call them. */
import { peopleOperation } from '../../contract/people.ts'
import { setPolicy } from './policy.ts'
import { Agent, AgentId, PolicyInput } from './schema.ts'

export const setApprovalPolicy = peopleOperation({
  name: 'agents.set_policy',
  route: 'PUT /projects/{project_id}/agents/{id}/approval-policy',
  access: 'admin',
  fresh: true,
  reach: 'selection',
  about:
    'Approves actions of an agent in advance, each with a cap for 24 hours. They no longer wait for a ' +
    'person until the cap is reached. Every change of the agent ends it.',
  keywords: 'always allow, auto approve, do not ask again, trust the agent, approve in advance',
  effect: 'outside',
  params: AgentId,
  body: PolicyInput,
  status: 200,
  reply: Agent,
  errors: ['not_found', 'key_mode_mismatch', 'validation_failed', 'conflict'],
  run: ({ params, body }, caller) => setPolicy(caller, params.id, body),
})
