/**
 * One person whose data a business is asked for or asked to erase (GDPR, articles 15 and 17). Each
 * area declares in its manifest how it finds and erases its records about a person.
 */
import type { Reader, Transaction } from '../../kernel/database/database.ts'
import type { Caller } from '../caller.ts'
import type { PersonalDataKind } from '../personal-data.ts'
import type { Scope } from '../scopes.ts'

/** What identifies the person; at least one is not null. */
export interface Person {
  /** E.164. */
  phone: string | null
  /** In lower case. */
  email: string | null
  /** The `external_id` that the business gave a visitor of its chat. */
  visitor: string | null
}

/**
 * `own`: a field of the record is the number, address or id of the person. `mention`: a longer text
 * of the record contains the number or address.
 */
export type Match = 'own' | 'mention'

export interface PersonRecord {
  id: string
  /** Ids of the records that contain it, the outermost first. */
  path: readonly string[]
  match: Match
  created_at: Date
  /** The name of its collection; null for records that are in none. */
  collection: string | null
  /** The whole record, for the export. */
  data: object
}

export interface PersonQuery {
  project_id: string
  person: Person
  /** Whether live calls and conversations are left out; documents have no mode. */
  test_only: boolean
  /**
   * Ids of the calls and conversations of the person. The areas add those that they find; a document
   * that names one of them is the person's too.
   */
  related: Set<string>
}

/** How an area finds and erases the records about one person. */
export interface PersonalRecords {
  /** The first kind names them in replies; the others are stored in the same records. */
  kinds: readonly [PersonalDataKind, ...PersonalDataKind[]]
  scopes: { read: Scope; write: Scope }
  /** Pages of records; each is read when it is taken, and may be erased before the next. */
  find(db: Reader, search: PersonQuery): AsyncIterable<readonly PersonRecord[]>
  /** Erases records. Returns how many it erased, without those that were deleted meanwhile. */
  erase(tx: Transaction, caller: Caller, records: readonly PersonRecord[]): Promise<number>
}
