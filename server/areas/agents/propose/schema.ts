/** Schemas of proposed agents in the API. */
import { Type, type Static } from 'typebox'
import { nameSchema } from '../../../contract/schema/named.ts'
import { withDescription } from '../../../contract/schema/shapes.ts'
import { mailLanguages } from '../../../providers/mail/mail-contract.ts'
import { NewAgent } from '../schema.ts'

export const ProposalInput = Type.Object(
  {
    description: Type.String({
      minLength: 3,
      maxLength: 2000,
      description: 'What the agent should do, as one would tell a colleague.',
      examples: ['Every evening, mail me the orders of today.'],
    }),
    language: Type.Optional(
      Type.Enum([...mailLanguages], {
        description: 'Language of the texts that the agent writes; default en.',
        examples: ['en'],
      }),
    ),
    timezone: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'Time zone of its schedule. Default: that of the assistant, or UTC.',
        examples: ['Europe/Amsterdam'],
      }),
    ),
  },
  { additionalProperties: false },
)
export type ProposalInput = Static<typeof ProposalInput>

export const Proposal = nameSchema(
  'AgentProposal',
  Type.Object({
    mode: Type.Enum(['steps', 'model'], {
      description: 'steps: fixed steps, without a language model. model: a language model decides.',
      examples: ['steps'],
    }),
    agent: withDescription(NewAgent, 'The agent, as a body for POST /agents.'),
  }),
)
export type Proposal = Static<typeof Proposal>
