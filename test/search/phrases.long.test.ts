/**
 * Measures how well search_operations finds what owners and agents ask for. The phrases of
 * phrases.jsonl were written without knowledge of the operations; the accepted operations were added
 * by hand. The search learns from them, so each set is measured by a search that does not know it.
 *
 * HOMEPORT_SEARCH_PHRASES=FILE measures a file of new phrases instead, with lines `{"phrase",
 * "operations": [names] | null, "lang"?, "half"?}`; null means that no operation serves the wish.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { operations, peopleOperations } from '../../server/app.ts'
import { runAtOnce } from '../../server/kernel/limits/slices.ts'
import { openTestRuntime } from '../fixtures/runtime.ts'
import { callMessage, post } from '../fixtures/mcp/mcp.ts'
import { tokensOf } from '../fixtures/docs/tokens.ts'
import { createCatalog } from '../../server/edges/mcp/catalog.ts'
import {
  createOperationSearch,
  type OperationSearch,
} from '../../server/edges/mcp/search/catalog-index.ts'
import { readMeasuredPhrases } from '../../server/edges/mcp/search/phrases/measured-phrases.ts'

/** The sets that were not read when the lists of words were written. */
const SETS = ['ninth', 'tenth', 'twelfth']
const QUERY_CHARACTERS_MAX = 200
const PHRASES_OF_A_KEY = 100

interface Phrase {
  phrase: string
  operations: readonly string[] | null
  lang?: string
  half?: string
}

interface Judged extends Phrase {
  found: readonly string[]
  is_first: boolean
  is_in_five: boolean
}

const catalog = createCatalog(operations, peopleOperations)
const file = process.env['HOMEPORT_SEARCH_PHRASES']
const measured = runAtOnce(readMeasuredPhrases())
const phrases: readonly Phrase[] = file
  ? readLines(file)
  : measured.filter(({ half }) => SETS.includes(half))
const judged: Judged[] = []
for (const [set, some] of Map.groupBy(phrases, ({ half }) => half)) {
  const search = createOperationSearch(catalog, set === undefined ? {} : { without_set: set })
  for (const one of some) judged.push(await judge(one, search))
}

function readLines(path: string): readonly Phrase[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines.filter((line) => line.trim() !== '').map((line): Phrase => JSON.parse(line))
}

async function judge(one: Phrase, search: OperationSearch): Promise<Judged> {
  const { hits } = await search(one.phrase.slice(0, QUERY_CHARACTERS_MAX))
  const found = hits.map(({ name }) => name)
  const rank = found.findIndex((name) => one.operations?.includes(name))
  const is_refused = one.operations === null && found.length === 0
  return {
    ...one,
    found,
    is_first: is_refused || rank === 0,
    is_in_five: is_refused || (rank >= 0 && rank < 5),
  }
}

function percent(part: number, of: number): number {
  return of === 0 ? 100 : Math.round((100 * part) / of)
}

function summaryOf(some: readonly Judged[]) {
  const possible = some.filter(({ operations: accepted }) => accepted !== null)
  const impossible = some.filter(({ operations: accepted }) => accepted === null)
  return {
    possible: possible.length,
    first_percent: percent(possible.filter(({ is_first }) => is_first).length, possible.length),
    in_five_percent: percent(
      possible.filter(({ is_in_five }) => is_in_five).length,
      possible.length,
    ),
    impossible: impossible.length,
    nothing_fits_percent: percent(
      impossible.filter(({ is_first }) => is_first).length,
      impossible.length,
    ),
  }
}

const by = (field: 'lang' | 'half') =>
  [...Map.groupBy(judged, (one) => one[field] ?? 'none')].map(([name, some]) => [
    name,
    summaryOf(some),
  ])
const all = summaryOf(judged)
console.table(Object.fromEntries([['all', all], ...by('lang'), ...by('half')]))
for (const { phrase, operations: accepted, found } of judged.filter(({ is_first }) => !is_first))
  console.log(`"${phrase}" wants ${accepted?.join(' or ') ?? 'nothing'}, found ${found.join(', ')}`)

describe('search_operations on phrases of owners and agents that it does not know', () => {
  test('puts an accepted operation first for 80 % of them', () => {
    assert.ok(all.first_percent >= 80, `${all.first_percent} %`)
  })

  test('has an accepted operation among five for 95 % of them', () => {
    assert.ok(all.in_five_percent >= 95, `${all.in_five_percent} %`)
  })

  test('answers nine of ten impossible wishes with "nothing fits"', () => {
    assert.ok(all.nothing_fits_percent >= 90, `${all.nothing_fits_percent} %`)
  })
})

describe('search_operations on phrases of owners and agents', () => {
  test('takes at most 600 tokens for a reply over MCP', async () => {
    const fixture = await openTestRuntime({ work: false })
    let key = fixture.key
    let tokens_sum = 0
    for (const [at, { phrase }] of phrases.entries()) {
      if (at % PHRASES_OF_A_KEY === 0) key = await fixture.newKey()
      const query = phrase.slice(0, QUERY_CHARACTERS_MAX)
      const { body } = await post(fixture, callMessage('search_operations', { query }), { key })
      const tokens = tokensOf(body.result.content[0].text.length)
      assert.ok(tokens <= 600, `"${phrase}": ${tokens} tokens`)
      tokens_sum += tokens
    }
    console.log(`${Math.round(tokens_sum / phrases.length)} tokens on average`)
  })
})
