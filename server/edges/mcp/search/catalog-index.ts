/**
 * Search over all wishes that a user may have: operations that the assistant can run, operations of
 * signed-in people in the portal, and kinds of wishes that the service does not offer. The index is
 * built at the first search, because that takes longer than the rest of the start, and in time
 * slices, because other requests are served meanwhile.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { eventTypeNames } from '../../../contract/event-types.ts'
import type { PeopleOperation } from '../../../contract/people.ts'
import { inSlices } from '../../../kernel/limits/slices.ts'
import type { JsonSchema } from '../../docs/describe/json-schema.ts'
import type { Catalog } from '../catalog.ts'
import type { OperationTool } from '../tools/tool.ts'
import { createFinder, type SearchEntry } from './finder.ts'
import { readClasses, trainIntents } from './intents.ts'
import { addLogarithms } from './log-of-sum.ts'
import {
  createPhraseAdder,
  readMeasuredPhrases,
  type AddMeasured,
} from './phrases/measured-phrases.ts'
import { readMeanings } from './meanings.ts'
import { splitWords } from './terms.ts'
import { readAreaSections, noPhrases, readSections, type WordSection } from './words/word-lists.ts'

export type Hit =
  | { kind: 'operation'; name: string; tool: OperationTool }
  | { kind: 'portal'; name: string; operation: PeopleOperation; page: string }

export interface SearchResult {
  /** Best first; empty if nothing fits. */
  hits: readonly Hit[]
  /** The nearest operations if nothing fits. */
  near: readonly Hit[]
  /** A sentence about the kind of wish if nothing fits; null for an unknown kind. */
  refusal: string | null
}

type Find = (query: string) => SearchResult
export type OperationSearch = (query: string) => Promise<SearchResult>

/** Minimum share of known words in a query; with a lower share, a match is chance. */
const SHARE_MIN = 0.1
/**
 * Minimum share of known words to name the kind of a refused wish; below it, the kind may be wrong.
 */
const KIND_SHARE_MIN = 0.25
/** Maximum difference between the scores of the best hit and another one; others are left out. */
const SCORE_BELOW_BEST_MAX = 12
/** Minimum number of words outside quotes; with fewer, the quoted text belongs to the wish. */
const UNQUOTED_WORDS_MIN = 3
/** The operation for a query that contains the name of an event type. */
const SUBSCRIBING = 'webhooks.create'
/**
 * A wish is refused even if the odds of all operations exceed those of all refusals, by up to this
 * logarithm.
 */
const REFUSAL_MARGIN = 1.8
const HITS_MAX = 5
const NEAR_MAX = 3

export interface SearchOptions {
  /** A set of phrases.jsonl that is left out of the index, because it measures the search. */
  without_set?: string
}

const searches = new WeakMap<Catalog, OperationSearch>()

/** Returns the search of a catalog. Without options its index is shared. */
export function createOperationSearch(catalog: Catalog, options?: SearchOptions): OperationSearch {
  const known = options === undefined ? searches.get(catalog) : undefined
  if (known) return known
  let built: Promise<Find> | null = null
  const search: OperationSearch = async (query) =>
    (await (built ??= buildLater(catalog, options ?? {})))(query)
  if (options === undefined) searches.set(catalog, search)
  return search
}

/** Starts in its own turn of the event loop, because the first request also loads the SDK. */
async function buildLater(catalog: Catalog, options: SearchOptions): Promise<Find> {
  await nextTurn()
  return inSlices(build(catalog, options))
}

function* build(catalog: Catalog, { without_set }: SearchOptions): Generator<void, Find> {
  const sections = yield* readAreaSections()
  const verbs = yield* readSections('verbs.md')
  const refusals = yield* readSections('not-offered.md')
  const common = yield* readSections('frequent-words.md')
  const hits = hitsOf(catalog, sections)
  yield
  const classes = readClasses(verbs.values())
  const measured = yield* readMeasuredPhrases()
  const addMeasured = createPhraseAdder(measured.filter(({ half }) => half !== without_set))
  const entries: SearchEntry[] = []
  for (const hit of hits.values()) {
    entries.push(entryOf(hit, { sections, classes, addMeasured }))
    yield
  }
  const meanings = yield* readMeanings((yield* readSections('synonyms.md')).values())
  const refusedKinds = [...refusals.values()].map((section) => refusalEntry(section, addMeasured))
  const find = yield* createFinder([...entries, ...refusedKinds], {
    fillers: common.get('fillers')?.phrases ?? noPhrases,
    weak: common.get('weak')?.phrases ?? noPhrases,
    meanings,
    intents: yield* trainIntents(
      verbs,
      entries.map(({ id, phrases }) => ({ ...nameOf(id), phrases })),
    ),
  })
  return (query) => {
    const ranked = find(withoutQuotes(query))
    const subscribe = hits.get(SUBSCRIBING)
    if (subscribe && eventTypeNames.some((type) => query.includes(type)))
      return { hits: [subscribe], near: [], refusal: null }
    const known = ranked.flatMap((one) => {
      const hit = hits.get(one.id)
      return hit ? [{ hit, ...one }] : []
    })
    const [best] = known
    const refused = ranked.filter(({ id }) => refusals.has(id))
    const [likeliest] = refused
    const isRefused = oddsOf(refused) + REFUSAL_MARGIN > oddsOf(known)
    if (!best || isRefused || best.share < SHARE_MIN) {
      const near = known.slice(0, NEAR_MAX).map(({ hit }) => hit)
      const isSure = isRefused && likeliest && likeliest.share >= KIND_SHARE_MIN
      const kind = isSure ? refusals.get(likeliest.id) : undefined
      return { hits: [], near, refusal: kind?.about ?? null }
    }
    const good = known.filter(({ score }) => score >= best.score - SCORE_BELOW_BEST_MAX)
    return { hits: good.slice(0, HITS_MAX).map(({ hit }) => hit), near: [], refusal: null }
  }
}

/** Leaves out quoted text, which is mostly a name or a value that says nothing about the wish. */
function withoutQuotes(query: string): string {
  const rest = query.replaceAll(/["“„«][^"“”„«»]*["“”»]/g, ' ')
  return splitWords(rest).length >= UNQUOTED_WORDS_MIN ? rest : query
}

function oddsOf(entries: readonly { score: number }[]): number {
  return addLogarithms(entries.map(({ score }) => score))
}

/** Returns all hits by name. An operation that the assistant can run replaces one of the portal. */
function hitsOf(
  { all, people }: Catalog,
  sections: ReadonlyMap<string, WordSection>,
): ReadonlyMap<string, Hit> {
  const portal = people.map((operation): Hit => ({
    kind: 'portal',
    name: operation.name,
    operation,
    page:
      operation.access === 'person'
        ? pageOfPerson(operation.path)
        : (sections.get(operation.name)?.portal_page ?? ''),
  }))
  const tools = [...all].map(([name, tool]): Hit => ({ kind: 'operation', name, tool }))
  return new Map([...portal, ...tools].map((hit) => [hit.name, hit]))
}

/** The page of an operation that belongs to no project: projects and invitations are on the first one. */
function pageOfPerson(path: string): string {
  return /^\/(?:projects|invitations)/.test(path) ? '' : 'account'
}

interface EntrySources {
  sections: ReadonlyMap<string, WordSection>
  classes: ReadonlyMap<string, readonly string[]>
  addMeasured: AddMeasured
}

function entryOf(hit: Hit, { sections, classes, addMeasured }: EntrySources): SearchEntry {
  const { noun, verb } = nameOf(hit.name)
  return {
    id: hit.name,
    phrases: addMeasured(hit.name, sections.get(hit.name)?.phrases ?? noPhrases),
    shared: sections.get(`${noun}.*`)?.phrases ?? noPhrases,
    classes: classes.get(verb) ?? [],
    declared: declaredWords(hit),
  }
}

function nameOf(operation: string): { noun: string; verb: string } {
  const [noun = '', action = ''] = operation.split('.')
  const [verb = ''] = action.split('_')
  return { noun, verb }
}

function refusalEntry({ name, phrases }: WordSection, addMeasured: AddMeasured): SearchEntry {
  return {
    id: name,
    phrases: addMeasured(name, phrases),
    shared: noPhrases,
    classes: [],
    declared: '',
  }
}

function declaredWords(hit: Hit): string {
  const name = hit.name.replaceAll(/[._]/g, ' ')
  if (hit.kind === 'portal') return `${name}, ${hit.operation.about}`
  const { operation, places, shape } = hit.tool
  const fields = [...places.keys()].join(' ').replaceAll('_', ' ')
  return [name, operation.path, fields, operation.about, choices(shape)].join(', ')
}

/** The enum values of a schema as words, such as event types. */
function choices(schema: JsonSchema): string {
  const parts = [...Object.values(schema.properties ?? {}), ...(schema.items ? [schema.items] : [])]
  const own = (schema.enum ?? []).map((value: unknown) => String(value).replaceAll(/[._]/g, ' '))
  return [...own, ...parts.map(choices)].filter((text) => text !== '').join(', ')
}
