/** Values as texts that are edited in a cell, and back. */
import type { DataField } from '../fields.ts'
import type { DocumentData } from '../queries.ts'

export function editedText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/**
 * The value of a text in a field; undefined removes the field. A text that is no value of the kind
 * stays a text, which the server refuses with the reason.
 */
export function valueOf({ kind }: DataField, text: string): unknown {
  if (text === '') return undefined
  if (kind === 'boolean') return text === 'true'
  if (kind === 'number') {
    const number = Number(text)
    return text.trim() !== '' && Number.isFinite(number) ? number : text
  }
  if (kind !== 'json') return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Undefined removes the field. */
export function withValue(data: DocumentData, name: string, value: unknown): DocumentData {
  const { [name]: _, ...others } = data
  if (value === undefined) return others
  return name in data ? { ...data, [name]: value } : { ...others, [name]: value }
}
