/** Shapes of the transactions and the days of a month. */
import { Type, type Static } from 'typebox'
import { PageQuery, PageReply } from '../../../contract/schema/pages.ts'
import { LedgerTransaction } from '../schema.ts'

const MonthName = Type.String({
  pattern: '^20[0-9]{2}-(0[1-9]|1[0-2])$',
  description: 'The calendar month, in the billing time zone.',
  examples: ['2026-11'],
})

export const DaysQuery = Type.Object({ month: MonthName }, { additionalProperties: false })

export const TransactionsQuery = Type.Object(
  {
    ...PageQuery.properties,
    month: MonthName,
    type: Type.Optional(
      Type.Enum(['charge', 'top_up'], { description: 'Only spent, or only added money.' }),
    ),
    source: Type.Optional(
      Type.String({
        maxLength: 40,
        description: 'Only transactions of this category.',
        examples: ['sms'],
      }),
    ),
  },
  { additionalProperties: false },
)
export type TransactionsQuery = Static<typeof TransactionsQuery>

export const TransactionsPage = PageReply(LedgerTransaction)
export type TransactionsPage = Static<typeof TransactionsPage>

export const Day = Type.Object({
  day: Type.String({ description: 'The day.', examples: ['2026-11-26'] }),
  topped_up_eur: Type.Number({ minimum: 0, description: 'Sum of the top-ups.', examples: [25] }),
  spent_on: Type.Array(
    Type.Object({
      source: Type.String({ description: 'Category of the spending.', examples: ['sms'] }),
      amount_eur: Type.Number({ description: 'Amount spent in this category.', examples: [0.84] }),
    }),
    { description: 'Spending by category, less refunds.' },
  ),
})
export type Day = Static<typeof Day>
