/** The schemas of keys for people: listing, creation and changes. */
import { markShownOnce } from '../../contract/schema/shown-once.ts'
import { Type, type Static } from 'typebox'
import { limits } from '../../contract/limits.ts'
import { scopeNames } from '../../contract/scopes.ts'
import { withDescription, RequestTime, Timestamp, Uuid } from '../../contract/schema/shapes.ts'
import { selectionShape } from '../../contract/limited-to.ts'

const Name = Type.String({
  minLength: 1,
  maxLength: limits.key_name_characters_max,
  pattern: String.raw`^(?=.*\S)[^\u0000-\u001f\u007f]*$`,
  description: 'Name of the key, one line of text.',
  examples: ['Website back-end'],
})

const Mode = Type.Enum(['live', 'test'], {
  description: 'A test key makes no real calls, messages or payments; sites and data are real.',
})

const Selection = selectionShape((description) =>
  Type.Array(Uuid, { description, maxItems: limits.key_sites_max, examples: [[]] }),
)

const Access = Type.Union([Type.Null(), Selection], {
  description:
    'Sites and apps the key itself is limited to; null if it has no limit of its own. ' +
    'See in_force.',
  examples: [null],
})

const scopeList = Type.Array(Type.Enum([...scopeNames]), { minItems: 1, uniqueItems: true })

export const Key = Type.Object(
  {
    id: withDescription(Uuid, 'Id of the key.'),
    name: Name,
    start: Type.String({
      description: 'First characters of the key, to recognize it.',
      examples: ['hm_test_3fKd'],
    }),
    mode: Mode,
    scopes: Type.Array(Type.Enum([...scopeNames]), {
      description: 'Scopes of the key.',
      examples: [['project:read']],
    }),
    access: Access,
    in_force: Type.Union([Type.Null(), Selection], {
      description:
        'Effective limit: the limits of the key and of the person who created it, ' +
        'combined. null: the whole project.',
      examples: [null],
    }),
    created_by: Type.Union([Type.String(), Type.Null()], {
      description: 'Email address of the creator; null: the operator of the installation.',
      examples: ['anna@example.com'],
    }),
    created_at: withDescription(Timestamp, 'When the key was created.'),
    expires_at: Type.Union([Timestamp, Type.Null()], {
      description: 'From when on the key gets 401; null if it does not expire.',
      examples: [null],
    }),
    last_used_at: Type.Union([Timestamp, Type.Null()], {
      description: 'When the key was last used, to about a minute; null if never.',
      examples: [null],
    }),
    revoked_at: Type.Union([Timestamp, Type.Null()], {
      description: 'When the key was revoked; null if it is active.',
      examples: [null],
    }),
  },
  { title: 'Key' },
)
export type Key = Static<typeof Key>

export const NewKey = Type.Object(
  {
    ...Key.properties,
    key: markShownOnce(
      Type.String({
        description: 'The key. It is only in this reply.',
        examples: ['hm_test_3fKd9aB2cD4eF6gH8iJ0kL1mN2oP3qR4s'],
      }),
      'The key is not stored. To get one, create another in the portal, under Keys.',
    ),
  },
  { title: 'A new key' },
)

export const KeyInput = Type.Object(
  {
    name: Name,
    mode: Mode,
    scopes: Type.Union([Type.Enum(['full', 'read_only']), scopeList], {
      description: 'full: all scopes. read_only: all scopes that only read. Or a list of scopes.',
      examples: ['read_only'],
    }),
    access: Type.Optional(Access),
    expires_at: Type.Optional(
      Type.Union([Type.Null(), RequestTime], {
        description: 'From when on the key gets 401, in the future; null: it does not expire.',
        examples: [null],
      }),
    ),
  },
  { additionalProperties: false, title: 'Settings of the new key' },
)
export type KeyInput = Static<typeof KeyInput>

export const KeyChange = Type.Object(
  { name: Type.Optional(Name), access: Type.Optional(Access) },
  { additionalProperties: false, minProperties: 1, title: 'Change of a key' },
)
export type KeyChange = Static<typeof KeyChange>

export const KeyParams = Type.Object({ key_id: withDescription(Uuid, 'Id of the key.') })
