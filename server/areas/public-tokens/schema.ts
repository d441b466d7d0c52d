/** Schemas of public chat tokens in the API. */
import { Type, type Static } from 'typebox'
import { limits } from '../../contract/limits.ts'
import { PageReply } from '../../contract/schema/pages.ts'
import { markShownOnce } from '../../contract/schema/shown-once.ts'
import { Timestamp, Uuid } from '../../contract/schema/shapes.ts'

export const TOKEN_NAME_CHARACTERS_MAX = 100
const exampleOrigins = ['https://www.example.nl']

const Name = Type.String({
  minLength: 1,
  maxLength: TOKEN_NAME_CHARACTERS_MAX,
  pattern: String.raw`^(?=.*\S)[^\u0000-\u001f\u007f]*$`,
  description: 'Name shown in lists; one line of text.',
  examples: ['Order form'],
})

const Origins = Type.Array(Type.String({ maxLength: 300 }), {
  minItems: 1,
  maxItems: limits.public_token_origins_max,
  description:
    'The origins of the pages that may use the token: scheme, host and port, without a path. ' +
    'https, or http for localhost only.',
  examples: [exampleOrigins],
})

const Conversations = Type.Integer({
  minimum: 0,
  maximum: limits.chat_token_conversations_per_day_max,
  description: 'Maximum of new chat conversations per day on pages with this token.',
  examples: [limits.chat_token_conversations_per_day_default],
})

const Spending = Type.Number({
  minimum: 0,
  maximum: limits.chat_token_spending_per_day_eur_max,
  description:
    'Maximum spending in euro per day on chat replies on pages with this token; 0 ' +
    'switches the live chat widget off. Forms are free and do not count.',
  examples: [limits.chat_token_spending_per_day_eur_default],
})

export const ChatToken = Type.Object(
  {
    id: Uuid,
    name: Name,
    start: Type.String({
      description: 'First characters of the token.',
      examples: ['hm_pub_3fKd9'],
    }),
    allowed_origins: Type.Array(Type.String(), {
      description: 'The origins of the pages that may use the token.',
      examples: [exampleOrigins],
    }),
    site_id: Type.Union([Uuid, Type.Null()], {
      description:
        'Site the token was created for; its pages may use the token at every address ' +
        'of the site, previews included. null: only allowed_origins apply.',
      examples: [null],
    }),
    daily_conversation_limit: Conversations,
    daily_spend_limit_eur: Spending,
    active: Type.Boolean({ description: 'false once the token is revoked.', examples: [true] }),
    last_used_at: Type.Union([Timestamp, Type.Null()], {
      description: 'Day of the last use; null if never used.',
    }),
    created_at: Timestamp,
    revoked_at: Type.Union([Timestamp, Type.Null()], {
      description: 'When the token was revoked; null if it is active.',
      examples: [null],
    }),
    test: Type.Boolean({ description: 'Whether a test key created it.', examples: [false] }),
  },
  { title: 'ChatToken' },
)
export type ChatToken = Static<typeof ChatToken>

export const NewChatToken = Type.Object(
  {
    ...ChatToken.properties,
    token: markShownOnce(
      Type.String({
        description:
          'The token, for use in the page. It is only in this reply; it is not a ' +
          'secret, because visitors can read it in the page.',
        examples: ['hm_pub_3fKd9aB2cD4eF6gH8iJ0kL1mN2oP3qR4s'],
      }),
    ),
    form_address: Type.String({
      description:
        'URL to which forms of these pages are posted, with the token in the hidden ' +
        'field `token`. Replace {name} by the name of the collection.',
      examples: ['https://api.example.nl/api/v1/public/collections/{name}/documents'],
    }),
  },
  { title: 'NewChatToken' },
)
export type NewChatToken = Static<typeof NewChatToken>

export const ChatTokenInput = Type.Object(
  {
    name: Type.Optional(Name),
    allowed_origins: Origins,
    daily_conversation_limit: Type.Optional(Conversations),
    daily_spend_limit_eur: Type.Optional(Spending),
  },
  {
    additionalProperties: false,
    examples: [{ name: 'Order form', allowed_origins: exampleOrigins }],
  },
)
export type ChatTokenInput = Static<typeof ChatTokenInput>

export const ChatTokenChange = Type.Object(
  {
    name: Type.Optional(Name),
    allowed_origins: Type.Optional(Origins),
    daily_conversation_limit: Type.Optional(Conversations),
    daily_spend_limit_eur: Type.Optional(Spending),
  },
  {
    additionalProperties: false,
    minProperties: 1,
    examples: [{ allowed_origins: [...exampleOrigins, 'https://example.nl'] }],
  },
)
export type ChatTokenChange = Static<typeof ChatTokenChange>

export const ChatTokenId = Type.Object({
  id: Type.String({ format: 'uuid', description: 'Id of the public chat token.' }),
})

export const ChatTokenList = PageReply(ChatToken)
export type ChatTokenList = Static<typeof ChatTokenList>
