/** Schemas of projects in the API (specification: Project). */
import { Type, type Static } from 'typebox'
import { named } from '../../contract/named.ts'
import { about, Timestamp, Uuid } from '../../contract/shapes.ts'
import { allowedShape } from '../../contract/limited-to.ts'

const railMode = (what: string) =>
  Type.Enum(['live', 'test'], { description: `${what}; test: simulated.` })

export const VerificationLevel = Type.Object({
  level: Type.Enum(['test', 'company', 'number_documents', 'full'], {
    description: 'The level, each asking for more than the one before.',
    examples: ['company'],
  }),
  status: Type.Enum(['approved', 'not_started'], {
    description: 'Where the check of this level stands.',
    examples: ['not_started'],
  }),
  reason: Type.Union([Type.String(), Type.Null()], {
    examples: [null],
    description: 'Why a level was refused, if it was.',
  }),
  missing: Type.Array(Type.String(), {
    examples: [['phone_verification']],
    description: 'What is still needed for this level.',
  }),
  unlocks: Type.Array(Type.String(), {
    examples: [['live_keys', 'national_numbers', 'inbound_calls']],
    description: 'What the level makes possible.',
  }),
})
export type VerificationLevel = Static<typeof VerificationLevel>

const AccessShape = Type.Object(
  {
    ...allowedShape,
    limited_by: Type.Enum(['api_key', 'connection', 'member'], {
      description: 'What sets the limit: the key, the OAuth connection or the member behind it.',
    }),
  },
  { description: 'The sites, apps and collections the key is limited to.' },
)

const common = {
  id: about(Uuid, 'Id of the project.'),
  name: Type.String({ description: 'Name of the project.', examples: ['Bakery De Molen'] }),
  edition: Type.String({ description: 'How the project is offered.', examples: ['api'] }),
  created_at: about(Timestamp, 'When the project was created.'),
  mode: Type.Enum(['live', 'test'], {
    description: 'The mode of the key that asks.',
    examples: ['test'],
  }),
}

export const WholeProject = named(
  'WholeProject',
  Type.Object(
    {
      ...common,
      spending_limit_eur: Type.Union([Type.Number(), Type.Null()], {
        description: 'Monthly spending cap; null while none is set.',
        examples: [100],
      }),
      numbers_count: Type.Integer({ minimum: 0, description: 'Phone numbers that it has now.' }),
      rails: Type.Object(
        {
          phone: railMode('Phone numbers and incoming calls'),
          outbound: railMode('Outgoing calls'),
          sms: railMode('SMS'),
          email: railMode('Email'),
          payments: railMode('Payments of customers'),
          domains: railMode('Domain registrations'),
        },
        { description: 'What has gone live, each by itself, on the go-live page of the portal.' },
      ),
      verification: Type.Object(
        {
          account_type: Type.Enum(['business', 'personal'], {
            description: 'Who the customer is.',
          }),
          levels: Type.Array(VerificationLevel, { description: 'The levels, lowest first.' }),
        },
        { description: 'How far the identity of the customer was checked.' },
      ),
      access: Type.Null({ description: 'null: the key may use the whole project.' }),
    },
    { title: 'The whole project' },
  ),
)
export type WholeProject = Static<typeof WholeProject>

export const LimitedProject = named(
  'LimitedProject',
  Type.Object(
    { ...common, access: AccessShape },
    {
      title: 'A limited key',
      description: 'What a key limited to some sites and apps receives: these fields and no more.',
    },
  ),
)
export type LimitedProject = Static<typeof LimitedProject>

export const Project = named('Project', Type.Union([WholeProject, LimitedProject]))
