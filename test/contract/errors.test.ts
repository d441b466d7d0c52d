/**
 * Compares the error catalogue with the specification's table, and checks the rules for its
 * sentences.
 */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { errorCatalogue, type ErrorSlug } from '../../server/contract/error-catalogue.ts'
import * as errors from '../../server/contract/errors.ts'
import { writeNextStep, restPhrasing } from '../../server/contract/problems/next-steps.ts'
import { rowsOf } from './specification.ts'

const { statusesOf } = errors
const slugs = Object.keys(errorCatalogue).filter(isSlug)
const nextOf = (slug: ErrorSlug) => writeNextStep(restPhrasing, errorCatalogue[slug].next)

function isSlug(word: string): word is ErrorSlug {
  return Object.hasOwn(errorCatalogue, word)
}

/** Splits a text at white space. */
function words(text: string): string[] {
  return text.trim().split(/\s+/)
}

const tradeWords = words(`api http https json url dns oauth scope header slug token webhook endpoint
  schema payload id ip`)

describe('the error catalogue', () => {
  it('begins with the 108 rows of the specification in their order, each with its status', () => {
    const rows = slugs.map((slug) => `${statusesOf(slug).join('|')} ${slug}`)
    const expected = rowsOf('errors').map(
      ([status = '', slug]) => `${status.replace(' or ', '|')} ${slug}`,
    )
    assert.equal(expected.length, 108)
    assert.deepEqual(rows.slice(0, expected.length), expected)
  })

  it('marks exactly one reason as never an HTTP response', () => {
    const silent = slugs.filter((slug) => errorCatalogue[slug].http === false)
    assert.deepEqual(silent, ['test_free_calls_used'])
  })

  it('has the title of RFC 9110 for every status', () => {
    for (const slug of slugs) {
      for (const status of statusesOf(slug)) assert.match(errors.statusTitle(status), /^[A-Z]/)
    }
    assert.equal(errors.statusTitle(413), 'Content Too Large')
    assert.equal(errors.statusTitle(422), 'Unprocessable Content')
    assert.throws(() => errors.statusTitle(418), /No error has the status 418/)
  })

  it('has a user message of one sentence with a full stop for each error', () => {
    for (const slug of slugs) {
      assert.match(errorCatalogue[slug].user, /^[A-Z][^.!?:;]{15,98}\.$/, slug)
    }
  })

  it('contains no slug, status or technical term in user messages', () => {
    const trade = new RegExp(`\\b(${tradeWords.join('|')})s?\\b`, 'i')
    for (const slug of slugs) {
      const { user } = errorCatalogue[slug]
      assert.doesNotMatch(user, /[0-9_{}<>/]/, slug)
      assert.doesNotMatch(user, trade, slug)
      const named = slugs.find((other) =>
        user
          .toLowerCase()
          .split(/[^a-z_]+/)
          .includes(other),
      )
      assert.equal(named, undefined, slug)
    }
  })

  it('explains each error and its next step in whole sentences', () => {
    for (const slug of slugs) {
      const { about } = errorCatalogue[slug]
      const next = nextOf(slug)
      assert.match(about, /^[A-Z][^]{20,}\.$/, slug)
      assert.match(next, /^[A-Z][^]{20,}\.$/, slug)
      assert.doesNotMatch(about + next, /undefined|NaN|object Object| {2}| $/, slug)
    }
  })

  it('has a different user message for each error', () => {
    for (const member of ['about', 'user', 'next'] as const) {
      const said = slugs.map((slug) =>
        member === 'next' ? nextOf(slug) : errorCatalogue[slug][member],
      )
      const twice = said.filter((text, index) => said.indexOf(text) !== index)
      assert.deepEqual(twice, [], member)
    }
  })

  it('quotes limits and plans as the specification does', () => {
    const about = (slug: ErrorSlug) => errorCatalogue[slug].about
    assert.match(about('rate_limited'), /more than 120 requests in 60 seconds/)
    assert.match(about('idempotency_key_invalid'), /1 to 255 visible ASCII/)
    assert.match(about('invalid_conversation_token'), /older than 6 hours/)
    assert.match(about('conversation_limit_reached'), /1000 in live mode.*25 in test mode/)
    assert.match(about('public_chat_limit_reached'), /200 unless set, up to 1000.*5 unless set, up/)
    assert.match(about('plan_limit_reached'), /3 sites, 10 MB of data, 100 MB of files/)
    assert.match(about('site_too_large'), /50 files, more than 1 MB .* more than 5 MB in total/)
    assert.match(about('deploy_limit_reached'), /120 times per hour, and 30 times/)
    assert.match(about('upload_not_received'), /within 15 minutes/)
    assert.match(
      about('email_paused'),
      /5% of the last 200 emails bounced or more than 0\.1% were.*at least 5 people/,
    )
    assert.match(about('attachment_too_large'), /10 attachments or more than 10 MB/)
    assert.match(about('dedicated_ip_not_available'), /Business and Enterprise\./)
    assert.match(
      about('collection_limit_reached'),
      /20 on Free, 50 on Online, 100 on Reachable, 200/,
    )
    assert.match(about('document_limit_reached'), /10000 documents/)
    assert.match(about('document_too_large'), /64 kB/)
    assert.match(nextOf('message_too_long'), /918 characters, or 402/)
  })
})
