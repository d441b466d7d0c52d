/** Schemas of projects in the API (specification: Project). */
import { Type, type Static } from 'typebox'
import { nameSchema } from '../../contract/schema/named.ts'
import { withDescription, Timestamp, Uuid } from '../../contract/schema/shapes.ts'
import { allowedShape } from '../../contract/limited-to.ts'

const railMode = (what: string) =>
  Type.Enum(['live', 'test'], { description: `${what}; test: simulated.` })

export const VerificationLevel = Type.Object({
  level: Type.Enum(['test', 'company', 'number_documents', 'full'], {
    description: 'Verification level; each requires more than the one before.',
    examples: ['company'],
  }),
  status: Type.Enum(['approved', 'not_started', 'pending', 'rejected'], {
    description:
      'Status of the verification of this level. pending: in review. rejected: see reason.',
    examples: ['not_started'],
  }),
  reason: Type.Union([Type.String(), Type.Null()], {
    examples: [null],
    description: 'Why the level was refused; null if it was not.',
  }),
  missing: Type.Array(Type.String(), {
    examples: [['phone_verification']],
    description: 'Missing requirements of this level.',
  }),
  unlocks: Type.Array(Type.String(), {
    examples: [['live_keys', 'national_numbers', 'inbound_calls']],
    description: 'Features this level unlocks.',
  }),
})
export type VerificationLevel = Static<typeof VerificationLevel>

const AccessShape = Type.Object(
  {
    ...allowedShape,
    limited_by: Type.Enum(['api_key', 'connection', 'member'], {
      description:
        'What limits the access: the key, the OAuth connection or the member who made it.',
    }),
  },
  { description: 'The sites, apps and collections the key is limited to.' },
)

const common = {
  id: withDescription(Uuid, 'Id of the project.'),
  name: Type.String({ description: 'Name of the project.', examples: ['Bakery De Molen'] }),
  edition: Type.String({ description: 'Edition of the service.', examples: ['api'] }),
  created_at: withDescription(Timestamp, 'When the project was created.'),
  mode: Type.Enum(['live', 'test'], {
    description: 'Mode of the key of this request.',
    examples: ['test'],
  }),
}

export const WholeProject = nameSchema(
  'WholeProject',
  Type.Object(
    {
      ...common,
      spending_limit_eur: Type.Union([Type.Number(), Type.Null()], {
        description: 'Monthly spending cap; null if none is set.',
        examples: [100],
      }),
      numbers_count: Type.Integer({
        minimum: 0,
        description: 'Number of phone numbers the project has now.',
      }),
      rails: Type.Object(
        {
          phone: railMode('Phone numbers and incoming calls'),
          outbound: railMode('Outgoing calls'),
          sms: railMode('SMS'),
          email: railMode('Email'),
          payments: railMode('Payments of customers'),
          domains: railMode('Domain registrations'),
        },
        {
          description:
            'Mode of each rail. Rails go live separately, on the go-live page of the portal.',
        },
      ),
      verification: Type.Object(
        {
          account_type: Type.Enum(['business', 'personal'], {
            description: 'Whether the project belongs to a business or a person.',
          }),
          levels: Type.Array(VerificationLevel, {
            description: 'Verification levels, lowest first.',
          }),
        },
        { description: 'Identity verification of the customer.' },
      ),
      access: Type.Null({ description: 'null: the key may use the whole project.' }),
    },
    { title: 'The whole project' },
  ),
)
export type WholeProject = Static<typeof WholeProject>

export const LimitedProject = nameSchema(
  'LimitedProject',
  Type.Object(
    { ...common, access: AccessShape },
    {
      title: 'A limited key',
      description: 'The fields that a key limited to some sites and apps receives.',
    },
  ),
)
export type LimitedProject = Static<typeof LimitedProject>

export const Project = nameSchema('Project', Type.Union([WholeProject, LimitedProject]))
