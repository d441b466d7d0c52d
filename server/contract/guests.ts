/**
 * Operations for a page in a visitor's browser, which brings a public token instead of a key. They
 * are declared in the same words as all others and stand in the same lists; who may pass is
 * settled by the token and its allowed origins, and a body may be a form as well as JSON.
 */
import { Type, type Static, type TObject, type TProperties, type TSchema } from 'typebox'
import type { ProjectRow, Visitor } from './caller.ts'
import type { Declaration, Input, Operation } from './operation.ts'

/** A visitor's page, recognised, on an allowed origin and within its rate. */
export interface Guest extends Visitor {
  project: ProjectRow
  /** The public token. */
  token_id: string
  /** Identifies the browser that sends a form without a script; null for every other request. */
  browser: string | null
  /** Begins to read what was sent: whoever may not send anything is refused before. */
  takeForm(takeFile: TakeFile): Promise<Sent>
}

/** A file of a form, while it arrives. */
export interface SentFile {
  field: string
  name: string
  bytes: AsyncIterable<Uint8Array>
}

/** What becomes of a file: the value of its field. Throws where the field takes none. */
export type TakeFile = (file: SentFile) => Promise<string>

/** What was sent: a JSON object, or the fields of a form in their order. */
export type Sent = { json: Record<string, unknown> } | { fields: readonly SentField[] }

export interface SentField {
  name: string
  value: string
}

/** Every operation of this sort takes the token in the address too: a plain form has no headers. */
export const guestQuery = {
  token: Type.Optional(
    Type.String({
      description: 'The public token, where no Authorization header can be sent.',
      examples: ['hm_pub_7hQ2mZx0Vb4TcK9sLw3NfR8aYd1GpE5u'],
    }),
  ),
}

type GuestInput<Params, Query> = Pick<Input<Params, Query, undefined>, 'params' | 'query'>

export type GuestDeclaration<
  Params extends TObject<TProperties> | undefined,
  Query extends TObject<TProperties> | undefined,
  Body extends TSchema | undefined,
  Reply extends TSchema,
> = Omit<Declaration<Params, Query, Body, Reply>, 'scope' | 'reach' | 'headers' | 'run'> & {
  run(input: GuestInput<Params, Query>, guest: Guest): Promise<Static<Reply>>
}

/** An operation of this sort with its types erased, as the edges read it. */
export type GuestOperation = Omit<Operation, 'run'> & {
  guests: true
  run(input: GuestInput<TObject, TObject>, guest: Guest): Promise<unknown>
}

export function guestOperation<
  Reply extends TSchema,
  Params extends TObject<TProperties> | undefined = undefined,
  Query extends TObject<TProperties> | undefined = undefined,
  Body extends TSchema | undefined = undefined,
>(declaration: GuestDeclaration<Params, Query, Body, Reply>): Operation {
  const [method, path] = declaration.route.split(' ')
  const erased = { ...declaration, guests: true, scope: null, reach: 'selection', method, path }
  // The types were checked above; the edge that runs it gives it its guest.
  return erased as unknown as Operation
}

/** The operation as one for visitors' pages, or null when it is for keys or for anybody. */
export function asGuest(operation: Operation): GuestOperation | null {
  return 'guests' in operation ? (operation as unknown as GuestOperation) : null
}

/** Whether forms are sent to it: a browser without a script gets a page, or is sent on (303). */
export function takesForms(operation: Operation): boolean {
  return asGuest(operation) !== null && operation.body !== undefined
}

/** How a form may be encoded, beside JSON. */
export const formTypes = ['application/x-www-form-urlencoded', 'multipart/form-data'] as const
