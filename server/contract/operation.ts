/**
 * The declaration of an operation. The route, validation, order of checks, OpenAPI entry,
 * documentation page, MCP tool and common tests derive from it. Replies of a wrong type and unknown
 * slugs do not compile. Logic of a single operation belongs in its `run`. `kind` distinguishes the
 * five kinds: keyed and public here, operations/streams.ts, operations/guests.ts and people.ts.
 */
import type { Static, TObject, TProperties, TSchema } from 'typebox'
import type { Caller, Visitor } from './caller.ts'
import type { ErrorSlug } from './error-catalogue.ts'
import type { EventReply } from './operations/event-replies.ts'
import type { JsonRecord } from './manifest/state-section.ts'
import type { GuestOperation } from './operations/guests.ts'
import type { PeopleOperation } from './people.ts'
import type { PriceItem } from './price-items.ts'
import type { Scope } from './scopes.ts'
import type { StreamOperation } from './operations/streams.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Route = `${Method} /${string}`

/** The kind of effect; determines MCP hints, approvals and simulation. */
export type Effect = 'read' | 'write' | 'outside' | 'money'

type Shape<S> = S extends TSchema ? Static<S> : Record<never, never>

export interface Input<Params, Query, Body> {
  params: Shape<Params>
  query: Shape<Query>
  body: Body extends TSchema ? Static<Body> : undefined
  /** The version in If-Match; null if it is absent or `*`. */
  if_match: number | null
  /** Whether If-Match is present, also as `*`: the resource must exist. */
  must_exist: boolean
  /** The body as received, for data that is stored verbatim. */
  text: string
}

/** The data that an operation would delete, as shown to the person who approves it. */
export interface Loss {
  /** Whole sentences for the project's owner. */
  about: string
  /** How to get the intended result without the loss; null if there is no way. */
  instead: string | null
  /** What the decision depends on beside the text, such as the hash of a file: if it changes, the person is asked again. */
  depends_on?: string
}

/** Finds another operation whose reply is in this one, and its short form. */
export type FindBrief = (operation: string) => Pick<Operation, 'brief'> | null

export interface BriefReply {
  reply: JsonRecord
  /** Text in which outsiders may have written, by field. */
  outsiders?: Readonly<Record<string, string>>
}

export interface OperationDeclaration<
  Params extends TObject<TProperties> | undefined,
  Query extends TObject<TProperties> | undefined,
  Body extends TSchema | undefined,
  Reply extends TSchema | undefined,
> {
  /** `noun.verb`: operation id, MCP tool (noun_verb). */
  name: `${string}.${string}`
  route: Route
  /** What it does, in one or two sentences. */
  about: string
  /**
   * Other words that owners and developers use for it, for the search of MCP and the portal. Required
   * for an operation that the search can return.
   */
  keywords?: string
  /** Everybody on the Internet may see what it does. */
  publishes?: true
  /** Shortens the JSON of a reply for models, which pay for each word. */
  brief?(reply: JsonRecord, find: FindBrief): BriefReply
  /** Texts for the approval of an assistant's request. */
  consent?: {
    /** What the operation does, for the approver: no API headers, field names or modes. */
    about: string
    /**
     * The target's name, if no GET operation has the same path. Models see it, so it must have a
     * fixed form or be chosen by the team. Returns null if the target does not exist.
     */
    subject?(input: Input<Params, Query, Body>, caller: Caller): Promise<string | null>
    /**
     * Path parameters that REST wants repeated in the query if something is lost. Over MCP a person is
     * asked, and the repetition is filled in.
     */
    repeats?: Readonly<Record<string, string>>
    /**
     * What this input would delete now; null if nothing, so that no approval is needed for that.
     * Throws the Problem of an input that would be refused.
     */
    loses?(input: Input<Params, Query, Body>, caller: Caller): Promise<Loss | null>
    /**
     * The priced item that these arguments buy, for the approver; null if they spend money of the
     * project's own payment account. The type `Priced` requires this member where the effect is money.
     */
    costs?(given: Arguments<Params, Query, Body>): PriceItem | null
  }
  scope: Scope
  /**
   * `project`: the operation is refused for a caller who is limited to some sites, apps or
   * collections. `selection`: it is allowed, and checks the limit itself.
   */
  reach: 'project' | 'selection'
  effect: Effect
  /**
   * Set if `run` waits for an outside service, such as a language model or DNS. Agents cannot use such
   * an operation: their steps are transactions, which would keep a database connection busy meanwhile.
   */
  waits_for_others?: true
  params?: Params
  query?: Query
  body?: Body
  /** Exceptions from the common limits of bodies. */
  body_rules?: {
    /** Maximum size in bytes, if it exceeds json_body_bytes_max. */
    bytes_max?: number
    /** Maximum number of JSON values, if it exceeds json_values_max. */
    values_max?: number
    /**
     * Whether the operation itself refuses an unsupported value (U+0000, a number that would be
     * rounded) at this JSON pointer. Otherwise the whole body is refused.
     */
    refuses_itself?(body: unknown, path: string): boolean
  }
  status: 200 | 201 | 204
  reply?: Reply
  /** The error slugs of the operation in addition to the common ones. */
  errors: readonly ErrorSlug[]
  /** Headers for idempotence and concurrency. */
  headers?: {
    /**
     * `required`: needs an Idempotency-Key; `optional`: honours one, and the whole effect of the
     * operation is one transaction. `run` must call `caller.remember` if `caller.idempotency_key`
     * is not null.
     */
    idempotency_key?: 'required' | 'optional'
    /** The integer field of the reply that becomes the ETag. Enables If-Match. */
    etag?: 'version' | 'revision'
  }
  run(
    input: Input<Params, Query, Body>,
    caller: Caller,
  ): Promise<Reply extends TSchema ? Static<Reply> : void>
}

/** Declaration of an operation without a key. */
type PublicDeclaration<
  Query extends TObject<TProperties> | undefined,
  Reply extends TSchema | undefined,
> = Omit<
  OperationDeclaration<undefined, Query, undefined, Reply>,
  'scope' | 'reach' | 'headers' | 'run'
> & {
  run(
    input: Input<undefined, Query, undefined>,
    visitor: Visitor,
  ): Promise<Reply extends TSchema ? Static<Reply> : void>
}

/** Path, query and body parameters in one object, as an MCP tool takes them. */
type Arguments<Params, Query, Body> = Shape<Params> & Shape<Query> & Shape<Body>

/** An operation that costs money names its price. */
type Priced =
  | { effect: Exclude<Effect, 'money'> }
  | { effect: 'money'; consent: { costs(...given: never): PriceItem | null } }

/** A validated input with its types erased. */
export interface AnyInput {
  params: unknown
  query: unknown
  body: unknown
  if_match: number | null
  must_exist: boolean
  text: string
}

/** The common part of all kinds of operations, with types erased, for the edges. */
export interface OperationBase extends Omit<
  OperationDeclaration<
    TObject | undefined,
    TObject | undefined,
    TSchema | undefined,
    TSchema | undefined
  >,
  'scope' | 'consent' | 'run'
> {
  /** Null if no key is needed. */
  scope: Scope | null
  consent?: {
    about: string
    subject?(input: AnyInput, caller: Caller): Promise<string | null>
    repeats?: Readonly<Record<string, string>>
    loses?(input: AnyInput, caller: Caller): Promise<Loss | null>
    costs?(given: unknown): PriceItem | null
  }
  method: Method
  /** `test`: exists only in test mode (403 test_key_required); set for all routes below /test. */
  mode?: 'test'
  /** The name of its MCP tool, if it differs from noun_verb; set by assemble.ts from the manifest. */
  tool?: string
  /** Replies with events too; set by `withEvents`. */
  events?: EventReply
  /** Set if sessions of the portal may call it. */
  for_sessions?: true
  /** Relative to the API root, parameters in braces: `/numbers/{id}`. */
  path: string
}

/** An operation for API keys, connections and sessions with a JSON body and reply. */
export interface KeyedOperation extends OperationBase {
  kind: 'keyed'
  scope: Scope
  run(input: AnyInput, caller: Caller): Promise<unknown>
}

/** An operation that needs no key. */
export interface PublicOperation extends OperationBase {
  kind: 'public'
  scope: null
  run(input: AnyInput, visitor: Visitor): Promise<unknown>
}

/** An operation of the API, which areas list in `operations`. */
export type ApiOperation = KeyedOperation | PublicOperation | StreamOperation | GuestOperation

/** An operation of any kind. */
export type Operation = ApiOperation | PeopleOperation

export function operation<
  Params extends TObject<TProperties> | undefined = undefined,
  Query extends TObject<TProperties> | undefined = undefined,
  Body extends TSchema | undefined = undefined,
  Reply extends TSchema | undefined = undefined,
>(declaration: OperationDeclaration<Params, Query, Body, Reply> & Priced): KeyedOperation {
  const { name, params, query, body } = declaration
  requireDisjoint(name, [params, query, body])
  return {
    ...declaration,
    ...eraseTypes(declaration),
    kind: 'keyed',
    run: (input, caller) => declaration.run(input as Input<Params, Query, Body>, caller),
  }
}

export function publicOperation<
  Query extends TObject<TProperties> | undefined = undefined,
  Reply extends TSchema | undefined = undefined,
>(declaration: PublicDeclaration<Query, Reply>): PublicOperation {
  return {
    ...declaration,
    ...eraseTypes(declaration),
    kind: 'public',
    scope: null,
    reach: 'selection',
    run: (input, visitor) => declaration.run(input as Input<undefined, Query, undefined>, visitor),
  }
}

/**
 * The fields of an operation that follow from its declaration. Erases the types of its inputs, which
 * the edges validate before they call it.
 */
export function eraseTypes<
  Params extends TObject<TProperties> | undefined,
  Query extends TObject<TProperties> | undefined,
  Body extends TSchema | undefined,
>({
  route,
  consent,
}: Pick<OperationDeclaration<Params, Query, Body, undefined>, 'route' | 'consent'>): Pick<
  OperationBase,
  'method' | 'path' | 'mode' | 'consent'
> {
  const [method, path = ''] = route.split(' ')
  const read = (input: AnyInput) => input as Input<Params, Query, Body>
  const { about = '', subject, repeats, loses, costs } = consent ?? {}
  return {
    method: method as Method,
    path,
    ...(path.startsWith('/test/') && { mode: 'test' }),
    ...(consent && {
      consent: {
        about,
        ...(subject && { subject: (input, caller) => subject(read(input), caller) }),
        ...(repeats && { repeats }),
        ...(loses && { loses: (input, caller) => loses(read(input), caller) }),
        ...(costs && { costs: (given) => costs(given as Arguments<Params, Query, Body>) }),
      },
    }),
  }
}

/** An MCP tool takes params, query and body in one object, so their names must differ. */
function requireDisjoint(name: string, shapes: (TSchema | undefined)[]): void {
  const names = shapes.flatMap((shape) =>
    shape && 'properties' in shape ? Object.keys(shape.properties as object) : [],
  )
  const twice = names.find((one, index) => names.indexOf(one) !== index)
  if (twice !== undefined) throw new Error(`${name} takes "${twice}" in two places.`)
}
