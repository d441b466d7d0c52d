/**
 * Measures search_operations on phrases.txt: wishes of owners and agents, written without knowledge of
 * the operations, each with the operations that serve it. HOMEPORT_SEARCH_PHRASES=FILE measures another
 * file of such lines.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { operations, peopleOperations } from '../../server/app.ts'
import { createCatalog } from '../../server/edges/mcp/catalog.ts'
import { createOperationSearch } from '../../server/edges/mcp/search/catalog-index.ts'
import { callMessage, post } from '../fixtures/mcp/mcp.ts'
import { tokensOf } from '../fixtures/docs/tokens.ts'
import { openTestRuntime } from '../fixtures/runtime.ts'

const REPLY_PERCENT_MIN = 92
const TOKENS_MEAN_MAX = 450
const PHRASES_OF_A_KEY = 100

const file =
  process.env['HOMEPORT_SEARCH_PHRASES'] ?? new URL('phrases.txt', import.meta.url).pathname
const lines = readFileSync(file, 'utf8').trim().split('\n')
const phrases = lines.map((line) => {
  const [phrase = '', accepted = ''] = line.split(' | ')
  return { phrase, accepted: accepted.split(' ') }
})
const catalog = createCatalog(operations, peopleOperations)
const search = createOperationSearch(catalog)

describe('search_operations on wishes in the words of owners and agents', () => {
  test(`has an accepted operation in the reply to ${REPLY_PERCENT_MIN} % of them`, () => {
    const counts = { first: 0, in_five: 0, in_reply: 0 }
    for (const { phrase, accepted } of phrases) {
      const { hits, others } = search(phrase)
      const names = [...hits, ...others].map(({ name }) => name)
      const rank = names.findIndex((name) => accepted.includes(name))
      if (rank === 0) counts.first += 1
      if (rank >= 0 && rank < hits.length) counts.in_five += 1
      if (rank >= 0) counts.in_reply += 1
      else console.log(`"${phrase}" wants ${accepted.join(' or ')}, found ${names.join(', ')}`)
    }
    console.log(phrases.length, counts)
    const percent = (100 * counts.in_reply) / phrases.length
    assert.ok(percent >= REPLY_PERCENT_MIN, `${percent} %`)
  })

  test(`takes at most ${TOKENS_MEAN_MAX} tokens for a reply on average`, async () => {
    const fixture = await openTestRuntime({ work: false })
    let key = fixture.key
    let tokens = 0
    for (const [at, { phrase }] of phrases.entries()) {
      if (at % PHRASES_OF_A_KEY === 0) key = await fixture.newKey()
      const { body } = await post(fixture, callMessage('search_operations', { query: phrase }), {
        key,
      })
      tokens += tokensOf(body.result.content[0].text.length)
    }
    const mean = Math.round(tokens / phrases.length)
    console.log(`${mean} tokens on average`)
    assert.ok(mean <= TOKENS_MEAN_MAX, `${mean} tokens`)
  })
})

describe('the keywords of operations', () => {
  test('exist for every operation that the search can return', () => {
    const found = [
      ...[...catalog.all.values()].map(({ operation }) => operation),
      ...catalog.people,
    ]
    for (const { name, keywords } of found) assert.ok(keywords, `${name} has no keywords.`)
  })
})
