/**
 * What the guide to filters shows: filters by what one wants, a query of groups with its reply, and
 * a fault. A test sends every one of them to the server, so that none is shown that does not work.
 */
import type { ProblemExtra } from '../../contract/errors.ts'

export interface FilterExample {
  wanted: string
  filter: string
}

export const filterExamples: readonly FilterExample[] = [
  { wanted: 'Both conditions', filter: 'status = "open" and total >= 100' },
  {
    wanted: 'One of two, and another',
    filter: '(status = "open" or status = "paid") and total > 50',
  },
  { wanted: 'The opposite', filter: 'not (total >= 10 and total < 20)' },
  { wanted: 'One of these values', filter: 'status in ("open", "paid")' },
  { wanted: 'None of these values, or no value', filter: 'status not in ("sent", "returned")' },
  { wanted: 'Another value, or no value', filter: 'status != "open"' },
  { wanted: 'Another value', filter: 'status exists and status != "open"' },
  { wanted: 'Filled in', filter: 'note exists' },
  { wanted: 'Null or missing', filter: 'note = null' },
  { wanted: 'Not ticked', filter: 'paid = false' },
  { wanted: 'Somewhere in a text', filter: 'note contains "gluten"' },
  { wanted: 'At its beginning', filter: 'phone starts with "+31"' },
  { wanted: 'At its end', filter: 'email ends with "@example.com"' },
  { wanted: 'A quote within a text', filter: String.raw`note contains "the \"best\" bread"` },
  { wanted: 'In an array', filter: 'tags has "garden"' },
  { wanted: 'Inside an object', filter: 'address.city = "Utrecht"' },
  { wanted: 'A name that is no word', filter: 'address."zip code" = "3511 AB"' },
  { wanted: 'Of the last week', filter: 'created_at > @now - 7d' },
  { wanted: 'Of today', filter: 'created_at >= @today' },
  { wanted: 'Of one month', filter: 'day >= @2026-11-01 and day < @2026-12-01' },
  { wanted: 'Within two weeks', filter: 'day >= @today and day < @today + 14d' },
  { wanted: 'From a moment on', filter: 'updated_at >= @2026-11-01T10:00:00Z' },
  { wanted: 'Changed since it was added', filter: 'version > 1' },
  { wanted: 'Sent by a form', filter: 'source = "form"' },
]

export const sortExamples = [
  { wanted: 'The latest change first', sort: '-updated_at' },
  { wanted: 'The largest total first, then by name', sort: '-total,name' },
  { wanted: 'The oldest document first', sort: 'id' },
] as const

export const listExample = {
  filter: 'status = "open" and total >= 100',
  sort: '-total',
  fields: 'name,total',
  limit: '50',
} as const

export const groupExample = {
  query: {
    filter: 'day >= @2026-01-01',
    group_by: [{ field: 'status' }, { field: 'day', by: 'month', name: 'month' }],
    aggregates: [
      { name: 'orders', function: 'count' },
      { name: 'revenue', function: 'sum', field: 'total' },
    ],
    having: 'orders >= 2',
    sort: '-revenue',
    timezone: 'Europe/Amsterdam',
  },
  reply: {
    data: [
      { status: 'paid', month: '2026-11-01', orders: 3, revenue: 410.5 },
      { status: 'open', month: '2026-11-01', orders: 2, revenue: 80 },
    ],
    truncated: false,
  },
} as const

const expected = 'a value: a text in double quotes, a number, true, false, null or a time'

/** A filter that cannot be read, and what the server says of it. */
export const faultExample: { filter: string; detail: string; extra: ProblemExtra } = {
  filter: 'status = open',
  detail: `filter cannot be read at character 10: expected ${expected}, not open.`,
  extra: {
    user_message: `The filter is not understood at character 10: it needs ${expected} there.`,
    fields: { parameter: 'filter', column: 10, expected },
  },
}
