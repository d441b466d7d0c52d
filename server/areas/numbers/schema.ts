/** What a client sees of phone numbers (specification: Number). */
import { Type, type Static } from 'typebox'
import { named } from '../../contract/named.ts'
import { about, E164, Timestamp, Uuid } from '../../contract/shapes.ts'

/** An area code such as 020. */
export const areaPattern = '^[0-9]{2,5}$'
const NumberType = Type.Enum(['national', 'geographic'], {
  description: 'geographic: it belongs to an area. national: to the whole country.',
})
export type NumberType = Static<typeof NumberType>

export const PhoneNumber = named(
  'PhoneNumber',
  Type.Object({
    id: about(Uuid, 'Id of the number.'),
    e164: E164,
    type: NumberType,
    status: Type.Enum(['active', 'pending'], {
      description: 'active: works now. pending: registration is with the carrier.',
    }),
    created_at: about(Timestamp, 'When it was ordered.'),
    test: Type.Boolean({ description: 'true: a test number, which no carrier knows.' }),
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
        description: 'An area code such as 020; left out, a national number is ordered.',
        examples: ['020'],
      }),
    ),
    e164: Type.Optional({
      ...E164,
      description: 'The very number to order, from GET /numbers/available; then without area.',
    }),
  },
  { additionalProperties: false, examples: [{ area: '020' }] },
)
export type NumberOrder = Static<typeof NumberOrder>

export const OrderedNumber = named(
  'OrderedNumber',
  Type.Object({
    ...PhoneNumber.properties,
    from_stock: Type.Boolean({ description: 'true when taken from stock.' }),
  }),
)
export type OrderedNumber = Static<typeof OrderedNumber>

// Read as plain texts, because a faulty one is the request's fault (422), not the query's (400).
export const NumberSearch = Type.Object(
  {
    type: Type.Optional(
      Type.String({
        description: 'national or geographic; left out, it follows from the area.',
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

const AvailableNumber = named(
  'AvailableNumber',
  Type.Object({
    e164: E164,
    type: NumberType,
    from_stock: Type.Boolean({ description: 'true: in stock, so it works soonest.' }),
    test: Type.Boolean({ description: 'true: of the test range, free and only simulated.' }),
  }),
)
export const AvailableNumberList = Type.Object({
  data: Type.Array(AvailableNumber, { description: 'Numbers that can be ordered, stock first.' }),
})
export type AvailableNumberList = Static<typeof AvailableNumberList>

export const ReleasedNumber = Type.Object({
  id: about(Uuid, 'Id of the number that was released.'),
  e164: E164,
  released: Type.Literal(true, { description: 'Always true.' }),
  test: Type.Literal(true, { description: 'Always true: only test numbers can be released.' }),
})
export type ReleasedNumber = Static<typeof ReleasedNumber>
