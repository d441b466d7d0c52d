/** The report of an import: counts, refused lines and the detected format. */
import { Type, type Static } from 'typebox'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { fromOutsiders } from '../../../contract/outsiders.ts'
import { MalformedFile } from './format.ts'

const RefusedLine = Type.Object({
  line: Type.Integer({ description: 'Counted from 1, as an editor or a spreadsheet shows it.' }),
  type: Type.String({ description: 'The slug of the error, such as schema_mismatch.' }),
  errors: Type.Array(
    Type.Object({
      path: Type.String({ description: 'JSON Pointer to the place in the document.' }),
      message: Type.String({ description: 'What is wrong with it.' }),
      column: Type.Optional(Type.String({ description: 'The heading of the column in the file.' })),
      value: Type.Optional(
        Type.String({ description: 'What was found there, cut after 100 characters.' }),
      ),
    }),
    { description: 'Every fault of the line.' },
  ),
})
export type RefusedLine = Static<typeof RefusedLine>

const ColumnReport = Type.Object({
  column: Type.Integer({ description: 'Counted from 1.' }),
  heading: Type.String({ description: 'As the file has it.', examples: ['Bedrag'] }),
  field: Type.Union([Type.String(), Type.Null()], {
    description: 'The field it becomes; null for a column without a heading.',
  }),
  types: Type.Array(Type.String(), {
    description: 'The types that the schema allows; empty where it allows all.',
  }),
  example: Type.Union(
    [
      Type.Object({
        text: Type.Union([Type.String(), Type.Null()], {
          description:
            'As the file has it; null where a workbook has a number, a date or a boolean.',
        }),
        value: Type.Unknown({ description: 'What becomes of it.' }),
      }),
      Type.Null(),
    ],
    { description: 'The first value of the column: its text, and what it became.' },
  ),
  ambiguous: Type.Union([Type.String(), Type.Null()], {
    description: 'The first value with two meanings, which only the parameter locale can settle.',
  }),
  suggestion: Type.Union([Type.String(), Type.Null()], {
    description: 'The field of the schema that the heading is near to, where it is none.',
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
    inserted: Type.Integer({ description: 'Documents that were added.' }),
    updated: Type.Integer({ description: 'Documents that were there and were replaced.' }),
    refused: Type.Integer({ description: 'Lines of which nothing came.' }),
    errors: Type.Array(RefusedLine, {
      description: `The first ${limits.import_errors_max} refused lines and what is wrong with each.`,
    }),
    stopped: Type.Union(
      [
        Type.Object({
          line: Type.Integer({ description: 'The line that could not be read, from 1.' }),
          column: Type.Union([Type.Integer(), Type.Null()], {
            description: 'The column, from 1; null: not known.',
          }),
          message: Type.String({ description: 'What is wrong there.' }),
        }),
        Type.Null(),
      ],
      {
        description:
          'Where the file could not be read on; null when all of it was. What came before is counted.',
      },
    ),
    warnings: Type.Array(fromOutsiders(Type.String()), {
      description: 'What is worth knowing before the documents are used; mostly empty.',
    }),
    dry_run: Type.Boolean({ description: 'true: this is what would have come of it.' }),
    columns: Type.Array(ColumnReport, {
      description: 'How each column of a table was understood; empty for NDJSON.',
    }),
    notation: Type.Object(
      {
        decimal: nullable('The decimal mark of numbers, "." or ","; null where none was needed.'),
        order: nullable('day-first or month-first dates; null where none was needed.'),
        encoding: nullable('utf-8, utf-16le, utf-16be or windows-1252; null for workbooks.'),
        separator: nullable('What separates the columns of CSV.'),
      },
      { description: 'How numbers, dates and text of the file were read.' },
    ),
    preview: Type.Array(Type.Record(Type.String(), fromOutsiders(Type.Unknown())), {
      description: `With dry_run: the first ${limits.import_preview_max} documents as they would be.`,
    }),
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
    fields: { line, column },
    user_message: `The file cannot be read: ${place.toLowerCase()} is not as its format wants it.`,
    next_step: 'Correct that place in the file, as the message says, and send it again.',
  })
}

/** Returns the problem for a failed atomic import: the fault of the file, or the type of the first refused line. */
export function atomicImportProblem({ refused, errors, stopped }: ImportReport): Problem {
  if (stopped) return malformedFileProblem(stopped)
  const told = errors.flatMap(({ line, errors: faults }) =>
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
    errors: told,
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
