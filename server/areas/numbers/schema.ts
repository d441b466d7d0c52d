/** What a client sees of phone numbers (specification: Number). */
import { Type, type Static } from 'typebox'
import { E164, Timestamp, Uuid } from '../../contract/shapes.ts'

/** An area code such as 020. */
export const areaPattern = '^[0-9]{2,5}$'
const NumberType = Type.Enum(['national', 'geographic'])
export type NumberType = Static<typeof NumberType>

export const PhoneNumber = Type.Object({
  id: Uuid,
  e164: E164,
  type: NumberType,
  status: Type.Enum(['active', 'pending'], {
    description: 'active: works now. pending: registration is with the carrier.',
  }),
  created_at: Timestamp,
  test: Type.Boolean(),
})
export type PhoneNumber = Static<typeof PhoneNumber>

export const NumberList = Type.Object({ data: Type.Array(PhoneNumber) })

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
  { additionalProperties: false, examples: [{}] },
)
export type NumberOrder = Static<typeof NumberOrder>

export const OrderedNumber = Type.Object({
  ...PhoneNumber.properties,
  from_stock: Type.Boolean({ description: 'true when taken from stock.' }),
})
export type OrderedNumber = Static<typeof OrderedNumber>

// Read as plain texts, because a faulty one is the request's fault (422), not the query's (400).
export const NumberSearch = Type.Object(
  {
    type: Type.Optional(
      Type.String({ description: 'national or geographic; left out, it follows from the area.' }),
    ),
    area: Type.Optional(
      Type.String({ description: 'Area code; required for geographic numbers.' }),
    ),
  },
  { additionalProperties: false },
)
export type NumberSearch = Static<typeof NumberSearch>

const AvailableNumber = Type.Object({
  e164: E164,
  type: NumberType,
  from_stock: Type.Boolean(),
  test: Type.Boolean(),
})
export const AvailableNumberList = Type.Object({ data: Type.Array(AvailableNumber) })
export type AvailableNumberList = Static<typeof AvailableNumberList>

export const ReleasedNumber = Type.Object({
  id: Uuid,
  e164: E164,
  released: Type.Literal(true),
  test: Type.Literal(true),
})
export type ReleasedNumber = Static<typeof ReleasedNumber>
