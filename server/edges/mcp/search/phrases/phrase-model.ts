/**
 * Multinomial logistic regression over the phrases of entries, trained at the start. A phrase is a
 * vector of features (phrase-features.ts) weighted by rarity, of length 1.
 */
import { addLogarithms } from '../log-of-sum.ts'
import type { Meanings } from '../meanings.ts'
import { createCachedPhraseFeatures, createPhraseFeatures } from './phrase-features.ts'
import { searchLanguages, type Phrases } from '../words/word-lists.ts'

/** Returns the log-probability of each entry for a query; the probabilities sum to 1. */
export type PhraseModel = (query: string) => ReadonlyMap<string, number>

/** Few epochs and small steps keep the weights small, which generalizes better than a penalty on them. */
const EPOCHS = 3
const STEP = { first: 3, last: 0.9 }
const BIAS_STEP = 0.1
/** Minimum error that is corrected: most entries have an error of about 0 for most phrases. */
const ERROR_MIN = 0.001
/**
 * Entries are visited in strides of this share of all examples, so that successive examples differ.
 */
const GOLDEN_RATIO = 0.618
const INT8_MAX = 127

interface Entry {
  id: string
  phrases: Phrases
}

interface Vector {
  features: Int32Array
  values: Float32Array
}

interface Example extends Vector {
  entry: number
}

/** The index of each feature and its weight by rarity. */
interface Features {
  ids: ReadonlyMap<string, number>
  rarities: Float32Array
}

/** `weights` has one row for each feature, with a column for each entry; `scales` has a factor per row. */
interface Model {
  weights: Float32Array | Int8Array
  scales: Float32Array
  biases: Float32Array
}

export function* trainPhraseModel(
  entries: readonly Entry[],
  meanings: Meanings,
): Generator<void, PhraseModel> {
  const ids = entries.map(({ id }) => id)
  const phrases = yield* readPhrases(entries, meanings)
  const features = yield* weighFeatures(phrases)
  const examples: Example[] = []
  for (const { entry, features: names } of phrases) {
    examples.push({ ...vectorOf(names, features), entry })
    yield
  }
  const model = yield* quantized(yield* trained(examples, entries.length, features.ids.size))
  const featuresOf = createPhraseFeatures(meanings)
  return (query) => {
    const scores = scoresOf(model, vectorOf(featuresOf(query), features))
    const whole = addLogarithms(scores)
    return new Map(ids.map((id, at) => [id, (scores[at] ?? 0) - whole]))
  }
}

interface ReadPhrase {
  entry: number
  features: readonly string[]
}

function* readPhrases(
  entries: readonly Entry[],
  meanings: Meanings,
): Generator<void, readonly ReadPhrase[]> {
  const featuresOf = createCachedPhraseFeatures(meanings)
  const found: ReadPhrase[] = []
  for (const [entry, { phrases }] of entries.entries())
    for (const phrase of phrasesIn(phrases)) {
      found.push({ entry, features: featuresOf(phrase) })
      yield
    }
  return found
}

function* weighFeatures(phrases: readonly ReadPhrase[]): Generator<void, Features> {
  const counts = new Map<string, number>()
  for (const { features } of phrases) {
    for (const feature of features) counts.set(feature, (counts.get(feature) ?? 0) + 1)
    yield
  }
  const rarities = Float32Array.from(counts.values(), (count) =>
    Math.log(1 + phrases.length / count),
  )
  return { ids: new Map([...counts.keys()].map((feature, at) => [feature, at])), rarities }
}

function vectorOf(names: readonly string[], { ids, rarities }: Features): Vector {
  const known = names.flatMap((feature) => ids.get(feature) ?? [])
  const weights = known.map((feature) => rarities[feature] ?? 0)
  const length = Math.hypot(...weights) || 1
  return {
    features: Int32Array.from(known),
    values: Float32Array.from(weights, (weight) => weight / length),
  }
}

/** Stochastic gradient descent with steps that become shorter. */
function* trained(
  examples: readonly Example[],
  entries: number,
  features: number,
): Generator<void, Model> {
  const model = {
    weights: new Float32Array(features * entries),
    scales: new Float32Array(features).fill(1),
    biases: new Float32Array(entries),
  }
  const stride = strideThrough(examples.length)
  const rounds = EPOCHS * examples.length
  for (let round = 0; round < rounds; round += 1) {
    const example = examples[(round * stride) % examples.length]
    const step = STEP.first + (STEP.last - STEP.first) * (round / rounds)
    if (example) learn(model, example, step)
    yield
  }
  return model
}

function learn(model: Model, example: Example, step: number): void {
  const errors = scoresOf(model, example)
  const sum = exponentiate(errors)
  const wrong: number[] = []
  for (let entry = 0; entry < errors.length; entry += 1) {
    const probability = (errors[entry] ?? 0) / sum
    errors[entry] = step * (probability - (entry === example.entry ? 1 : 0))
    if (entry === example.entry || probability >= ERROR_MIN) wrong.push(entry)
  }
  correct(model, example, { wrong, errors })
}

/** Replaces each score by its exponential, relative to the highest, and returns their sum. */
function exponentiate(scores: Float32Array): number {
  let most = -Infinity
  for (let at = 0; at < scores.length; at += 1) most = Math.max(most, scores[at] ?? 0)
  let sum = 0
  for (let at = 0; at < scores.length; at += 1) {
    const odds = Math.exp((scores[at] ?? 0) - most)
    scores[at] = odds
    sum += odds
  }
  return sum
}

function correct(
  { weights, biases }: Model,
  { features, values }: Example,
  { wrong, errors }: { wrong: readonly number[]; errors: Float32Array },
): void {
  for (const entry of wrong) biases[entry] = (biases[entry] ?? 0) - BIAS_STEP * (errors[entry] ?? 0)
  for (let at = 0; at < features.length; at += 1) {
    const row = (features[at] ?? 0) * biases.length
    const value = values[at] ?? 0
    for (const entry of wrong)
      weights[row + entry] = (weights[row + entry] ?? 0) - value * (errors[entry] ?? 0)
  }
}

function scoresOf({ weights, scales, biases }: Model, { features, values }: Vector): Float32Array {
  const scores = biases.slice()
  for (let at = 0; at < features.length; at += 1) {
    const feature = features[at] ?? 0
    const row = feature * scores.length
    const factor = (values[at] ?? 0) * (scales[feature] ?? 0)
    for (let entry = 0; entry < scores.length; entry += 1)
      scores[entry] = (scores[entry] ?? 0) + factor * (weights[row + entry] ?? 0)
  }
  return scores
}

/** A step that visits each of `count` places once before it returns to the first. */
function strideThrough(count: number): number {
  let stride = Math.max(1, Math.round(count * GOLDEN_RATIO))
  while (commonDivisor(stride, count) !== 1) stride += 1
  return stride
}

function commonDivisor(left: number, right: number): number {
  return right === 0 ? left : commonDivisor(right, left % right)
}

/** Keeps one byte for each weight, a quarter of the memory. */
function* quantized({ weights, biases }: Model): Generator<void, Model> {
  const entries = biases.length
  const bytes = new Int8Array(weights.length)
  const scales = new Float32Array(weights.length / entries)
  for (let row = 0; row < scales.length; row += 1) {
    const start = row * entries
    let most = 0
    for (let at = start; at < start + entries; at += 1)
      most = Math.max(most, Math.abs(weights[at] ?? 0))
    const scale = most / INT8_MAX || 1
    scales[row] = scale
    for (let at = start; at < start + entries; at += 1)
      bytes[at] = Math.round((weights[at] ?? 0) / scale)
    yield
  }
  return { weights: bytes, scales, biases }
}

function phrasesIn(phrases: Phrases): string[] {
  return searchLanguages
    .flatMap((language) => phrases[language].split(','))
    .filter((phrase) => phrase.trim() !== '')
}
