/** Schemas of public chat tokens in the API. */
import { Type, type Static } from 'typebox'
import { limits } from '../../contract/limits.ts'
import { PageReply } from '../../contract/schema/pages.ts'
import { markShownOnce } from '../../contract/schema/shown-once.ts'
import { orNull, Timestamp, Uuid } from '../../contract/schema/shapes.ts'

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
    'https, or http for localhost only; or *.example.com for every subdomain of example.com.',
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

export const ChallengeKind = Type.Enum(['altcha', 'turnstile', 'hcaptcha'], {
  description:
    'Human verification that starts a chat. altcha needs no provider; the others need one that ' +
    'the operator has set up.',
})

const color = Type.String({ pattern: '^#[0-9a-fA-F]{6}$', examples: ['#0b6e4f'] })
const themeGreeting = Type.String({ minLength: 1, maxLength: 1_000, examples: ['Hello!'] })
const themeLanguage = Type.String({
  pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
  maxLength: 35,
  examples: ['nl'],
})

export const Theme = Type.Object(
  {
    color: orNull(color, 'Main color as #rrggbb; null: that of the widget.'),
    position: Type.Enum(['left', 'right'], { description: 'Corner of the page.' }),
    greeting: orNull(themeGreeting, 'Replaces the greeting of the assistant; null: that one.'),
    language: orNull(themeLanguage, 'Language of the widget; null: that of the page.'),
  },
  { description: 'How the chat widget looks.' },
)
export type Theme = Static<typeof Theme>

const ThemeInput = Type.Object(Type.Partial(Theme).properties, {
  additionalProperties: false,
  description: 'How the chat widget looks; omitted fields keep their value.',
  examples: [{ color: '#0b6e4f', position: 'left' }],
})

const UsedToday = Type.Object(
  {
    conversations: Type.Integer({ description: 'Conversations started.', examples: [12] }),
    spent_eur: Type.Number({
      description: 'Cost of replies, and the most that replies in progress can cost.',
      examples: [0.18],
    }),
  },
  { description: 'Use of the daily limits today, in the billing time zone.' },
)

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
    challenge: ChallengeKind,
    theme: Theme,
    used_today: UsedToday,
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
      'The token is not stored with the approval. To get one, create another: ' +
        'chat_tokens.create (POST /chat-tokens).',
    ),
    chat_tag: markShownOnce(
      Type.String({
        description: 'The script tag of the chat, to paste into every page that shows it.',
        examples: [
          '<script src="https://api.example.nl/widget.js" ' +
            'data-chat-token="hm_pub_3fKd9aB2cD4eF6gH8iJ0kL1mN2oP3qR4s" defer></script>',
        ],
      }),
      'The tag is not stored either, because it contains the token.',
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
    challenge: Type.Optional(ChallengeKind),
    theme: Type.Optional(ThemeInput),
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
    challenge: Type.Optional(ChallengeKind),
    theme: Type.Optional(ThemeInput),
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
