/**
 * Search over the operations that an assistant can run and those of signed-in people in the portal:
 * BM25 (MiniSearch) over their names, descriptions, arguments and keywords. The index is built at the
 * first search.
 */
import MiniSearch from 'minisearch'
import type { Operation } from '../../../contract/operation.ts'
import type { PeopleOperation } from '../../../contract/people.ts'
import type { JsonSchema } from '../../describe/json-schema.ts'
import { findArea, takeFirstSentence } from '../../describe/words.ts'
import type { Catalog } from '../catalog.ts'
import type { OperationTool } from '../tools/tool.ts'
import { createTerms, findDottedNames, rememberTerms, splitWords } from './terms.ts'

export type Hit =
  | { kind: 'operation'; name: string; operation: Operation; tool: OperationTool }
  | { kind: 'portal'; name: string; operation: PeopleOperation }

export interface SearchResult {
  /** Best first; empty if no operation has a word of the query. */
  hits: readonly Hit[]
  /** The other operations of the nearest areas. */
  others: readonly Hit[]
  /** The share of the query's words that the best hit has, from 0 to 1. Stop words do not count. */
  share: number
  /** Words of the query that no operation has; they often name what the service does not do. */
  unknown: readonly string[]
}

export type OperationSearch = (query: string) => SearchResult

const HITS_MAX = 5
/** What scores less than this share of the best is not shown, because it is a near miss. */
const SCORE_SHARE_MIN = 0.35
/** Of the operations of the portal, the best one is shown, and others with at least this share. */
const PORTAL_SHARE_MIN = 0.75
const AREAS_MAX = 2
/** The best matches of a query, which determine its nearest areas. */
const MATCHES_OF_AREAS = 8
/** Minimum number of words outside quotes; with fewer, the quoted text belongs to the wish. */
const UNQUOTED_WORDS_MIN = 3
/** Minimum length of a word that also matches as a prefix or with a misspelling. */
const GUESSED_CHARACTERS_MIN = 5

const boost = { name: 3, keywords: 4, summary: 1, parameters: 0.5, types: 5 }
const isLong = (term: string) => term.length >= GUESSED_CHARACTERS_MIN

const searches = new WeakMap<Catalog, OperationSearch>()

/** Returns the search of a catalog, with a shared index. */
export function createOperationSearch(catalog: Catalog): OperationSearch {
  const known = searches.get(catalog)
  if (known) return known
  let built: OperationSearch | null = null
  const search: OperationSearch = (query) => (built ??= build(catalog))(query)
  searches.set(catalog, search)
  return search
}

function build(catalog: Catalog): OperationSearch {
  const hits = hitsOf(catalog)
  const toTerm = createTerms()
  const index = new MiniSearch({
    idField: 'id',
    fields: Object.keys(boost),
    tokenize: (text, field) => (field === 'types' ? text.split(' ') : splitWords(text)),
    processTerm: rememberTerms(toTerm),
    searchOptions: {
      tokenize: splitWords,
      processTerm: toTerm,
      boost,
      bm25: { k: 1.2, b: 0.3, d: 0.5 },
      prefix: isLong,
      fuzzy: (term) => (isLong(term) ? 0.2 : false),
    },
  })
  index.addAll([...hits.values()].map(fieldsOf))
  const areas = Map.groupBy(hits.values(), ({ operation }) => findArea(operation))
  return (query) => {
    const exact = hits.get(query)
    if (exact) return { hits: [exact], others: [], share: 1, unknown: [] }
    const wish = withoutQuotes(query)
    const found = index.search(wish)
    const matches = found.flatMap(({ id, score }) => {
      const hit = hits.get(id)
      return hit ? [{ hit, score }] : []
    })
    const words = splitWords(wish).filter((word) => /\p{L}/u.test(word))
    const asked = new Set(words.flatMap((word) => toTerm(word) ?? []))
    const anywhere = new Set(found.flatMap(({ queryTerms }) => queryTerms))
    const unknown = words.filter((word) =>
      [toTerm(word) ?? []].flat().some((term) => !anywhere.has(term)),
    )
    const known = new Set(found[0]?.queryTerms)
    const top = matches[0]?.score ?? 0
    const firstOfPortal = matches.find(({ hit }) => hit.kind === 'portal')
    const best = matches
      .filter(({ score }) => score >= top * SCORE_SHARE_MIN)
      .filter(
        (one) =>
          one.hit.kind === 'operation' ||
          one === firstOfPortal ||
          one.score >= top * PORTAL_SHARE_MIN,
      )
      .slice(0, HITS_MAX)
      .map(({ hit }) => hit)
    const near = nearestAreas(matches).flatMap((area) => areas.get(area) ?? [])
    const others = near.filter((hit) => !best.includes(hit))
    return { hits: best, others, unknown, share: asked.size === 0 ? 0 : known.size / asked.size }
  }
}

/** Returns the areas with the highest sums of scores. */
function nearestAreas(matches: readonly { hit: Hit; score: number }[]): string[] {
  const scores = new Map<string, number>()
  for (const { hit, score } of matches.slice(0, MATCHES_OF_AREAS)) {
    const area = findArea(hit.operation)
    scores.set(area, (scores.get(area) ?? 0) + score)
  }
  const sorted = [...scores].toSorted(([, left], [, right]) => right - left)
  return sorted.slice(0, AREAS_MAX).map(([area]) => area)
}

/** Leaves out quoted text, which is mostly a name or a value that says nothing about the wish. */
function withoutQuotes(query: string): string {
  const rest = query.replaceAll(/["“„«][^"“”„«»]*["“”»]/g, ' ')
  return splitWords(rest).length >= UNQUOTED_WORDS_MIN ? rest : query
}

/** Returns all hits by name. An operation that the assistant can run replaces one of the portal. */
function hitsOf({ all, people }: Catalog): ReadonlyMap<string, Hit> {
  const hits: Hit[] = [
    ...people.map((operation) => ({ kind: 'portal' as const, name: operation.name, operation })),
    ...[...all].map(([name, tool]) => {
      return { kind: 'operation' as const, name, operation: tool.operation, tool }
    }),
  ]
  return new Map(hits.map((hit) => [hit.name, hit]))
}

function fieldsOf(hit: Hit): Record<string, string> {
  const { name, keywords = '', about } = hit.operation
  const tool = hit.kind === 'portal' ? null : hit.tool
  const choices = choicesOf(tool?.shape ?? {})
  const isType = (choice: string) => choice.includes('.')
  return {
    id: name,
    name,
    keywords,
    summary: takeFirstSentence(about),
    parameters: [...(tool?.places.keys() ?? []), ...choices.filter((one) => !isType(one))].join(
      ' ',
    ),
    types: choices.filter(isType).join(' '),
  }
}

/** The enum values of a schema, and the dotted names in descriptions, such as event types. */
function choicesOf({ description = '', enum: values, properties, items }: JsonSchema): string[] {
  const parts = [...Object.values(properties ?? {}), ...(items ? [items] : [])]
  return [
    ...(values ?? []).map(String),
    ...findDottedNames(description),
    ...parts.flatMap(choicesOf),
  ]
}
