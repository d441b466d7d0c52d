/**
 * The unsaved changes of a person, and how they are combined with settings that another person
 * saved meanwhile.
 */
import type { Assistant, Settings } from './queries.ts'

export type FieldName = keyof Settings

export const fieldNames: readonly FieldName[] = [
  'name',
  'greeting',
  'instructions',
  'languages',
  'voice',
  'model',
  'timezone',
  'opening_hours',
  'closures',
  'website_url',
  'facts',
  'transfer',
]

/** The settings as they were read, and the fields that the person has changed since then. */
export interface Draft {
  base: Assistant
  changes: Partial<Settings>
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Adds changes to the draft. A field with the value that was read counts as unchanged. */
export function withChanges(draft: Draft, more: Partial<Settings>): Draft {
  const changes: Partial<Settings> = { ...draft.changes, ...more }
  for (const name of fieldNames) {
    if (isSame(changes[name], draft.base[name])) delete changes[name]
  }
  return { ...draft, changes }
}

export function isChanged({ changes }: Draft): boolean {
  return Object.keys(changes).length > 0
}

/** Returns the fields that the person and another person have changed to different values. */
export function clashesOf({ base, changes }: Draft, theirs: Assistant): FieldName[] {
  return fieldNames.filter(
    (name) =>
      name in changes && !isSame(base[name], theirs[name]) && !isSame(changes[name], theirs[name]),
  )
}

/** Applies the changes of the draft to newer settings. */
export function rebased({ changes }: Draft, theirs: Assistant): Draft {
  return withChanges({ base: theirs, changes }, {})
}
