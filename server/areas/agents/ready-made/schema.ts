/** Schemas of ready-made agents in the API. */
import { Type, type Static } from 'typebox'
import { nameSchema } from '../../../contract/schema/named.ts'
import { orNull, withExample } from '../../../contract/schema/shapes.ts'
import { mailLanguages } from '../../../providers/mail/mail-contract.ts'
import { Trigger } from '../schema.ts'
import { settingKinds } from './settings.ts'
import { templateNames } from './template.ts'

const closed = { additionalProperties: false }

const Language = Type.Enum([...mailLanguages], {
  description: 'Language of the texts that the agent writes; default en.',
  examples: ['en'],
})

const SettingValue = Type.Union([Type.String({ maxLength: 200 }), Type.Number()])

const AgentTemplate = nameSchema(
  'AgentTemplate',
  Type.Object({
    template: Type.Enum([...templateNames], {
      description: 'Its name in the request that installs it.',
      examples: ['form_summary'],
    }),
    name: Type.String({
      description: 'Name of the agent.',
      examples: ['Daily summary of a form'],
    }),
    instructions: Type.String({
      description: 'What the agent does.',
      examples: ['Mail me every morning at 8 what was sent with the form since yesterday.'],
    }),
    trigger: Trigger,
    actions: Type.Array(Type.String(), {
      description: 'The operations that its steps use.',
      examples: [['documents.list', 'notify.owner']],
    }),
    settings: Type.Array(
      Type.Object({
        name: Type.String({
          description: 'Its name in the body of the request.',
          examples: ['collection'],
        }),
        title: Type.String({ description: 'What to fill in.', examples: ['Collection'] }),
        kind: Type.Enum([...settingKinds], {
          description: 'collection: a name. site: an id. field: a field of documents.',
          examples: ['collection'],
        }),
        value: withExample(orNull(SettingValue, 'Its default; null if it is required.'), null),
      }),
      { description: 'The settings to fill in.' },
    ),
  }),
)

export const TemplateList = Type.Object({
  data: Type.Array(AgentTemplate, { description: 'All ready-made agents.' }),
})
export type TemplateList = Static<typeof TemplateList>

export const TemplateQuery = Type.Object({ language: Type.Optional(Language) }, closed)
export type TemplateQuery = Static<typeof TemplateQuery>

export const InstallInput = Type.Object(
  {
    template: Type.Enum([...templateNames], {
      description: 'The ready-made agent.',
      examples: ['form_summary'],
    }),
    language: Type.Optional(Language),
    timezone: Type.Optional(
      Type.String({
        maxLength: 100,
        description: 'Time zone of its schedule; default UTC.',
        examples: ['Europe/Amsterdam'],
      }),
    ),
    settings: Type.Optional(
      Type.Record(Type.String(), SettingValue, {
        description: 'Its settings by name.',
        examples: [{ collection: 'contact' }],
      }),
    ),
  },
  closed,
)
export type InstallInput = Static<typeof InstallInput>
