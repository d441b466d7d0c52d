/**
 * The single declaration of an operation. The route and its validation, the order of checks, the
 * OpenAPI entry, the docs page, the SDK method, the MCP tool and the tests it owes are read from
 * it and never written again. A reply of the wrong shape or an unknown error slug does not
 * compile. What one operation alone needs is code in its `run`, not another key here.
 */
import type { Static, TObject, TProperties, TSchema } from 'typebox'
import type { Caller, Visitor } from './caller.ts'
import type { ErrorSlug } from './errors.ts'
import type { Scope } from './scopes.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Route = `${Method} /${string}`

/** What an operation does to the world; drives hints, approvals and simulation. */
export type Effect = 'read' | 'write' | 'outside' | 'money'

type Shape<S> = S extends TSchema ? Static<S> : Record<never, never>

export interface Input<Params, Query, Body> {
  params: Shape<Params>
  query: Shape<Query>
  body: Body extends TSchema ? Static<Body> : undefined
  /** The version in If-Match, or null when there is none or it is `*`. */
  if_match: number | null
  /** Whether there is an If-Match at all: it asks that there be something to change, `*` too. */
  must_exist: boolean
  /** The body as it came over the wire, for what is stored exactly as sent. */
  text: string
}

/** What would be gone once an operation has run, for the person who decides. */
export interface Loss {
  /** In the owner's words, whole sentences. */
  about: string
  /** How whoever asks reaches the rest without the loss; null: there is no other way. */
  instead: string | null
}

export interface Declaration<
  Params extends TObject<TProperties> | undefined,
  Query extends TObject<TProperties> | undefined,
  Body extends TSchema | undefined,
  Reply extends TSchema | undefined,
> {
  /** `noun.verb`: operation id, SDK method (client.noun.verb), MCP tool (noun_verb). */
  name: `${string}.${string}`
  route: Route
  /** What it does, in a sentence or two. */
  about: string
  /** For an operation that a person may have to agree to before an assistant runs it. */
  consent?: {
    /** What the operation does, for the approver: no API headers, field names or modes. */
    about: string
    /**
     * What the thing is called, where no operation shows it by the same path. A model sees it too,
     * so it must be of a fixed form or a name that the team chose. null: it is not there.
     */
    subject?(input: Input<Params, Query, Body>, caller: Caller): Promise<string | null>
    /**
     * What this input would delete now. null: nothing, so nobody is asked on that account. Throws
     * the Problem of an input that would be refused after the yes.
     */
    loses?(input: Input<Params, Query, Body>, caller: Caller): Promise<Loss | null>
  }
  scope: Scope
  /** `project`: refused to a key limited to some sites and apps. `selection`: open to it. */
  reach: 'project' | 'selection'
  effect: Effect
  params?: Params
  query?: Query
  body?: Body
  /** Where a body is read by other rules than most. */
  body_rules?: {
    /** The size of a body, where it may be more than json_body_bytes_max. */
    bytes_max?: number
    /** How many JSON values a body has at most, where it may be more than json_values_max. */
    values_max?: number
    /**
     * Whether the operation itself refuses a value in the body that no body may have (U+0000, a
     * number beyond doubles), by its JSON pointer. Otherwise the whole body is refused.
     */
    refuses_itself?(body: unknown, path: string): boolean
  }
  status: 200 | 201 | 204
  reply?: Reply
  /** The slugs it can give beyond those every operation can. */
  errors: readonly ErrorSlug[]
  /** The headers that protect a request. */
  headers?: {
    /** `required`: needs an Idempotency-Key, and `run` must call `caller.remember`. */
    idempotency_key?: 'required'
    /** The integer field of the reply that becomes the ETag. With it, If-Match is read. */
    etag?: 'version' | 'revision'
  }
  run(
    input: Input<Params, Query, Body>,
    caller: Caller,
  ): Promise<Reply extends TSchema ? Static<Reply> : void>
}

/** The same for an operation that needs no key. */
type PublicDeclaration<
  Query extends TObject<TProperties> | undefined,
  Reply extends TSchema | undefined,
> = Omit<Declaration<undefined, Query, undefined, Reply>, 'scope' | 'reach' | 'headers' | 'run'> & {
  run(
    input: Input<undefined, Query, undefined>,
    visitor: Visitor,
  ): Promise<Reply extends TSchema ? Static<Reply> : void>
}

/** An operation with its types erased, as the edges read it. */
export type Operation = Omit<
  Declaration<TObject | undefined, TObject | undefined, TSchema | undefined, TSchema | undefined>,
  'scope' | 'run'
> & {
  /** null: public. */
  scope: Scope | null
  method: Method
  /** `test`: exists only in test mode (403 test_key_required), as everything below /test does. */
  mode?: 'test'
  /** Relative to the API root, parameters in braces: `/numbers/{id}`. */
  path: string
  run(input: Input<TObject, TObject, TSchema>, caller: Caller): Promise<unknown>
}

export function operation<
  Params extends TObject<TProperties> | undefined = undefined,
  Query extends TObject<TProperties> | undefined = undefined,
  Body extends TSchema | undefined = undefined,
  Reply extends TSchema | undefined = undefined,
>(declaration: Declaration<Params, Query, Body, Reply>): Operation {
  const [method, path = ''] = declaration.route.split(' ')
  const mode = path.startsWith('/test/') ? { mode: 'test' } : {}
  requireDisjoint(declaration.name, [declaration.params, declaration.query, declaration.body])
  // The types were checked above; the edges validate before they call `run`.
  return { ...declaration, ...mode, method, path } as unknown as Operation
}

export function publicOperation<
  Query extends TObject<TProperties> | undefined = undefined,
  Reply extends TSchema | undefined = undefined,
>(declaration: PublicDeclaration<Query, Reply>): Operation {
  const [method, path] = declaration.route.split(' ')
  return { ...declaration, scope: null, reach: 'selection', method, path } as unknown as Operation
}

/** A tool of MCP takes params, query and body in one object, so their names must differ. */
function requireDisjoint(name: string, shapes: (TSchema | undefined)[]): void {
  const names = shapes.flatMap((shape) =>
    shape && 'properties' in shape ? Object.keys(shape.properties as object) : [],
  )
  const twice = names.find((one, index) => names.indexOf(one) !== index)
  if (twice !== undefined) throw new Error(`${name} takes "${twice}" in two places.`)
}
