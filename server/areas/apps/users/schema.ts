/** Schemas of sign-in to apps, and of their users. */
import { Type, type Static } from 'typebox'
import { nameSchema } from '../../../contract/schema/named.ts'
import { markAsOutsiders } from '../../../contract/schema/outsiders.ts'
import { PageReply } from '../../../contract/schema/pages.ts'
import {
  ONE_LINE,
  orNull,
  Timestamp,
  Uuid,
  withDescription,
} from '../../../contract/schema/shapes.ts'

const closed = { additionalProperties: false }

const AuthMethods = Type.Array(Type.Enum(['code', 'password', 'passkey']), {
  uniqueItems: true,
  description:
    'Ways to sign in. A code by email always works: it creates the account and replaces a forgotten ' +
    'password.',
  examples: [['code', 'password', 'passkey']],
})
const NAME = 'Name on the sign-in page and in its emails; null: the title of the site.'
const AuthName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: ONE_LINE,
  examples: ['Bakery De Molen'],
})
const COLOR = 'Colour of the buttons of the sign-in page; null: blue.'
const AuthColor = Type.String({
  pattern: '^#[0-9A-Fa-f]{6}$',
  examples: ['#9a3412'],
})

export const AuthInput = Type.Object(
  {
    methods: Type.Optional(AuthMethods),
    name: Type.Optional(orNull(AuthName, NAME)),
    color: Type.Optional(orNull(AuthColor, COLOR)),
  },
  closed,
)

export const Auth = Type.Union(
  [
    Type.Literal(false),
    Type.Object({
      methods: AuthMethods,
      name: orNull(AuthName, NAME),
      color: orNull(AuthColor, COLOR),
    }),
  ],
  { description: 'How visitors sign in; false: not at all.', examples: [false] },
)

const AppUser = nameSchema(
  'AppUser',
  Type.Object({
    id: Uuid,
    email: markAsOutsiders(
      Type.String({
        description: 'Email address in lower case.',
        examples: ['anna@example.com'],
      }),
    ),
    has_password: Type.Boolean({ description: 'Whether the person has set a password.' }),
    passkeys: Type.Integer({ description: 'Passkeys that the person has added.', examples: [1] }),
    blocked: Type.Boolean({ description: 'Whether the person can no longer sign in.' }),
    created_at: withDescription(Timestamp, 'When the person first signed in.'),
    last_seen_at: withDescription(Timestamp, 'When the person last signed in.'),
  }),
)
export type AppUser = Static<typeof AppUser>

export const UserList = PageReply(AppUser)
export type UserList = Static<typeof UserList>

export const UserParams = Type.Object({
  id: withDescription(Uuid, 'Id of the app.'),
  user_id: withDescription(Uuid, 'Id of the user.'),
})

export const UserChange = Type.Object(
  { blocked: Type.Boolean({ description: 'Blocking also ends all sessions.', examples: [true] }) },
  closed,
)
export type UserChange = Static<typeof UserChange>
