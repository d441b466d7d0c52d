/**
 * An entry of the error catalogue. `about` explains the error on its documentation page, `user` is
 * shown to people as it is, and `next` instructs chats and agents. Clients branch on the slug, so a
 * slug is never renamed; the texts may change.
 */
import type { NextStep } from '../../problems/next-steps.ts'

export interface ErrorEntry {
  /** A pair if the specification has two statuses; the first is the default. */
  readonly status: number | readonly [number, number]
  /** The meaning of the error, in one or two sentences. */
  readonly about: string
  /** One plain sentence for the user. */
  readonly user: string
  /** The next step, naming the route, header or portal page. */
  readonly next: NextStep
  /** False for the one reason that is logged and never sent. */
  readonly http?: false
}
