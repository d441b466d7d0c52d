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
    missing: Type.Array(Type.Enum(['account', 'go_live']), {
      description: 'What real payments still need: an account, or going live.',
    }),
    connected_at: orNull(Timestamp, 'When it was connected; null if it never was.'),
  }),
)
export type PaymentAccount = Static<typeof PaymentAccount>

export const PaymentAccountInput = closed({
  provider: orNull(provider, 'The provider of real payments; null disconnects the account.'),
})
export type PaymentAccountInput = Static<typeof PaymentAccountInput>
