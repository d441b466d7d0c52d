/** The parameter `columns` of an import: the field of each named column. */
import { Problem } from '../../../contract/errors.ts'
import { isObject } from '../../json-schema/service.ts'
import type { GivenColumns } from './headings.ts'

/** Headings are compared as they are in the file; null leaves a column out. */
export function readColumns(text: string | undefined): GivenColumns {
  if (text === undefined) return new Map()
  const columns = parseJson(text)
  if (isObject(columns)) {
    const entries = Object.entries(columns).flatMap(([heading, field]) =>
      isField(field) ? [[heading, field] as const] : [],
    )
    if (entries.length === Object.keys(columns).length) return new Map(entries)
  }
  const detail =
    'columns must be a JSON object from headings to field names, such as ' +
    '{"Bedrag":"total","Opmerking":null}; null leaves a column out.'
  throw new Problem('invalid_parameter', detail, { fields: { parameter: 'columns' } })
}

function isField(field: unknown): field is string | null {
  return field === null || (typeof field === 'string' && field !== '')
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
