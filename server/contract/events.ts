/**
 * An event is written as a type and the ids of its subject, in the transaction that caused it.
 * What the receiver sees is built at delivery, by the area that owns the subject: by then the
 * subject may have changed, or be gone, and then the delivery is dropped.
 */
import type { Static, TSchema } from 'typebox'
import type { Reader } from '../kernel/database/database.ts'
import type { EventType } from './event-types.ts'

/** Why a delivery is dropped without counting against the endpoint. */
export type DropReason = 'call_deleted' | 'summary_deleted' | 'document_deleted'

export class Dropped {
  readonly reason: DropReason
  constructor(reason: DropReason) {
    this.reason = reason
  }
}

/** Ids of what the event is about, for example `{ call_id }`. */
export type Subject = Record<string, string>

/** Whose data are wanted, of which subject. */
export interface Wanted<S extends Subject = Subject> {
  project_id: string
  subject: S
}

export interface EventSource {
  type: EventType
  /** The shape of `data` in the envelope. */
  data: TSchema
  load(db: Reader, project_id: string, subject: Subject): Promise<unknown>
  /** What `load` gives, for several in their order and in one query, where many are to be told. */
  loadMany?(db: Reader, wanted: readonly Wanted[]): Promise<readonly unknown[]>
}

/** Declares where the payload of an event type comes from. */
export function event<S extends Subject, Data extends TSchema>(declaration: {
  type: EventType
  data: Data
  load(db: Reader, project_id: string, subject: S): Promise<Static<Data> | Dropped>
  loadMany?(db: Reader, wanted: readonly Wanted<S>[]): Promise<(Static<Data> | Dropped)[]>
}): EventSource {
  return declaration as unknown as EventSource
}
