/**
 * Tests that parts of the specification that a version lacks are marked wherever they are listed, with a
 * documentation that lacks some, and that this version lacks none.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { eventSources, operations, peopleOperations } from '../../server/app.ts'
import { renderToText } from '../../server/edges/html/html.ts'
import { NOT_YET } from '../../server/edges/docs/available.ts'
import { createLibrary, writeLlmsText } from '../../server/edges/docs/library.ts'
import type { DocsSite } from '../../server/edges/docs/site.ts'

const whole: DocsSite = {
  operations,
  people: peopleOperations,
  sources: eventSources,
  base_url: 'https://home.example/api/v1',
  docs_url: 'https://home.example/docs',
  sites_domain: 'sites.example',
}
/** Without orders of numbers and without the event of a call. */
const partial: DocsSite = {
  ...whole,
  operations: operations.filter(({ name }) => name !== 'numbers.order'),
  sources: eventSources.filter(({ type }) => type !== 'call.completed'),
}

function pagesOf(site: DocsSite) {
  const library = createLibrary(site)
  const textOf = (path: string) => renderToText(library.get(path)?.().main)
  /** The part of a page from the first of these words up to `end`. */
  const isMarked = (path: string, start = '', end = '</html>') =>
    textOf(path).split(start)[1]?.split(end)[0]?.includes(NOT_YET)
  const llms = () => {
    const written = writeLlmsText(site, library)
    for (;;) {
      const { done, value } = written.next()
      if (done) return value
    }
  }
  return { textOf, isMarked, llms }
}

describe('the mark of a part that a version lacks', () => {
  const { textOf, isMarked, llms } = pagesOf(partial)
  const rowOf = (path: string) =>
    [path.replace(/[^/]+$/, '').slice(0, -1), `href="${path}"`] as const

  test('is on an error that no operation returns, and on its page', () => {
    for (const [slug, is_marked] of [
      ['number_already_yours', true],
      ['not_found', false],
    ] as const) {
      const path = `/docs/errors/${slug}`
      assert.equal(isMarked(...rowOf(path), '</tr>'), is_marked, slug)
      assert.equal(textOf(path).includes(NOT_YET), is_marked, slug)
    }
  })

  test('is on an event that nothing emits, and on its page', () => {
    for (const [type, is_marked] of [
      ['call.completed', true],
      ['document.created', false],
    ] as const) {
      const path = `/docs/events/${type}`
      assert.equal(isMarked(...rowOf(path), '</tr>'), is_marked, type)
      assert.equal(textOf(path).includes(NOT_YET), is_marked, type)
    }
  })

  test('is on a limit of a route that does not exist, and on a scope that none needs', () => {
    assert.equal(isMarked('/docs/limits', 'Numbers per live project', '</tr>'), true)
    assert.equal(isMarked('/docs/limits', 'Attachments of one email', '</tr>'), false)
    const without = {
      ...whole,
      operations: operations.filter(({ scope }) => scope !== 'calls:read'),
    }
    const scopes = pagesOf(without)
    assert.equal(scopes.isMarked('/docs/scopes', 'id="calls:read"', '</section>'), true)
    assert.equal(scopes.isMarked('/docs/scopes', 'id="data:read"', '</section>'), false)
  })

  test('is in llms.txt with the names', () => {
    assert.match(llms(), /Not available yet: the errors .*number_already_yours.*call\.completed/)
  })
})

test('this version lacks no error and no event', () => {
  assert.ok(!pagesOf(whole).llms().includes(NOT_YET))
})
