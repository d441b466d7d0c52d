/** The parameters and replies of lists and queries of documents. */
import { Type, type Static } from 'typebox'
import { limits } from '../../../contract/limits.ts'
import { markAsOutsiders } from '../../../contract/schema/outsiders.ts'
import { PageQuery, PageReply } from '../../../contract/schema/pages.ts'
import { Document } from '../schema.ts'

const buckets = ['hour', 'day', 'week', 'month', 'year'] as const
export type Bucket = (typeof buckets)[number]

const functions = ['count', 'sum', 'avg', 'min', 'max'] as const
export type AggregateFunction = (typeof functions)[number]

const FilterText = Type.String({
  maxLength: limits.filter_characters_max,
  description:
    'Filter expression: comparisons with and, or, not and parentheses. See /docs/guides/filters.',
  examples: ['status = "open" and total >= 10'],
})

const sortHint = 'Fields to sort by, separated by commas; - before a field sorts descending'

const SortText = Type.String({
  maxLength: 1_000,
  description: `${sortHint}.`,
  examples: ['-created_at'],
})

const SearchText = Type.String({
  maxLength: limits.search_characters_max,
  description:
    'Words to search for in all values, in the languages of the project. Small typing ' +
    'errors are tolerated.',
  examples: ['garden'],
})

const Timezone = Type.String({
  maxLength: 60,
  description: 'IANA time zone for @today and dates. Default: UTC.',
  examples: ['Europe/Amsterdam'],
})

export const DocumentsQuery = Type.Object(
  {
    filter: Type.Optional(FilterText),
    sort: Type.Optional(SortText),
    fields: Type.Optional(
      Type.String({
        maxLength: 2_000,
        description: 'Data fields to return, separated by commas. Default: all.',
        examples: ['name,address.city'],
      }),
    ),
    q: Type.Optional(SearchText),
    timezone: Type.Optional(Timezone),
    count: Type.Boolean({
      default: false,
      description: 'true: also returns the number of matching documents, which takes longer.',
    }),
    ...PageQuery.properties,
  },
  { additionalProperties: false },
)
export type DocumentsQuery = Static<typeof DocumentsQuery>

// They propose names of fields, which senders of forms choose.
const Warnings = Type.Array(markAsOutsiders(Type.String()), {
  description: 'Fields that the request names and that no document has. Absent if there are none.',
  examples: [
    ['filter names stauts, which no document of this collection has. Did you mean status?'],
  ],
})

export const DocumentList = Type.Object({
  ...PageReply(Document).properties,
  count: Type.Optional(
    Type.Integer({
      description: 'Number of matching documents on all pages. Only with count=true.',
      examples: [38],
    }),
  ),
  warnings: Type.Optional(Warnings),
})
export type DocumentList = Static<typeof DocumentList>

const FieldName = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Path of a field, such as status or address.city.',
  examples: ['status'],
})

const ResultName = Type.String({
  pattern: '^[A-Za-z_][A-Za-z0-9_]{0,62}$',
  description: 'letters, digits and _, at most 63, no digit first',
  examples: ['revenue'],
})

export const QueryInput = Type.Object(
  {
    filter: Type.Optional(FilterText),
    q: Type.Optional(SearchText),
    group_by: Type.Optional(
      Type.Array(
        Type.Object(
          {
            field: FieldName,
            by: Type.Optional(
              Type.Enum([...buckets], {
                description: 'For times: rounds down to the hour, day and so on.',
              }),
            ),
            name: Type.Optional({ ...ResultName, examples: ['status'] }),
          },
          { additionalProperties: false },
        ),
        {
          maxItems: limits.query_group_fields_max,
          description:
            'Fields to group by: one row for each combination of their values. Default: ' +
            'one row for all documents.',
        },
      ),
    ),
    aggregates: Type.Optional(
      Type.Array(
        Type.Object(
          {
            name: ResultName,
            function: Type.Enum([...functions], {
              description: 'Aggregate function.',
              examples: ['sum'],
            }),
            field: Type.Optional({
              ...FieldName,
              description:
                'Field to aggregate. Required except for count, which counts values that ' +
                'are not null.',
              examples: ['total'],
            }),
          },
          { additionalProperties: false },
        ),
        {
          maxItems: limits.query_aggregates_max,
          description: 'Aggregates of each row. Default: the number of documents, as count.',
        },
      ),
    ),
    having: Type.Optional({
      ...FilterText,
      description: 'Filter on the rows, with their own names, in the grammar of filter.',
      examples: ['revenue > 100'],
    }),
    sort: Type.Optional({
      ...SortText,
      description:
        'Row names to sort by, separated by commas; - before a name sorts descending. ' +
        'Default: the group_by values.',
      examples: ['-revenue'],
    }),
    timezone: Type.Optional(Timezone),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: limits.query_groups_max,
        description: `Maximum number of rows. Default: ${limits.query_groups_default}.`,
      }),
    ),
  },
  {
    additionalProperties: false,
    examples: [
      {
        filter: 'total >= 10',
        group_by: [{ field: 'status' }],
        aggregates: [{ name: 'revenue', function: 'sum', field: 'total' }],
        having: 'revenue > 100',
        sort: '-revenue',
        timezone: 'Europe/Amsterdam',
        limit: 20,
      },
    ],
  },
)
export type QueryInput = Static<typeof QueryInput>

export const QueryReply = Type.Object({
  data: Type.Array(Type.Record(Type.String(), markAsOutsiders(Type.Unknown())), {
    examples: [[{ status: 'open', revenue: 1240.5 }]],
    description: 'One row per group: its values and its aggregates, by name.',
  }),
  truncated: Type.Boolean({
    description: 'Whether more rows exist than limit.',
    examples: [false],
  }),
  warnings: Type.Optional(Warnings),
})
