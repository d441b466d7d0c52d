/** The Problem that rules throw, and the problem document that clients get. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Value } from 'typebox/value'
import { errorCatalogue, type ErrorSlug } from '../../server/contract/error-catalogue.ts'
import * as errors from '../../server/contract/errors.ts'
import { writeNextStep, restPhrasing } from '../../server/contract/problems/next-steps.ts'

const { errorUrl, Problem, problemDocument, ProblemSchema, statusesOf } = errors
const slugs = Object.keys(errorCatalogue).filter(isSlug)
const nextOf = (slug: ErrorSlug) => writeNextStep(restPhrasing, errorCatalogue[slug].next)
const request = { request_id: 'req_0123456789abcdefghij', docs_url: 'https://example.com/docs' }

function isSlug(word: string): word is ErrorSlug {
  return Object.hasOwn(errorCatalogue, word)
}

/** Splits a text at white space. */
function words(text: string): string[] {
  return text.trim().split(/\s+/)
}

describe('a problem', () => {
  it('is an Error with its slug, status, detail and cause', () => {
    const cause = new Error('The socket closed.')
    const problem = new Problem('upstream_error', 'The carrier did not answer.', { cause })
    assert.ok(problem instanceof Error)
    assert.equal(problem.name, 'Problem')
    assert.equal(problem.message, 'The carrier did not answer.')
    assert.equal(problem.detail, 'The carrier did not answer.')
    assert.equal(problem.slug, 'upstream_error')
    assert.equal(problem.status, 502)
    assert.equal(problem.cause, cause)
    assert.equal('cause' in new Problem('not_found', 'No such call.'), false)
  })

  it('defaults to the first of two statuses', () => {
    for (const [slug, first, second] of [
      ['version_conflict', 409, 412],
      ['chat_token_revoked', 401, 409],
      ['plan_limit_reached', 402, 409],
    ] as const) {
      assert.equal(new Problem(slug, 'Once.').status, first)
      assert.equal(new Problem(slug, 'Once.', { status: first }).status, first)
      assert.equal(new Problem(slug, 'Once.', { status: second }).status, second)
    }
  })

  it('refuses a status that its error does not have', () => {
    assert.throws(() => new Problem('version_conflict', 'Once.', { status: 404 }), /never has/)
    assert.throws(() => new Problem('not_found', 'Once.', { status: 409 }), /never has/)
    assert.equal(new Problem('not_found', 'Once.', { status: 404 }).status, 404)
  })

  it('refuses an empty detail, and extra members that shadow a standard one', () => {
    assert.throws(() => new Problem('conflict', ' '), /needs a detail/)
    for (const member of Object.keys(ProblemSchema.properties)) {
      const extra = { fields: { [member]: 1 } }
      assert.throws(() => new Problem('conflict', 'Once.', extra), /Not a further member/, member)
    }
  })
})

describe('a problem document', () => {
  it('has exactly the required members and the next step by default', () => {
    const problem = new Problem('webhook_limit_reached', 'This project has 10 endpoints.')
    assert.deepEqual(problemDocument(problem, request), {
      type: 'https://example.com/docs/errors/webhook_limit_reached',
      title: 'Conflict',
      status: 409,
      detail: 'This project has 10 endpoints.',
      request_id: 'req_0123456789abcdefghij',
      user_message: errorCatalogue.webhook_limit_reached.user,
      next_step: nextOf('webhook_limit_reached'),
    })
  })

  it('includes extra members, but never cause, headers or retry time', () => {
    const faults = [{ path: '/name', message: 'is required' }]
    const problem = new Problem('version_conflict', 'It is at version 7.', {
      status: 412,
      errors: faults,
      missing: ['vat_number'],
      current_version: 7,
      retry_after_s: 3,
      headers: { allow: 'GET' },
      cause: new Error('secret'),
      user_message: 'Only the site Bakery can be changed here.',
      fields: { limit: 200, used_today: 200 },
    })
    assert.deepEqual(problemDocument(problem, request), {
      type: 'https://example.com/docs/errors/version_conflict',
      title: 'Precondition Failed',
      status: 412,
      detail: 'It is at version 7.',
      request_id: 'req_0123456789abcdefghij',
      user_message: 'Only the site Bakery can be changed here.',
      next_step: nextOf('version_conflict'),
      errors: faults,
      missing: ['vat_number'],
      current_version: 7,
      limit: 200,
      used_today: 200,
    })
  })

  it('includes version 0', () => {
    const problem = new Problem('version_conflict', 'Read it again.', { current_version: 0 })
    assert.equal(problemDocument(problem, request).current_version, 0)
  })

  it('matches its own schema for every error and status', () => {
    for (const slug of slugs) {
      for (const status of statusesOf(slug)) {
        const document = problemDocument(new Problem(slug, 'Once.', { status }), request)
        assert.deepEqual(Value.Errors(ProblemSchema, document), [], slug)
        assert.equal(document.status, status)
      }
    }
  })

  it('can be serialized with any detail', () => {
    fc.assert(
      fc.property(fc.constantFrom(...slugs), fc.string({ minLength: 1 }), (slug, text) => {
        const document = problemDocument(new Problem(slug, `${text}.`), request)
        assert.deepEqual(JSON.parse(JSON.stringify(document)), document)
      }),
    )
  })

  it('documents each member, six of them as required', () => {
    const described = Object.entries(ProblemSchema.properties)
    for (const [name, schema] of described) assert.ok('description' in schema, name)
    assert.deepEqual(
      described.map(([name]) => name),
      words(`type title status detail request_id user_message next_step errors missing
        current_version`),
    )
    assert.deepEqual(
      ProblemSchema.required,
      words('type title status detail request_id user_message'),
    )
  })

  it('links to its page for a docs_url with or without a trailing slash', () => {
    const page = 'http://localhost:4400/docs/errors/slug_taken'
    assert.equal(errorUrl('slug_taken', 'http://localhost:4400/docs'), page)
    assert.equal(errorUrl('slug_taken', 'http://localhost:4400/docs/'), page)
  })
})
