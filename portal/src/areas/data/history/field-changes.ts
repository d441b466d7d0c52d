/** The fields in which two versions of a document differ. */
import type { DocumentData } from '../queries.ts'

export interface FieldChange {
  name: string
  /** The values as text; null where the field is absent. */
  before: string | null
  after: string | null
}

export function changesBetween(before: DocumentData, after: DocumentData): FieldChange[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].flatMap((name): FieldChange[] => {
    const change = { name, before: textOf(before, name), after: textOf(after, name) }
    return change.before === change.after ? [] : [change]
  })
}

function textOf(data: DocumentData, name: string): string | null {
  if (!Object.hasOwn(data, name)) return null
  const value = data[name]
  return typeof value === 'string' ? value : JSON.stringify(value)
}
