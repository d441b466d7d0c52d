/** What a request says of the notation of a file, and what the report tells of how it was read. */
import { Problem } from '../../../contract/errors.ts'
import { readTimezone } from '../query/page.ts'
import { notationOf, type Notation } from './notation.ts'
import { nameInData } from './record.ts'
import type { CellTexts } from './format.ts'
import type { ImportReport, LineFault } from './report.ts'
import type { DetectedFormat } from './understand.ts'

export interface Locale {
  /** How numbers and dates are written, as a BCP 47 tag; found out from the file if left out. */
  locale: string | undefined
  /** Where times are read that name no zone. */
  timezone: string | undefined
}

export function readNotation({ locale, timezone: zone }: Locale): Notation {
  const timezone = zone === undefined ? null : readTimezone(zone)
  const known = locale === undefined ? null : notationOf(locale)
  if (locale !== undefined && !known) {
    const detail = 'locale must be a language tag that is known, such as nl-NL, de-DE or en-US.'
    throw new Problem('invalid_parameter', detail, { fields: { parameter: 'locale' } })
  }
  const notation = known ?? { decimal: null, order: null }
  return { ...notation, is_given: known !== null, json_numbers: known === null, timezone }
}

/** Notes how the file is understood. Nothing is written of a file whose values have two meanings. */
export function tellIn(report: ImportReport): (understood: DetectedFormat) => void {
  return ({ columns, ...notation }) => {
    Object.assign(report, { columns, notation })
    const errors = columns.flatMap(({ heading, ambiguous }) =>
      ambiguous === null ? [] : [{ path: '', message: `Column "${heading}": ${ambiguous}.` }],
    )
    if (errors.length === 0 || report.dry_run) return
    throw new Problem('validation_failed', `Nothing was imported. ${errors[0]?.message}`, {
      errors,
      user_message: 'Some numbers or dates in this file can be read in two ways.',
      next_step:
        'Find out from which country the file is, and send it again with the parameter locale, ' +
        'such as nl-NL, de-DE, fr-BE or en-US. dry_run=true shows first what becomes of it.',
    })
  }
}

const VALUE_CHARACTERS = 100

type Placed = LineFault['errors'][number]

/** A fault of a document with the column of the file that it is in, and the text there. */
// oxlint-disable-next-line max-params -- the fault, the columns of the file, and the document
export function placed(
  fault: { path: string; message: string },
  { columns }: ImportReport,
  { data, texts = {} }: { data: object; texts?: CellTexts | undefined } = { data: {} },
): Placed {
  const name = decodePointerPart(fault.path.split('/')[1] ?? '')
  const column = columns.find(({ field }) => field !== null && nameInData(field) === name)
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
