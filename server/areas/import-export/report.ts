/** The report of an import: counts, refused lines and the detected format. */
import { Type, type Static } from 'typebox'
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import { markAsOutsiders } from '../../contract/schema/outsiders.ts'
import { MalformedFile } from '../../kernel/tables/malformed-file.ts'

const RefusedLine = Type.Object({
  line: Type.Integer({
    description: 'Line number, counted from 1, as in an editor or spreadsheet.',
  }),
  type: Type.String({ description: 'The slug of the error, such as schema_mismatch.' }),
  errors: Type.Array(
    Type.Object({
      path: Type.String({ description: 'JSON Pointer to the invalid value in the document.' }),
      message: Type.String({ description: 'Error message.' }),
      column: Type.Optional(Type.String({ description: 'Heading of the column in the file.' })),
      value: Type.Optional(
        Type.String({ description: 'The value in the file, cut after 100 characters.' }),
      ),
    }),
    { description: 'All errors of the line.' },
  ),
})
export type RefusedLine = Static<typeof RefusedLine>

const ColumnReport = Type.Object({
  column: Type.Integer({ description: 'Column number, counted from 1.' }),
  heading: Type.String({ description: 'Heading in the file.', examples: ['Bedrag'] }),
  field: Type.Union([Type.String(), Type.Null()], {
    description: 'Field the column is imported into; null for a column without a heading.',
  }),
  types: Type.Array(Type.String(), {
    description: 'Types the schema allows; empty if it allows all.',
  }),
  example: Type.Union(
    [
      Type.Object({
        text: Type.Union([Type.String(), Type.Null()], {
          description: 'Text in the file; null for a number, date or boolean of a workbook.',
        }),
        value: Type.Unknown({ description: 'The imported JSON value.' }),
      }),
      Type.Null(),
    ],
    { description: 'First value of the column: its text and the imported value.' },
  ),
  ambiguous: Type.Union([Type.String(), Type.Null()], {
    description:
      'First ambiguous value of the column; set the parameter locale to resolve it. ' +
      'null if there is none.',
  }),
  suggestion: Type.Union([Type.String(), Type.Null()], {
    description:
      'Schema field with a similar name; null if the column matches a field or none is ' +
      'similar.',
  }),
})
export type ColumnReport = Static<typeof ColumnReport>

const nullable = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

const exampleReport = {
  inserted: 212,
  updated: 0,
  refused: 1,
  errors: [
    {
      line: 14,
      type: 'schema_mismatch',
      errors: [
        { path: '/guests', message: 'must be a whole number', column: 'Gasten', value: 'vier' },
      ],
    },
  ],
  stopped: null,
  warnings: [],
  dry_run: true,
  columns: [
    {
      column: 1,
      heading: 'Bedrag',
      field: 'total',
      types: ['number'],
      example: { text: '1.234,56', value: 1234.56 },
      ambiguous: null,
      suggestion: null,
    },
  ],
  notation: { decimal: ',', order: 'day-first', encoding: 'utf-8', separator: ';' },
  preview: [{ name: 'Anna', guests: 4, total: 1234.56 }],
}

export const ImportReport = Type.Object(
  {
    inserted: Type.Integer({ description: 'Number of documents created.' }),
    updated: Type.Integer({ description: 'Number of existing documents replaced.' }),
    refused: Type.Integer({
      description: 'Number of refused lines, for which no document was written.',
    }),
    // The files of imports are often of others: their headings, values and names of fields are here.
    errors: markAsOutsiders(
      Type.Array(RefusedLine, {
        description: `The first ${limits.import_errors_max} refused lines, with their errors.`,
      }),
    ),
    stopped: markAsOutsiders(
      Type.Union(
        [
          Type.Object({
            line: Type.Integer({ description: 'Line that could not be read, counted from 1.' }),
            column: Type.Union([Type.Integer(), Type.Null()], {
              description: 'Column, counted from 1; null if unknown.',
            }),
            message: Type.String({ description: 'Error message.' }),
          }),
          Type.Null(),
        ],
        {
          description:
            'Where reading the file stopped; null if all of it was read. Lines before it ' +
            'are counted.',
        },
      ),
    ),
    warnings: Type.Array(markAsOutsiders(Type.String()), {
      description: 'Warnings about the import; often empty.',
    }),
    dry_run: Type.Boolean({
      description: 'true: nothing was changed, and the counts are those of a real import.',
    }),
    columns: markAsOutsiders(
      Type.Array(ColumnReport, {
        description: 'How each column of a table was read; empty for NDJSON.',
      }),
    ),
    notation: Type.Object(
      {
        decimal: nullable('Decimal mark of numbers, "." or ","; null if not needed.'),
        order: nullable('Date order: day-first or month-first; null if not needed.'),
        encoding: nullable(
          'Character encoding: utf-8, utf-16le, utf-16be or windows-1252; null for workbooks.',
        ),
        separator: nullable('Separator of CSV columns.'),
      },
      { description: 'How numbers, dates and text of the file were read.' },
    ),
    preview: markAsOutsiders(
      Type.Array(Type.Record(Type.String(), Type.Unknown()), {
        description:
          `With dry_run: the first ${limits.import_preview_max} documents as they would be ` +
          'created.',
      }),
    ),
  },
  { examples: [exampleReport] },
)
export type ImportReport = Static<typeof ImportReport>
export type ImportFault = NonNullable<ImportReport['stopped']>

export function newReport(dry_run: boolean): ImportReport {
  const notation = { decimal: null, order: null, encoding: null, separator: null }
  const counts = { inserted: 0, updated: 0, refused: 0 }
  return {
    ...counts,
    errors: [],
    stopped: null,
    warnings: [],
    dry_run,
    columns: [],
    notation,
    preview: [],
  }
}

/** Counts a refused line. `fault` is called only if the list of errors is not full. */
export function countRefused(report: ImportReport, fault: () => RefusedLine): void {
  report.refused += 1
  if (report.errors.length < limits.import_errors_max) report.errors.push(fault())
}

/** Returns the position of a fault in the file; null for other errors. */
export function importFaultOf(error: unknown, line: number): ImportFault | null {
  if (error instanceof MalformedFile) {
    return { line: error.line, column: error.column, message: error.message }
  }
  return error instanceof Problem ? { line, column: null, message: error.detail } : null
}

export function malformedFileProblem({ line, column, message }: ImportFault): Problem {
  const place = column === null ? `Line ${line}` : `Line ${line}, column ${column}`
  const errors = [{ path: '', message: `${place}: ${message}` }]
  const detail = `Nothing was imported. ${place}: ${message}`
  return new Problem('validation_failed', detail, {
    errors,
    quotes_outsiders: true,
    fields: { line, column },
    user_message: `The file cannot be read: ${place.toLowerCase()} does not match its format.`,
    next_step: 'Correct the file at that place, as the message says, and send it again.',
  })
}

/** Returns the problem for a failed atomic import: the fault of the file, or the type of the first refused line. */
export function atomicImportProblem({ refused, errors, stopped }: ImportReport): Problem {
  if (stopped) return malformedFileProblem(stopped)
  const lineErrors = errors.flatMap(({ line, errors: faults }) =>
    faults.map(({ path, message, column, value }) => {
      const place = column === undefined ? '' : `, column "${column}"`
      const found = value === undefined ? '' : ` (found: ${value})`
      return { path, message: `Line ${line}${place}: ${message}${found}` }
    }),
  )
  const type = slugs.find((slug) => slug === errors[0]?.type) ?? 'schema_mismatch'
  const lines = refused === 1 ? '1 line was' : `${refused} lines were`
  const detail = `Nothing was imported, because ${lines} refused.`
  return new Problem(type, detail, {
    ...(type === 'plan_limit_reached' && { status: 409 }),
    errors: lineErrors,
    quotes_outsiders: true,
    fields: { refused },
  })
}

/** Error types that the problem takes from a line; schema_mismatch replaces all others. */
const slugs = [
  'schema_mismatch',
  'document_too_large',
  'document_limit_reached',
  'plan_limit_reached',
] as const
