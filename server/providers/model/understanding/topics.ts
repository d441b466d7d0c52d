/**
 * Classifies what a text asks for, such as parking, a price or cancelling: multinomial logistic
 * regression over the phrases of data/topics.txt, trained at the first use. Features are words,
 * four-letter n-grams of words, and concepts, which carry over to other languages.
 */
import { inSlices, runAtOnce } from '../../../kernel/limits/slices.ts'
import type { Language } from '../language/language.ts'
import { analyse } from './analysis.ts'
import { readData, splitWords, withoutAccents } from './stems.ts'

const GRAM_LETTERS = 4
const EPOCHS = 3
const STEP = { first: 3, last: 0.6 }
/** Smaller errors are skipped: for most phrases, most topics have almost none. */
const ERROR_MIN = 0.002
const ROUNDS_PER_STEP = 20
/**
 * Distance between successive examples, which puts phrases of different topics after one another.
 */
const STRIDE = 1_009
/** Sharpens the probabilities, which are too even because the regression has few epochs. */
const SHARPNESS = 1.5
/** Weight of the features of one kind, by how much they say about the topic. */
const WEIGHTS = { word: 1, gram: 0.5, concept: 1.6 }

interface Vector {
  features: Int32Array
  values: Float32Array
}

interface Example extends Vector {
  topic: number
}

interface Model {
  topics: readonly string[]
  ids: Map<string, number>
  rarities: Float32Array
  weights: Float32Array
}

let trained: Model | null = null
let training: Promise<void> | null = null

/**
 * Trains in slices, so that the server handles requests meanwhile. Resolves at once if already
 * trained.
 */
export function prepareTopics(): Promise<void> {
  if (trained !== null) return Promise.resolve()
  return (training ??= inSlices(train()))
}

/** Trains at once if `prepareTopics` was not awaited. */
function model(): Model {
  if (trained !== null) return trained
  runAtOnce(train())
  if (trained === null) throw new Error('Training sets the model.')
  return trained
}

/** The probability of each topic, in the order of `topicNames`. */
export function classify(text: string, language: Language): Float32Array {
  const known = model()
  const scores = scoresOf(known, vectorOf(text, language, known))
  return softmax(scores.map((score) => SHARPNESS * score))
}

export function topicNames(): readonly string[] {
  return model().topics
}

/** Whether the classifier has training phrases in a language. */
export function isClassified(language: Language): boolean {
  return language === 'nl' || language === 'en' || language === 'de'
}

/** A topic of a text, with the square root of its probability. */
export interface TopicShare {
  topic: number
  root: number
}

const MAIN_TOPICS_MAX = 6

/** Returns the most probable topics; the others contribute little. */
export function mainTopics(topics: Float32Array): TopicShare[] {
  return Array.from(topics, (probability, topic) => ({ topic, root: Math.sqrt(probability) }))
    .toSorted((a, b) => b.root - a.root)
    .slice(0, MAIN_TOPICS_MAX)
}

/** The overlap of the topics of two texts (Bhattacharyya coefficient), from 0 to 1. */
export function likeness(topics: Float32Array, others: readonly TopicShare[]): number {
  let sum = 0
  for (const { topic, root } of others) sum += Math.sqrt(topics[topic] ?? 0) * root
  return Math.min(1, sum)
}

function readTopics(): { name: string; language: Language; text: string }[] {
  let name = ''
  return `${readData('topics.txt')}\n${readData('statements.txt')}`.split('\n').flatMap((line) => {
    const title = /^\[(\w+)\]$/.exec(line)
    if (title) name = title[1] ?? ''
    const found = /^(en|nl|de): (.*)$/.exec(line)
    if (!found) return []
    const language = found[1] === 'en' ? 'en' : found[1] === 'nl' ? 'nl' : 'de'
    const texts = (found[2] ?? '').split(';').map((text) => text.trim())
    return texts.filter(Boolean).map((text) => ({ name, language, text }))
  })
}

function* train(): Generator<void, void> {
  const phrases = readTopics()
  const topics = [...new Set(phrases.map(({ name }) => name))]
  const counts = new Map<string, number>()
  const featured: { features: ReadonlyMap<string, number>; topic: number }[] = []
  for (const { text, language, name } of phrases) {
    const features = featuresOf(text, language)
    featured.push({ features, topic: topics.indexOf(name) })
    for (const feature of features.keys()) counts.set(feature, (counts.get(feature) ?? 0) + 1)
    yield
  }
  const ids = new Map([...counts.keys()].map((feature, at) => [feature, at]))
  const rarities = Float32Array.from(counts.values(), (count) =>
    Math.log(1 + phrases.length / count),
  )
  const made = { topics, ids, rarities, weights: new Float32Array(ids.size * topics.length) }
  const examples = featured.map(({ features, topic }) => ({ ...weighed(features, made), topic }))
  const rounds = EPOCHS * examples.length
  for (let round = 0; round < rounds; round += 1) {
    const example = examples[(round * STRIDE) % examples.length]
    if (example) learn(made, example, STEP.first + (STEP.last - STEP.first) * (round / rounds))
    if (round % ROUNDS_PER_STEP === 0) yield
  }
  trained = made
}

function learn(made: Model, example: Example, step: number): void {
  const { weights, topics } = made
  const errors = softmax(scoresOf(made, example))
  errors[example.topic] = (errors[example.topic] ?? 0) - 1
  const wrong: number[] = []
  for (let at = 0; at < errors.length; at += 1)
    if (Math.abs(errors[at] ?? 0) > ERROR_MIN) wrong.push(at)
  for (let at = 0; at < example.features.length; at += 1) {
    const row = (example.features[at] ?? 0) * topics.length
    const value = step * (example.values[at] ?? 0)
    for (const topic of wrong)
      weights[row + topic] = (weights[row + topic] ?? 0) - value * (errors[topic] ?? 0)
  }
}

type Features = Pick<Model, 'ids' | 'rarities'>

function vectorOf(text: string, language: Language, known: Features): Vector {
  return weighed(featuresOf(text, language), known)
}

function weighed(found: ReadonlyMap<string, number>, { ids, rarities }: Features): Vector {
  const known = [...found].flatMap(([feature, weight]) => {
    const id = ids.get(feature)
    return id === undefined ? [] : [{ id, value: weight * (rarities[id] ?? 0) }]
  })
  const length = Math.hypot(...known.map(({ value }) => value)) || 1
  return {
    features: Int32Array.from(known, ({ id }) => id),
    values: Float32Array.from(known, ({ value }) => value / length),
  }
}

function featuresOf(text: string, language: Language): Map<string, number> {
  const features = new Map<string, number>()
  for (const word of splitWords(text).map(withoutAccents)) {
    features.set(`=${word}`, WEIGHTS.word)
    const padded = ` ${word} `
    for (let at = 0; at + GRAM_LETTERS <= padded.length; at += 1)
      features.set(padded.slice(at, at + GRAM_LETTERS), WEIGHTS.gram)
  }
  for (const { keys } of analyse(text, language))
    for (const [key, share] of keys)
      if (key.startsWith('#')) features.set(key, WEIGHTS.concept * share)
  return features
}

function scoresOf({ topics, weights }: Model, { features, values }: Vector): Float32Array {
  const scores = new Float32Array(topics.length)
  for (let at = 0; at < features.length; at += 1) {
    const row = (features[at] ?? 0) * topics.length
    const value = values[at] ?? 0
    for (let topic = 0; topic < scores.length; topic += 1)
      scores[topic] = (scores[topic] ?? 0) + value * (weights[row + topic] ?? 0)
  }
  return scores
}

function softmax(scores: Float32Array): Float32Array {
  let most = -Infinity
  for (const score of scores) most = Math.max(most, score)
  let sum = 0
  for (let at = 0; at < scores.length; at += 1) {
    scores[at] = Math.exp((scores[at] ?? 0) - most)
    sum += scores[at] ?? 0
  }
  for (let at = 0; at < scores.length; at += 1) scores[at] = (scores[at] ?? 0) / sum
  return scores
}
