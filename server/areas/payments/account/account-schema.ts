/** Shapes of the payment account. */
import { Type, type Static } from 'typebox'
import { nameSchema } from '../../../contract/schema/named.ts'
import { orNull, Timestamp } from '../../../contract/schema/shapes.ts'
import { checkoutProviders } from '../../../providers/checkout/checkout-contract.ts'
import { closed } from '../orders/order-schema.ts'

const provider = Type.Enum([...checkoutProviders], {
  description: 'builtin: a test page of this server, which moves no money.',
})

export const PaymentAccount = nameSchema(
  'PaymentAccount',
  Type.Object({
    provider: orNull(provider, 'The provider; null without an account.'),
    status: Type.Enum(['not_connected', 'pending', 'active', 'restricted'], {
      description:
        'active: customers can pay. pending: the provider still checks the business. restricted: ' +
        'the provider pays nothing out.',
    }),
    mode: Type.Enum(['live', 'test'], {
      description: 'live: new orders of this key move money. test: they do not.',
    }),
    methods: Type.Array(Type.String({ examples: ['test'] }), {
      description: 'Ways in which customers can pay.',
    }),
    missing: Type.Array(Type.Enum(['account', 'provider', 'go_live']), {
      description:
        'What real payments still need: an account, what missing_at_provider names, or going live.',
    }),
    missing_at_provider: Type.Array(Type.String({ examples: ['external_account'] }), {
      description: 'What the provider still wants, in its words; it is added in its dashboard.',
    }),
    connected_at: orNull(Timestamp, 'When it was connected; null if it never was.'),
    checked_at: orNull(Timestamp, 'When the provider was last asked; null for builtin.'),
  }),
)
export type PaymentAccount = Static<typeof PaymentAccount>

export const PaymentAccountInput = closed({
  provider: orNull(provider, 'The provider of real payments; null disconnects the account.'),
  key: Type.Optional(
    Type.String({
      minLength: 10,
      maxLength: 300,
      pattern: '^[A-Za-z0-9_]+$',
      title: 'a secret key',
      description:
        'The secret key of the account, which is stored sealed and never shown. Leave it out to ' +
        'check the connected account again.',
      examples: ['live_aBcDeFgHiJkLmNoPqRsTuVwXyZ0123'],
    }),
  ),
})
export type PaymentAccountInput = Static<typeof PaymentAccountInput>
