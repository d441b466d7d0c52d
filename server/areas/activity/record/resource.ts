/** Finds the changed record in the path, the reply or the result of a transaction. */
import type { ActivityRow } from '../store.ts'

export type Resource = Pick<ActivityRow, 'resource_id' | 'resource_name'>

/** Fields that name a record, the best first. */
const names = ['title', 'name', 'filename', 'slug', 'e164', 'url', 'email', 'client_name'] as const
const CHARACTERS_MAX = 120

/**
 * The record that a value describes: with the id of the path if there is one, else of a created record.
 * The value may contain the record in one of its fields.
 */
export function resourceIn(value: unknown, path_id: string | null): Resource {
  const found = candidates(value).find((one) => path_id === null || isAbout(one, path_id))
  return {
    resource_id: path_id ?? textOf(found?.['id']),
    resource_name: found === undefined ? null : nameOf(found),
  }
}

function candidates(value: unknown): Record<string, unknown>[] {
  if (!isRecord(value)) return []
  return [value, ...Object.values(value).filter(isRecord)].filter(
    (one) => textOf(one['id'] ?? one['person_id'] ?? one['name']) !== null,
  )
}

function isAbout(one: Record<string, unknown>, id: string): boolean {
  return ['id', 'person_id', 'name'].some((field) => one[field] === id)
}

function nameOf(record: Record<string, unknown>): string | null {
  const text = names.map((field) => nameIn(record, field)).find((name) => name !== null)
  const line = text?.replaceAll(/\s+/g, ' ').trim() ?? ''
  if (line === '') return null
  return line.length > CHARACTERS_MAX ? `${line.slice(0, CHARACTERS_MAX)}…` : line
}

/** Of a URL only the origin, because its path and query may contain secrets. */
function nameIn(record: Record<string, unknown>, field: (typeof names)[number]): string | null {
  const text = textOf(record[field])
  return field === 'url' && text !== null ? (URL.parse(text)?.origin ?? null) : text
}

/** The project that a value is or belongs to; null if it names none. */
export function projectIn(value: unknown, operation: string): string | null {
  if (!isRecord(value)) return null
  const named = textOf(value['project_id'])
  return named ?? (operation.startsWith('projects') ? textOf(value['id']) : null)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}
