/**
 * The kinds of personal data that the server stores: where, and for how long. Each area has its own
 * in its `personal-data.ts`. The settings of retention and the page Privacy derive from them.
 */
import type { Transaction } from '../kernel/database/database.ts'
import { mergeTables, type NameIn } from './catalogue/merge.ts'
import type { PersonalDataEntry } from './catalogue/entries/personal-data-entry.ts'
import { personalDataOfAreas } from './catalogue/personal-data-of-areas.ts'

export type PersonalDataKind = NameIn<typeof personalDataOfAreas>

const table: Readonly<Record<PersonalDataKind, PersonalDataEntry>> =
  mergeTables(personalDataOfAreas)

export const personalDataKinds: readonly (PersonalDataEntry & { kind: PersonalDataKind })[] =
  Object.keys(table)
    .filter((kind) => isKind(kind))
    .map((kind) => ({ kind, ...table[kind] }))

function isKind(kind: string): kind is PersonalDataKind {
  return Object.hasOwn(table, kind)
}

export interface OldRecords {
  project_id: string
  /** Records from before this time are deleted. */
  before: Date
  /** The maximum number of records in one transaction. */
  count: number
}

/** Deletes old records by an index. Returns their number; fewer than `count`: there are no more. */
export type DeleteOld = (tx: Transaction, old: OldRecords) => Promise<number>

/** Deletes the old records of a kind whose days the project chooses. */
export interface Retention {
  kind: PersonalDataKind
  deleteOld: DeleteOld
}
