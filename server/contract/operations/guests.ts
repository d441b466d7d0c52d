/**
 * Operations for pages in visitors' browsers, authenticated by a public token and its allowed
 * origins instead of a key. They are declared like other operations. A body is JSON that the edge
 * validates, or a form, which the operation reads.
 */
import { Type, type Static, type TObject, type TProperties, type TSchema } from 'typebox'
import type { ProjectRow, Visitor } from '../caller.ts'
import {
  eraseTypes,
  type AnyInput,
  type OperationDeclaration,
  type Input,
  type Operation,
  type OperationBase,
} from '../operation.ts'

/**
 * The caller of a guest operation: an authenticated page of an allowed origin, within its rate
 * limit.
 */
export interface GuestCaller extends Visitor {
  project: ProjectRow
  /** Id of the public token. */
  token_id: string
  /** The site whose deploy made the token; null for other tokens. */
  site_id: string | null
  /** Origin of the page. */
  origin: string
  /** Hash of the visitor's address, for rate limits. It is never stored. */
  address: string
  /** The header X-Conversation-Token; null if it is absent. */
  conversation_token: string | null
  /** Identifies a browser that sends a form without a script; null for every other request. */
  browser: string | null
  /**
   * Starts to read and parse the body. The operation calls it after authorization, so that the body
   * of a refused request is never read.
   */
  takeForm(takeFile: TakeFile): Promise<SubmittedForm>
  /**
   * Returns the absolute URL of a page on an allowed origin of the token. Throws invalid_parameter for
   * any other URL. `name`: the parameter that the error names.
   */
  readPageUrl(name: string, text: string): string
}

/** A file of a form as a stream. */
export interface SubmittedFile {
  field: string
  name: string
  bytes: AsyncIterable<Uint8Array>
}

/**
 * Stores a file of a form and returns the value of its field. Throws if the field takes no files.
 */
export type TakeFile = (file: SubmittedFile) => Promise<string>

/** A JSON object, or the fields of a form in their order. */
export type SubmittedForm =
  | { json: Record<string, unknown> }
  | { fields: readonly SubmittedField[] }

export interface SubmittedField {
  name: string
  value: string
}

/** The token as a query parameter, because a plain form cannot set headers. */
export const guestQuery = {
  token: Type.Optional(
    Type.String({
      description: 'The public token, for clients that cannot send an Authorization header.',
      examples: ['hm_pub_7hQ2mZx0Vb4TcK9sLw3NfR8aYd1GpE5u'],
    }),
  ),
}

type GuestInput<Params, Query, Body> = Pick<Input<Params, Query, Body>, 'params' | 'query' | 'body'>

/** The rate limits in which a guest operation counts, per address and per token. */
export type GuestRate = 'requests' | 'submissions' | 'chat_starts' | 'chat_messages' | 'chat_reads'

export type GuestDeclaration<
  Params extends TObject<TProperties> | undefined,
  Query extends TObject<TProperties> | undefined,
  Body extends TSchema | undefined,
  Reply extends TSchema,
> = Omit<
  OperationDeclaration<Params, Query, Body, Reply>,
  'scope' | 'reach' | 'headers' | 'run'
> & {
  /** Default: `requests`. */
  rate?: GuestRate
  /** `form`: the operation reads its body, a form or JSON, with `takeForm`. */
  takes?: 'form'
  /** Needs the header X-Conversation-Token, for the documentation. */
  in_conversation?: true
  /** Returns the URL to which a browser without JavaScript is redirected, instead of `redirect`. */
  leads_to?(reply: Static<Reply>): string
  run(input: GuestInput<Params, Query, Body>, guest: GuestCaller): Promise<Static<Reply>>
}

/** A guest operation with its types erased, for the edges. */
export interface GuestOperation extends OperationBase {
  kind: 'guest'
  scope: null
  rate: GuestRate
  takes?: 'form'
  in_conversation?: true
  leads_to?(reply: unknown): string
  run(input: Pick<AnyInput, 'params' | 'query' | 'body'>, guest: GuestCaller): Promise<unknown>
}

export function guestOperation<
  Reply extends TSchema,
  Params extends TObject<TProperties> | undefined = undefined,
  Query extends TObject<TProperties> | undefined = undefined,
  Body extends TSchema | undefined = undefined,
>(declaration: GuestDeclaration<Params, Query, Body, Reply>): GuestOperation {
  const { leads_to } = declaration
  return {
    ...declaration,
    ...eraseTypes(declaration),
    ...(leads_to && { leads_to: (reply: unknown) => leads_to(reply as Static<Reply>) }),
    kind: 'guest',
    scope: null,
    reach: 'selection',
    rate: declaration.rate ?? 'requests',
    run: (input, guest) => declaration.run(input as GuestInput<Params, Query, Body>, guest),
  }
}

/**
 * Whether the operation accepts HTML forms. A form sent without JavaScript is answered with a page
 * or a redirect (303).
 */
export function takesForms(operation: Operation): boolean {
  return operation.kind === 'guest' && operation.takes === 'form'
}

/** Accepted form encodings, besides JSON. */
export const formTypes = ['application/x-www-form-urlencoded', 'multipart/form-data'] as const
