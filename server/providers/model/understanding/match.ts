/**
 * Finds the passages that answer a question. It compares the words with a subject, weighted by
 * rarity, and the topics, and turns the comparison into the probability that the passage answers the
 * question. The price of another product or the way to another place does not match.
 */
import type { Language } from '../language/language.ts'
import { analyse, type Word } from './analysis.ts'
import { askedTypes, hasAnswerOfType, type AnswerType } from './answer-types.ts'
import {
  correctSpelling,
  type IndexEntry,
  type IndexedText,
  type PassageIndex,
  type Posting,
} from './passage-index.ts'
import { classify, isClassified, likeness, mainTopics, topicNames } from './topics.ts'

/** The comparison of a question with a passage; every value is from 0 to 1. */
export interface Features {
  /** The share of the question's words that the passage has, and of the title's in the question. */
  covered: number
  titled: number
  /** Whether the topics are the same. */
  topic: number
  /** The rarest word that both have. */
  rarest: number
  /** The strongest subject of the question that the passage does not have. */
  missing: number
  /**
   * The lesser of `missing` and the strongest subject of the title that the question lacks; 0
   * without a title.
   */
  other: number
  /**
   * How closely a subject of the question is related to another one of the title, such as two
   * countries.
   */
  rival: number
  /** Whether the question has no subject apart from its topic. */
  bare: number
  /** The probability of the question's topic. */
  certain: number
  /** The probability that the answer depends on which product, service or country is meant. */
  object: number
  /** Whether the passage lacks the kind of answer that is asked for. */
  mistyped: number
}

export interface Match {
  text: IndexedText
  features: Features
  score: number
}

const WEAK = 0.12
const UNKNOWN = 0.75
/** A word of the question counts as present in a passage from this share of meaning on. */
const SAME_MIN = 0.7
/** The score of a similar text: enough to ask back, not enough to answer. */
const NEAR = 0.5
const OTHER_MIN = 0.5
const TOPIC_SAME_MIN = 0.75
const MATCHES_MAX = 12
const CANDIDATES_MAX = 80
/** Weight of a shared topic, relative to a shared word of rarity 1. */
const TOPIC_WEIGHT = 1.5

interface Asked {
  words: readonly Word[]
  topics: Float32Array
  types: readonly AnswerType[]
  object: number
  is_classified: boolean
  rarity: (key: string) => number
}

/** The passages that may answer a question, best first. */
export function findMatches(index: PassageIndex, question: string, language: Language): Match[] {
  if (question.trim() === '' || index.entries.length === 0) return []
  const topics = classify(question, language)
  const asked: Asked = {
    words: analyse(question, language).map((word) => correctSpelling(word, index)),
    topics,
    types: askedTypes(question, language),
    object: objectOf(topics),
    is_classified: isClassified(language),
    rarity: rarityIn(index),
  }
  return candidatesOf(index, asked)
    .map((entry) => matchOf(asked, entry))
    .toSorted((a, b) => b.score - a.score || isIn(language, b) - isIn(language, a))
    .slice(0, MATCHES_MAX)
}

/** 1 for a text in the language, which is read out without an introduction. */
function isIn(language: Language, { text }: Match): number {
  return text.language === language ? 1 : 0
}

/** The entries with the most in common, which are compared in detail. */
function candidatesOf({ entries, postings, topics }: PassageIndex, asked: Asked): IndexEntry[] {
  if (entries.length <= CANDIDATES_MAX) return [...entries]
  const common = new Float64Array(entries.length)
  const add = (found: readonly Posting[] | undefined, weight: number) => {
    for (const [at, share] of found ?? []) common[at] = (common[at] ?? 0) + weight * share
  }
  for (const word of asked.words)
    for (const [key, share] of word.keys)
      add(postings.get(key), factorOf(word) * share * asked.rarity(key))
  for (const { topic, root } of mainTopics(asked.topics))
    add(topics.get(topic), TOPIC_WEIGHT * root)
  return Array.from(common.keys())
    .filter((at) => (common[at] ?? 0) > 0)
    .toSorted((a, b) => (common[b] ?? 0) - (common[a] ?? 0))
    .slice(0, CANDIDATES_MAX)
    .flatMap((at) => entries[at] ?? [])
}

function matchOf(asked: Asked, entry: IndexEntry): Match {
  const features = compare(asked, entry)
  const plain = scoreOf(features)
  const score = isSimilar(features) ? Math.max(plain, NEAR) : plain
  return {
    text: entry.text,
    features,
    score: isAboutOther(features, entry) ? Math.min(score, NEAR) : score,
  }
}

/**
 * Whether so many words match that the passage is offered as "do you mean …?" whatever its topics
 * are.
 */
function isSimilar({ covered, titled, rarest, rival, object }: Features): boolean {
  return covered >= 0.5 && titled >= 0.5 && rarest >= 0.9 && rival < 0.3 && object < 0.5
}

/**
 * Whether the question and the passage each name a subject that the other lacks, and their topics
 * differ.
 */
function isAboutOther({ other, missing, topic }: Features, { title }: IndexEntry): boolean {
  return (title.length === 0 ? missing : other) >= OTHER_MIN && topic < TOPIC_SAME_MIN
}

/**
 * Returns the inverse document frequency of a key, from 0 to 1. An absent key counts as in one
 * passage.
 */
function rarityIn({ entries, postings }: PassageIndex): (key: string) => number {
  const whole = Math.log(1 + entries.length)
  return (key) => Math.log(1 + entries.length / (postings.get(key)?.length ?? 1)) / whole
}

function compare(asked: Asked, entry: IndexEntry): Features {
  const { words, topics, types, object, rarity, is_classified } = asked
  const sums = { all: 0, covered: 0 }
  let rarest = 0
  let missing = 0
  let rival = 0
  for (const word of words) {
    const factor = factorOf(word)
    const share = shareIn(word, entry.keys)
    const rare = rarityOf(word, rarity)
    sums.all += factor * rare
    sums.covered += factor * rare * share
    if (word.kind === 'subject' && share < SAME_MIN) rival = Math.max(rival, rivalry(word, entry))
    if (word.kind === 'weak') continue
    rarest = Math.max(rarest, share * rare)
    missing = Math.max(missing, factor * (1 - share))
  }
  const covered = sums.all === 0 ? 0 : sums.covered / sums.all
  const topic = Math.max(...entry.topics.map((one) => likeness(topics, one)))
  return {
    covered,
    // Topics have phrases in some languages only; in the others the words decide.
    topic: is_classified ? topic : Math.max(topic, covered),
    rarest,
    missing,
    ...titleIn(words, entry, { rarity, missing, covered }),
    rival,
    bare: words.every(({ kind }) => kind === 'weak') ? 1 : 0,
    certain: is_classified ? Math.max(...topics) : 0.5,
    object,
    mistyped: types.some((type) => !hasAnswerOfType(type, entry.text.body)) ? 1 : 0,
  }
}

function factorOf({ kind }: Word): number {
  return kind === 'subject' ? 1 : kind === 'unknown' ? UNKNOWN : WEAK
}

function rarityOf({ keys }: Word, rarity: (key: string) => number): number {
  let most = 0
  for (const [key, share] of keys) if (share === 1) most = Math.max(most, rarity(key))
  return most
}

function shareIn({ keys }: Word, known: ReadonlyMap<string, number>): number {
  let most = 0
  for (const [key, share] of keys) most = Math.max(most, share * (known.get(key) ?? 0))
  return most
}

/** Computes `titled` and `other`. */
function titleIn(
  words: readonly Word[],
  { title }: IndexEntry,
  { rarity, missing, covered }: Pick<Asked, 'rarity'> & Pick<Features, 'missing' | 'covered'>,
): Pick<Features, 'titled' | 'other'> {
  let all = 0
  let found = 0
  let untold = 0
  for (const word of title) {
    const share = Math.max(0, ...words.map((one) => shareIn(word, one.keys)))
    const weight = factorOf(word) * rarityOf(word, rarity)
    all += weight
    found += weight * share
    if (word.kind !== 'weak') untold = Math.max(untold, 1 - share)
  }
  if (title.length === 0) return { titled: covered, other: 0 }
  return { titled: all === 0 ? 0 : found / all, other: Math.min(missing, untold) }
}

/** Topics whose answer differs from one product, service or country to another. */
const objectTopics = new Set(
  'price duration offer rental ship_abroad ingredients allergies brands storage washing_care'.split(
    ' ',
  ),
)

function objectOf(topics: Float32Array): number {
  return topicNames().reduce(
    (sum, name, at) => sum + (objectTopics.has(name) ? (topics[at] ?? 0) : 0),
    0,
  )
}

/**
 * How closely a word is related to another subject of the title, by a broader concept that both
 * have.
 */
function rivalry(word: Word, { title }: IndexEntry): number {
  let most = 0
  for (const other of title) {
    if (other.kind !== 'subject') continue
    for (const [key, share] of word.keys) {
      const theirs = other.keys.get(key) ?? 0
      if (share < 1 && theirs < 1) most = Math.max(most, share * theirs)
    }
  }
  return most
}

/**
 * Weights of a logistic regression over the open half of the evaluation set, which
 * evaluation/builtin/fit.ts prints.
 */
const weights = {
  bias: -4.63,
  covered: -0.11,
  titled: 0.92,
  topic: 5.01,
  rarest: 2.07,
  missing: -0.21,
  mistyped: -1.7,
  rival: -2.76,
  full: 1.66,
  covered_topic: -0.64,
  certain: -1.93,
  bare_topic: 0.97,
  certain_topic: 1.63,
  other_topic: 1.18,
  object_other: -2.12,
  object_missing: -1.77,
}

/** The features and their products that the score weighs. */
export function weighedOf(
  features: Features,
): Record<Exclude<keyof typeof weights, 'bias'>, number> {
  const { covered, titled, topic, rarest, missing, mistyped, rival, object } = features
  return {
    covered,
    titled,
    topic,
    rarest,
    missing,
    mistyped,
    rival,
    full: covered * titled,
    covered_topic: covered * topic,
    certain: features.certain,
    bare_topic: features.bare * topic,
    certain_topic: features.certain * topic,
    other_topic: features.other * topic,
    object_other: object * features.other,
    object_missing: object * missing,
  }
}

function scoreOf(features: Features): number {
  const sum = Object.entries(weighedOf(features)).reduce(
    (total, [name, value]) => total + (weightByName.get(name) ?? 0) * value,
    weights.bias,
  )
  return 1 / (1 + Math.exp(-sum))
}

const weightByName = new Map<string, number>(Object.entries(weights))
