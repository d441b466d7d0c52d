/** The Problem class that rules throw, and its reply. The errors are in error-catalogue.ts. */
import assert from 'node:assert/strict'
import { Type, type Static } from 'typebox'
import { errorCatalogue, type ErrorSlug } from './error-catalogue.ts'
import { markAsOutsiders } from './schema/outsiders.ts'
import { writeNextStep, restPhrasing, type NextStep, type Phrasing } from './problems/next-steps.ts'

/** Optional parts of a Problem. */
export interface ProblemExtra {
  /** The status, if the catalogue has two. */
  readonly status?: number
  readonly errors?: readonly { readonly path: string; readonly message: string }[]
  readonly missing?: readonly string[]
  readonly current_version?: number
  /** The Retry-After header. */
  readonly retry_after_s?: number
  /** Replaces the catalogue's sentence, for example to name the allowed sites. */
  readonly user_message?: string
  /** Replaces the catalogue's next step. */
  readonly next_step?: NextStep
  readonly headers?: Readonly<Record<string, string>>
  /** For the log only; never part of a reply. */
  readonly cause?: unknown
  /** Whether `detail` and `errors` quote text of outsiders; never part of a reply. */
  readonly quotes_outsiders?: true
  /** Further documented members of the reply, such as limit and used_today. */
  readonly fields?: Readonly<Record<string, unknown>>
  /** The outcome is unknown: only a retry of the same request is allowed. */
  readonly outcome_unknown?: true
}

/** The only error class that rules throw and that clients see. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly slug: ErrorSlug
  readonly status: number
  readonly detail: string
  readonly extra: ProblemExtra

  constructor(slug: ErrorSlug, detail: string, extra: ProblemExtra = {}) {
    super(detail, 'cause' in extra ? { cause: extra.cause } : {})
    assert(detail.trim() !== '', `A problem needs a detail: ${slug}.`)
    for (const member of Object.keys(extra.fields ?? {})) {
      assert(!Object.hasOwn(ProblemSchema.properties, member), `Not a further member: ${member}.`)
    }
    this.slug = slug
    this.status = statusOf(slug, extra.status)
    this.detail = detail
    this.extra = extra
  }
}

function statusOf(slug: ErrorSlug, asked: number | undefined): number {
  const [first, second] = statusesOf(slug)
  const status = asked ?? first
  assert(status === first || status === second, `${slug} never has the status ${status}.`)
  return status
}

/** Returns the statuses of an error, the default first. */
export function statusesOf(slug: ErrorSlug): readonly [number] | readonly [number, number] {
  const { status } = errorCatalogue[slug]
  return typeof status === 'number' ? [status] : status
}

// Written out, because Node's names of 413 and 422 are older than RFC 9110.
const titles: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  402: 'Payment Required',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  409: 'Conflict',
  412: 'Precondition Failed',
  413: 'Content Too Large',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
}

export function statusTitle(status: number): string {
  const title = titles[status]
  assert(title !== undefined, `No error has the status ${status}.`)
  return title
}

/** The schema of error replies (RFC 9457). */
export const ProblemSchema = Type.Object(
  {
    type: Type.String({
      format: 'uri',
      description: 'URL of the page about this error; its last part is the slug. Branch on this.',
      examples: ['https://home.example/docs/errors/schema_mismatch'],
    }),
    title: Type.String({
      description: 'The HTTP status in words.',
      examples: ['Unprocessable Content'],
    }),
    status: Type.Integer({
      description: 'The HTTP status code, same as that of the response.',
      examples: [422],
    }),
    detail: markAsOutsiders(
      Type.String({
        description: 'One sentence about this request. Its wording may change.',
        examples: ['/guests: must be a whole number.'],
      }),
    ),
    request_id: Type.String({
      description: 'The same value as the X-Request-Id header.',
      examples: ['req_4075abc9e6f6e29c9266'],
    }),
    user_message: Type.String({
      description: 'One plain sentence to show to a user unchanged.',
      examples: ['Some of what was filled in does not fit here.'],
    }),
    next_step: Type.Optional(
      Type.String({
        description: 'What a chat or an agent should do next.',
        examples: ['Correct what errors names, and send it again.'],
      }),
    ),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          // Fields of a document have the names that its sender chose.
          path: markAsOutsiders(
            Type.String({
              description: 'JSON Pointer to the field at fault.',
              examples: ['/guests'],
            }),
          ),
          message: markAsOutsiders(
            Type.String({
              description: 'Error message.',
              examples: ['must be a whole number'],
            }),
          ),
        }),
        { description: 'All errors found in the request, on validation errors.' },
      ),
    ),
    missing: Type.Optional(
      Type.Array(Type.String({ examples: ['kvk_number'] }), {
        description: 'Missing items, such as company details.',
      }),
    ),
    current_version: Type.Optional(
      Type.Integer({
        description: 'Current version of the resource, on version conflicts.',
        examples: [4],
      }),
    ),
  },
  {
    additionalProperties: true,
    description: 'An error (application/problem+json). Some errors have additional fields.',
  },
)

export type ProblemDocument = Static<typeof ProblemSchema>

/** The URL of an error's page, which is also the error's type. */
export function errorUrl(slug: ErrorSlug, docs_url: string): string {
  return `${docs_url.replace(/\/+$/, '')}/errors/${slug}`
}

/** Builds the reply's body. The caller sets the status, Retry-After and other headers. */
export function problemDocument(
  problem: Problem,
  request: {
    readonly request_id: string
    readonly docs_url: string
    readonly phrasing?: Phrasing
  },
): ProblemDocument {
  const { slug, status, detail, extra } = problem
  const { user, next } = errorCatalogue[slug]
  const { phrasing = restPhrasing } = request
  return {
    type: errorUrl(slug, request.docs_url),
    title: statusTitle(status),
    status,
    detail: phrasing.rename(detail),
    request_id: request.request_id,
    user_message: extra.user_message ?? user,
    next_step: writeNextStep(phrasing, extra.next_step ?? next, extra.retry_after_s ?? null),
    ...(extra.errors && {
      errors: extra.errors.map((fault) => ({ ...fault, message: phrasing.rename(fault.message) })),
    }),
    ...(extra.missing && { missing: [...extra.missing] }),
    ...(extra.current_version !== undefined && { current_version: extra.current_version }),
    ...extra.fields,
  }
}
