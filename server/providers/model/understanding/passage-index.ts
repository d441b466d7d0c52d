/**
 * The passages of a business, analysed for questions: the keys of their words, their topics, and the
 * passages of each key.
 */
import type { Language } from '../language/language.ts'
import { analyse, type Word } from './analysis.ts'
import { lettersApart } from './spelling.ts'
import { classify, mainTopics, type TopicShare } from './topics.ts'

export interface IndexedText {
  source: 'fact' | 'instruction' | 'website' | 'document'
  /** The question of a fact; empty for texts without a title. */
  title: string
  body: string
  /** As stored. A text in an unsupported language is analysed as English. */
  language: string
}

export interface IndexEntry {
  text: IndexedText
  title: readonly Word[]
  /** The share of meaning of each key in the title, or in the body, where it counts less. */
  keys: ReadonlyMap<string, number>
  /** Topics of the title and of the whole, or of each sentence of a text without a title. */
  topics: readonly (readonly TopicShare[])[]
}

/** The position of an entry, and the share of a key or the root of a topic's probability. */
export type Posting = readonly [at: number, share: number]

export interface PassageIndex {
  entries: readonly IndexEntry[]
  /** The entries with a key, or with a main topic, as positions and shares. */
  postings: ReadonlyMap<string, readonly Posting[]>
  topics: ReadonlyMap<number, readonly Posting[]>
  /** Stems by their first letter, for misspellings of words that only this business uses. */
  vocabulary: ReadonlyMap<string, readonly string[]>
}

/** Topics whose `root` is lower are not indexed. */
const TOPIC_ROOT_MIN = 0.25
const BODY_SHARE = 0.8
const SENTENCES_MAX = 6
const STEM_CHARACTERS_MIN = 5
const LONG_STEM_CHARACTERS = 8

export function buildIndex(entries: readonly IndexEntry[]): PassageIndex {
  const postings = new Map<string, Posting[]>()
  const topics = new Map<number, Posting[]>()
  for (const [at, entry] of entries.entries()) {
    for (const [key, share] of entry.keys) addPosting(postings, key, [at, share])
    const main = entry.topics.flat().filter(({ root }) => root >= TOPIC_ROOT_MIN)
    for (const { topic, root } of main) addPosting(topics, topic, [at, root])
  }
  const stems = [...postings.keys()].filter(
    (key) => !key.startsWith('#') && key.length >= STEM_CHARACTERS_MIN - 1,
  )
  return { entries, postings, topics, vocabulary: Map.groupBy(stems, (stem) => stem.charAt(0)) }
}

function addPosting<Key>(postings: Map<Key, Posting[]>, key: Key, posting: Posting): void {
  const known = postings.get(key)
  if (known === undefined) postings.set(key, [posting])
  else known.push(posting)
}

export function indexText(text: IndexedText, language: Language): IndexEntry {
  const { body } = text
  // The title of a web page names the whole page, not the question that this part of it answers.
  const title = text.source === 'website' ? '' : text.title
  const titled = analyse(title, language)
  const keys = new Map<string, number>()
  const add = (words: readonly Word[], factor: number) => {
    for (const word of words)
      for (const [key, share] of word.keys)
        keys.set(key, Math.max(keys.get(key) ?? 0, share * factor))
  }
  add(titled, 1)
  if (title !== text.title) add(analyse(text.title, language), BODY_SHARE)
  add(analyse(body, language), title === '' ? 1 : BODY_SHARE)
  const sentences =
    title === ''
      ? [body, ...body.split(/(?<=[.,:!?;])\s+/)].slice(0, SENTENCES_MAX)
      : [title, `${title} ${body}`]
  const topics = sentences.map((sentence) => mainTopics(classify(sentence, language)))
  return { text, title: titled, keys, topics }
}

/** An unknown word takes the keys of a word of the business that is spelled almost like it. */
export function correctSpelling(word: Word, { vocabulary, postings }: PassageIndex): Word {
  const [stem = ''] = word.keys.keys()
  if (word.kind !== 'unknown' || stem.length < STEM_CHARACTERS_MIN || postings.has(stem))
    return word
  const most = stem.length >= LONG_STEM_CHARACTERS ? 2 : 1
  const meant = vocabulary
    .get(stem.charAt(0))
    ?.find((candidate) => lettersApart(candidate, stem, most) <= most)
  return meant === undefined ? word : { ...word, keys: new Map([...word.keys, [meant, 0.9]]) }
}
