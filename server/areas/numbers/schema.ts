/** The schemas of phone numbers for clients (specification: Number). */
import { Type, type Static } from 'typebox'
import { nameSchema } from '../../contract/schema/named.ts'
import { withDescription, E164, Timestamp, Uuid } from '../../contract/schema/shapes.ts'

export const NumberId = Type.Object({
  id: Type.String({ format: 'uuid', description: 'Id of the number.' }),
})

/** An area code such as 020. */
export const areaPattern = '^[0-9]{2,5}$'
export const NumberType = Type.Enum(['national', 'geographic'], {
  description: 'geographic: belongs to an area code. national: belongs to the whole country.',
})
export type NumberType = Static<typeof NumberType>

export const PhoneNumber = nameSchema(
  'PhoneNumber',
  Type.Object({
    id: withDescription(Uuid, 'Id of the number.'),
    e164: E164,
    type: NumberType,
    status: Type.Enum(['active', 'pending'], {
      description: 'active: works now. pending: the carrier is registering it.',
    }),
    created_at: withDescription(Timestamp, 'When the number was ordered.'),
    test: Type.Boolean({ description: 'true: a test number, never connected to a carrier.' }),
  }),
)
export type PhoneNumber = Static<typeof PhoneNumber>

export const NumberList = Type.Object({
  data: Type.Array(PhoneNumber, { description: 'All numbers, oldest first.' }),
})

export const NumberOrder = Type.Object(
  {
    area: Type.Optional(
      Type.String({
        pattern: areaPattern,
        description: 'Area code such as 020. Default: none, which orders a national number.',
        examples: ['020'],
      }),
    ),
    e164: Type.Optional({
      ...E164,
      description:
        'The number to order, from GET /numbers/available. Cannot be combined with area.',
    }),
  },
  { additionalProperties: false, examples: [{ area: '020' }] },
)
export type NumberOrder = Static<typeof NumberOrder>

export const OrderedNumber = nameSchema(
  'OrderedNumber',
  Type.Object({
    ...PhoneNumber.properties,
    from_stock: Type.Boolean({ description: 'true when taken from stock.' }),
    warnings: Type.Optional(
      Type.Array(Type.String(), {
        description: 'What keeps calls to it from being answered; absent if nothing does.',
        examples: [[]],
      }),
    ),
  }),
)
export type OrderedNumber = Static<typeof OrderedNumber>

// Plain strings, because an invalid value is reported as a fault of the request (422), not of the
// query (400).
export const NumberSearch = Type.Object(
  {
    type: Type.Optional(
      Type.String({
        description: 'national or geographic. Default: geographic with area, otherwise national.',
        examples: ['geographic'],
      }),
    ),
    area: Type.Optional(
      Type.String({
        description: 'Area code; required for geographic numbers.',
        examples: ['020'],
      }),
    ),
  },
  { additionalProperties: false },
)
export type NumberSearch = Static<typeof NumberSearch>

const AvailableNumber = nameSchema(
  'AvailableNumber',
  Type.Object({
    e164: E164,
    type: NumberType,
    from_stock: Type.Boolean({ description: 'true: in stock, so it is active soonest.' }),
    test: Type.Boolean({ description: 'true: a test number, free and simulated.' }),
  }),
)
export const AvailableNumberList = Type.Object({
  data: Type.Array(AvailableNumber, {
    description: 'Available numbers, numbers from stock first.',
  }),
})
export type AvailableNumberList = Static<typeof AvailableNumberList>

export const ReleasedNumber = Type.Object({
  id: withDescription(Uuid, 'Id of the number that was released.'),
  e164: E164,
  released: Type.Literal(true, { description: 'Always true.' }),
  test: Type.Literal(true, { description: 'Always true: only test numbers can be released.' }),
})
export type ReleasedNumber = Static<typeof ReleasedNumber>
