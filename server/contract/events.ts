/**
 * An event is stored as a type and the ids of its subject, in the transaction that causes it. The
 * area of the subject builds the payload at delivery; if the subject is deleted by then, the
 * delivery is dropped.
 */
import type { Static, TSchema } from 'typebox'
import type { Reader } from '../kernel/database/database.ts'
import type { EventType } from './event-types.ts'

/** A dropped delivery does not count as a failure of the endpoint. */
export type DropReason =
  | 'call_deleted'
  | 'summary_deleted'
  | 'document_deleted'
  | 'message_deleted'
  | 'email_deleted'
  | 'order_deleted'

export class Dropped {
  readonly reason: DropReason
  constructor(reason: DropReason) {
    this.reason = reason
  }
}

/** Ids of the event's subject, for example `{ call_id }`. */
export type Subject = Record<string, string>

/** A subject and its project, for loading the payload. */
export interface SubjectInProject<S extends Subject = Subject> {
  project_id: string
  subject: S
}

export interface SilentQuery {
  /** The mode of an agent, which events of the other mode do not start. */
  mode?: 'test' | 'live'
  /** Only these collections; null for all. */
  names?: readonly string[] | null
}

export interface EventSource {
  type: EventType
  /** The schema of `data` in the envelope. */
  data: TSchema
  load(db: Reader, project_id: string, subject: Subject): Promise<unknown>
  /** Loads the payloads of several subjects in one query, in the order of the subjects. */
  loadMany?(db: Reader, wanted: readonly SubjectInProject[]): Promise<readonly unknown[]>
  /**
   * Returns a sentence that names what of the project does not send the event, and how to switch it
   * on; null if everything does.
   */
  findSilent?(db: Reader, project_id: string, of?: SilentQuery): Promise<string | null>
}

/** Declares how the payload of an event type is loaded. */
export function event<S extends Subject, Data extends TSchema>(declaration: {
  type: EventType
  data: Data
  load(db: Reader, project_id: string, subject: S): Promise<Static<Data> | Dropped>
  loadMany?(db: Reader, wanted: readonly SubjectInProject<S>[]): Promise<(Static<Data> | Dropped)[]>
  findSilent?: EventSource['findSilent']
}): EventSource {
  const { load, loadMany, findSilent } = declaration
  return {
    type: declaration.type,
    data: declaration.data,
    load: (db, project_id, subject) => load(db, project_id, subject as S),
    ...(findSilent && { findSilent }),
    ...(loadMany && {
      loadMany: (db, wanted) => loadMany(db, wanted as readonly SubjectInProject<S>[]),
    }),
  }
}
