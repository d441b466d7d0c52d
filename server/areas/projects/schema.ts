/** What a client sees of a project (specification: Project). */
import { Type, type Static } from 'typebox'
import { Timestamp, Uuid } from '../../contract/shapes.ts'

const ModeValue = Type.Enum(['live', 'test'])

export const VerificationLevel = Type.Object({
  level: Type.Enum(['test', 'company', 'number_documents', 'full']),
  status: Type.Enum(['approved', 'not_started'], {
    description: 'Where the check of this level stands.',
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
    sites: Type.Array(Type.String(), { description: 'Ids of the sites.' }),
    apps: Type.Array(Type.String(), { description: 'Ids of the apps.' }),
    collections: Type.Array(Type.String(), {
      description: 'Names of the collections that come along.',
    }),
    limited_by: Type.Enum(['api_key', 'connection', 'member']),
  },
  { description: 'The sites, apps and collections the key is limited to.' },
)

const common = {
  id: Uuid,
  name: Type.String({ examples: ['Bakery De Molen'] }),
  edition: Type.String({ examples: ['api'] }),
  created_at: Timestamp,
  mode: Type.Enum(['live', 'test'], { description: 'The mode of the key that asks.' }),
}

export const WholeProject = Type.Object(
  {
    ...common,
    spending_limit_eur: Type.Union([Type.Number(), Type.Null()], {
      description: 'Monthly spending cap; null while none is set.',
    }),
    numbers_count: Type.Integer({ minimum: 0 }),
    rails: Type.Object(
      {
        phone: ModeValue,
        outbound: ModeValue,
        sms: ModeValue,
        email: ModeValue,
        payments: ModeValue,
        domains: ModeValue,
      },
      { description: 'What has gone live, each by itself, on the go-live page of the portal.' },
    ),
    verification: Type.Object({
      account_type: Type.Enum(['business', 'personal']),
      levels: Type.Array(VerificationLevel),
    }),
    access: Type.Null({ description: 'null: the key may use the whole project.' }),
  },
  { title: 'The whole project' },
)
export type WholeProject = Static<typeof WholeProject>

export const LimitedProject = Type.Object(
  { ...common, access: AccessShape },
  {
    title: 'A limited key',
    description: 'What a key limited to some sites and apps receives: these fields and no more.',
  },
)
export type LimitedProject = Static<typeof LimitedProject>

export const Project = Type.Union([WholeProject, LimitedProject])
