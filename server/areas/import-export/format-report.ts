/** The notation parameters of an import, and the notation part of its report. */
import { Problem } from '../../contract/errors.ts'
import type { Caller } from '../../contract/caller.ts'
import { findTimezone, readTimezone, type CompiledCollection } from '../data/service.ts'
import { notationOf, type Notation } from '../../kernel/tables/notation.ts'
import { nameInData } from './record.ts'
import type { CellTexts } from './file-line.ts'
import type { ColumnReport, ImportReport, RefusedLine } from './report.ts'
import type { GuessedType } from './table/guess-type.ts'
import type { DetectedFormat, TableReading } from './table/read-table.ts'

export interface NotationParameters {
  /** BCP 47 tag; default: detected from the file. */
  locale: string | undefined
  /** Zone of times without one; default: that of the assistant. */
  timezone: string | undefined
}

export async function readNotation(
  { db, project, runtime }: Caller,
  { row }: CompiledCollection,
  { locale, timezone: asked }: NotationParameters,
): Promise<Notation> {
  const given = asked === undefined ? '' : readTimezone(asked)
  const wanted = { project_id: project.id, schema: row.schema, given }
  const timezone = await findTimezone(db, wanted)
  const zone = timezone === null ? null : { timezone, now_ms: runtime.clock.now_ms() }
  const known = locale === undefined ? null : notationOf(locale)
  if (locale !== undefined && !known) {
    const detail = 'locale must be a known language tag, such as nl-NL, de-DE or en-US.'
    throw new Problem('invalid_parameter', detail, { fields: { parameter: 'locale' } })
  }
  const notation = known ?? { decimal: null, order: null, locale: null }
  return { ...notation, json_numbers: known === null, zone }
}

/**
 * Returns a function that adds the detected notation to the report. It throws if values are
 * ambiguous, before anything is written.
 */
export function reportFormat(report: ImportReport): (understood: DetectedFormat) => void {
  return ({ columns, warnings, ...notation }) => {
    Object.assign(report, {
      columns,
      notation,
      warnings: [...warnings, ...unknownColumns(columns)],
    })
    const errors = columns.flatMap(({ heading, ambiguous }) =>
      ambiguous === null ? [] : [{ path: '', message: `Column "${heading}": ${ambiguous}.` }],
    )
    if (errors.length === 0 || report.dry_run) return
    throw new Problem('validation_failed', `Nothing was imported. ${errors[0]?.message}`, {
      errors,
      quotes_outsiders: true,
      user_message: 'Some numbers or dates in this file can be read in two ways.',
      next_step:
        'Find out which country the file comes from, and send it again with the ' +
        'parameter locale, such as nl-NL, de-DE, fr-BE or en-US. Use dry_run=true to ' +
        'see first how it would be read.',
    })
  }
}

/** Beside columns that the schema knows, one that it does not know is likely another field. */
function unknownColumns(columns: readonly ColumnReport[]): string[] {
  const named = columns.filter(({ field }) => field !== null && !field.startsWith('_'))
  const unknown = named.filter(({ types }) => types.length === 0).map(({ heading }) => heading)
  if (unknown.length === 0 || unknown.length === named.length) return []
  const shown = unknown.slice(0, UNKNOWN_SHOWN_MAX).map((heading) => JSON.stringify(heading))
  return [
    `No field of the schema has the name of these columns, so they are new fields: ${shown.join(', ')}. ` +
      'The parameter columns says which field a column is.',
  ]
}

const UNKNOWN_SHOWN_MAX = 20

/** Returns a function that warns once for each column with numbers that stay text. */
export function reportInexact(report: ImportReport): TableReading['onInexact'] {
  const warned = new Set<string>()
  return ({ heading, text }) => {
    if (warned.has(heading)) return
    warned.add(heading)
    const shown = text.slice(0, VALUE_CHARACTERS)
    report.warnings.push(
      `Column "${heading}": numbers such as ${shown} would be rounded, so they stay text.`,
    )
  }
}

const SUGGESTED_MAX = 20

/** Returns a function that suggests a schema if the collection has no types for the columns. */
export function reportGuess(report: ImportReport): TableReading['onGuess'] {
  return (types) => {
    const named = report.columns.filter(({ field }) => field !== null && !field.startsWith('_'))
    const guessed = named.flatMap(({ field }) => {
      const type = types.get(field ?? '')
      return type ? [[field, schemaOf(type)] as const] : []
    })
    if (guessed.length === 0 || named.some((column) => column.types.length > 0)) return
    const properties = Object.fromEntries(guessed.slice(0, SUGGESTED_MAX))
    report.warnings.push(
      'The collection has no schema for these columns, so numbers, dates and booleans ' +
        'that are not in JSON notation stay text. To convert them, add a schema with PATCH ' +
        '/collections/{name} before importing, for example, based on the values: ' +
        `${JSON.stringify({ type: 'object', properties })}`,
    )
  }
}

function schemaOf(type: GuessedType): object {
  return type === 'date' ? { type: 'string', format: 'date' } : { type }
}

const VALUE_CHARACTERS = 100

type Placed = RefusedLine['errors'][number]

const columnMaps = new WeakMap<ImportReport['columns'], Map<string, ColumnReport>>()

/** Maps fields of the data to columns. Cached per import, which may have many errors. */
function columnsByField(columns: ImportReport['columns']): Map<string, ColumnReport> {
  const known = columnMaps.get(columns)
  if (known) return known
  const made = new Map<string, ColumnReport>()
  for (const column of columns) {
    const name = column.field === null ? null : nameInData(column.field)
    if (name !== null && !made.has(name)) made.set(name, column)
  }
  columnMaps.set(columns, made)
  return made
}

/** Adds the column and the original text to an error of a document. */
export function withColumn(
  fault: { path: string; message: string },
  { columns }: ImportReport,
  { data, texts = {} }: { data: object; texts?: CellTexts | undefined } = { data: {} },
): Placed {
  const name = decodePointerPart(fault.path.split('/')[1] ?? '')
  const column = columnsByField(columns).get(name)
  const own: PropertyDescriptor | undefined = Object.getOwnPropertyDescriptor(data, name)
  if (fault.path === '' || own === undefined) {
    return { ...fault, ...(column && { column: column.heading }) }
  }
  const written = column?.field ? texts[column.field] : undefined
  const found = typeof own.value === 'string' ? own.value : (JSON.stringify(own.value) ?? '')
  const value = (written ?? found).slice(0, VALUE_CHARACTERS).toWellFormed()
  return { ...fault, ...(column && { column: column.heading }), value }
}

function decodePointerPart(part: string): string {
  return part.replaceAll('~1', '/').replaceAll('~0', '~')
}
