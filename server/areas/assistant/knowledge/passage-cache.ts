/**
 * The analysed passages of projects, kept in memory of this process. Each use compares a mark of the
 * stored rows, so a change by another process is seen at the next question.
 */
import { LRUCache } from 'lru-cache'
import { limits } from '../../../contract/limits.ts'
import { StatementTimeout, type Reader } from '../../../kernel/database/database.ts'
import { createPause } from '../../../kernel/limits/slices.ts'
import { createSlots, NoSlot } from '../../../kernel/limits/slots.ts'
import type { Language } from '../../../providers/model/language/language.ts'
import { fold, isDirective, languageOf } from '../../../providers/model/language/words.ts'
import {
  buildIndex,
  indexText,
  type IndexEntry,
  type IndexedText,
  type PassageIndex,
} from '../../../providers/model/understanding/passage-index.ts'
import { prepareTopics } from '../../../providers/model/understanding/topics.ts'
import * as store from '../store.ts'

interface Known {
  mark: string
  index: PassageIndex
}

const PASSAGES_MAX = 20_000
/** One project takes at most this part of the cache: a quarter. */
const PROJECTS_MIN = 4
/** A project with more passages is searched in PostgreSQL first. */
export const IN_MEMORY_MAX = 3_000
const CANDIDATES_MAX = 200
/** Fewer passages than these are too few to trust the spelling of a question. */
const FEW = 20

const cache = new LRUCache<string, Known>({
  maxSize: PASSAGES_MAX,
  maxEntrySize: PASSAGES_MAX / PROJECTS_MIN,
  sizeCalculation: ({ index }) => index.entries.length + 1,
})

/** Analysing thousands of passages takes seconds of the processor. */
const slots = createSlots({
  name: 'knowledge is searched',
  units: 2,
  units_each: 1,
  waiting_max: 100,
  waiting_each_max: 5,
  wait_ms_max: 10_000,
  retry_after_s: 5,
})

/** Indexes that are being built, by project and mark. Questions at the same time share one. */
const builds = new Map<string, Promise<PassageIndex>>()

/**
 * The passages of a project that may answer a question: all of them, unless there are too many, or too
 * many other projects wait for theirs to be analysed.
 */
export async function passageIndexOf(
  db: Reader,
  project_id: string,
  question: string,
): Promise<PassageIndex> {
  await prepareTopics()
  const { mark, count } = await store.readPassagesMark(db, {
    project_id,
    count_max: IN_MEMORY_MAX + 1,
  })
  if (count > IN_MEMORY_MAX) return searchIndex(db, project_id, question)
  const known = cache.get(project_id)
  if (known?.mark === mark) return known.index
  const build = `${project_id} ${mark}`
  const running = builds.get(build)
  const made = running ?? readIndex(db, { project_id, mark }).finally(() => builds.delete(build))
  builds.set(build, made)
  try {
    return await made
  } catch (error) {
    if (error instanceof NoSlot) return searchIndex(db, project_id, question)
    throw error
  }
}

function readIndex(
  db: Reader,
  { project_id, mark }: { project_id: string; mark: string },
): Promise<PassageIndex> {
  return slots.run(project_id, async () => {
    const passages = sayable(await store.readPassages(db, project_id))
    const known = cache.get(project_id)?.index.entries ?? []
    const index = buildIndex(await indexAll(passages, known))
    cache.set(project_id, { mark, index })
    return index
  })
}

/** The candidates of a full-text search, with all facts and sentences of the instructions. */
async function searchIndex(
  db: Reader,
  project_id: string,
  question: string,
): Promise<PassageIndex> {
  const time_ms = limits.assistant_search_s_max * 1000
  const begun_ms = performance.now()
  const asked = {
    project_id,
    question: fold(question).slice(0, limits.assistant_search_characters_max),
    signal: AbortSignal.timeout(time_ms),
  }
  const words = { ...asked, count: CANDIDATES_MAX, timeout_ms: time_ms }
  const found = await orNone(store.searchPassages(db, words))
  const left_ms = Math.floor(begun_ms + time_ms - performance.now())
  const is_enough = left_ms < 1 || found.filter(isOfSource).length >= FEW
  const spelling = { ...asked, count: FEW, timeout_ms: left_ms }
  const similar = is_enough ? [] : await orNone(store.searchSimilar(db, spelling))
  return buildIndex(await indexAll(sayable(distinct([...found, ...similar])), []))
}

/** An answer without these passages is better than none. */
async function orNone(search: Promise<store.StoredPassage[]>): Promise<store.StoredPassage[]> {
  try {
    return await search
  } catch (error) {
    if (error instanceof StatementTimeout || error instanceof NoSlot) return []
    throw error
  }
}

function isOfSource({ source }: store.StoredPassage): boolean {
  return source !== 'fact' && source !== 'instruction'
}

/** Misspelt words are found in passages that the full text may have found too. */
function distinct(passages: readonly store.StoredPassage[]): store.StoredPassage[] {
  const keyed = passages.map(
    (one) => [JSON.stringify([one.source, one.title, one.body]), one] as const,
  )
  return [...new Map(keyed).values()]
}

/**
 * Leaves out orders that were stored by an earlier version, which did not recognize them as orders.
 */
function sayable(passages: readonly store.StoredPassage[]): store.StoredPassage[] {
  return passages.filter((one) => one.source !== 'instruction' || !isDirective(one.body))
}

/** Reuses the entries of unchanged texts, and lets the server go on between slices of work. */
async function indexAll(
  passages: readonly IndexedText[],
  before: readonly IndexEntry[],
): Promise<IndexEntry[]> {
  const known = new Map(before.map((entry) => [keyOf(entry.text), entry]))
  const entries: IndexEntry[] = []
  const pause = createPause()
  for (const passage of passages) {
    entries.push(known.get(keyOf(passage)) ?? indexText(passage, spokenIn(passage)))
    await pause()
  }
  return entries
}

function keyOf({ source, title, body, language }: IndexedText): string {
  return JSON.stringify([source, title, body, language])
}

function spokenIn({ language }: IndexedText): Language {
  return languageOf(language) ?? 'en'
}
