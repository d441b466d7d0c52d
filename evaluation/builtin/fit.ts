/**
 * Fits the weights of `match.ts` to the open half: a logistic regression over the passages that are
 * found for each question, right or wrong. Prints the weights and what thresholds would give.
 */
import { languageOf } from '../../server/providers/model/language/words.ts'
import { findMatches, weighedOf } from '../../server/providers/model/understanding/match.ts'
import {
  buildIndex,
  indexText,
  type IndexedText,
  type PassageIndex,
} from '../../server/providers/model/understanding/passage-index.ts'
import { readQuestions, type Business, type Question } from './read-set.ts'
import { hasAnswer } from './score.ts'

interface Example {
  question: Question
  values: readonly number[]
  right: number
}

const ROUNDS = 3_000
const STEP = 8
/** Strength of the L2 regularization. */
const PENALTY = 0.3

const questions = readQuestions('open').filter(({ expected }) =>
  expected.flat().every(({ kind }) => kind === 'text' || kind === 'refusal'),
)
const indexes = new Map<string, PassageIndex>()
let names: readonly string[] = []
const examples = questions.filter(({ kind }) => kind !== '2').flatMap(examplesOf)
const { weights, bias } = fit()
console.log(`bias: ${bias.toFixed(2)},`)
for (const [at, name] of names.entries()) console.log(`${name}: ${(weights[at] ?? 0).toFixed(2)},`)
printThresholds()

function examplesOf(question: Question): Example[] {
  const { business, text } = question
  const index = indexes.get(business.id) ?? indexOf(business)
  indexes.set(business.id, index)
  const keys = question.expected.flat().flatMap((one) => (one.kind === 'text' ? [one.keys] : []))
  const known = [...business.facts, ...business.pages, ...business.statements]
  const right = new Set(known.filter((one) => keys.includes(one.keys)).map((one) => one.text))
  const matches = findMatches(index, text, languageOf(question.language) ?? 'en')
  return matches.slice(0, 8).map(({ text: found, features }) => {
    const values = weighedOf(features)
    names = Object.keys(values)
    return { question, values: Object.values(values), right: right.has(found.body) ? 1 : 0 }
  })
}

function indexOf({ language, facts, pages, statements }: Business): PassageIndex {
  const spoken = languageOf(language) ?? 'en'
  const texts: IndexedText[] = [
    ...facts.map(({ question, text }) => ({
      source: 'fact' as const,
      title: question,
      body: text,
    })),
    ...pages.map(({ text }) => ({ source: 'website' as const, title: '', body: text })),
    ...statements.map(({ text }) => ({ source: 'instruction' as const, title: '', body: text })),
  ].map((one) => ({ ...one, language }))
  return buildIndex(texts.map((one) => indexText(one, spoken)))
}

function fit(): { weights: number[]; bias: number } {
  const fitted = { weights: names.map(() => 0), bias: 0 }
  for (let round = 0; round < ROUNDS; round += 1) {
    const slopes = names.map(() => 0)
    let slope = 0
    for (const { values, right } of examples) {
      const error = probability(values, fitted) - right
      for (const [at, value] of values.entries()) slopes[at] = (slopes[at] ?? 0) + error * value
      slope += error
    }
    const step = STEP / examples.length
    fitted.weights = fitted.weights.map(
      (weight, at) => weight - step * ((slopes[at] ?? 0) + PENALTY * weight),
    )
    fitted.bias -= step * slope
  }
  return fitted
}

function probability(values: readonly number[], of: { weights: number[]; bias: number }): number {
  const sum = values.reduce((total, value, at) => total + value * (of.weights[at] ?? 0), of.bias)
  return 1 / (1 + Math.exp(-sum))
}

function printThresholds(): void {
  const best = questions
    .filter(({ kind }) => kind !== '2')
    .flatMap((question) => {
      const found = examples
        .filter((example) => example.question === question)
        .map((example) => ({ ...example, score: probability(example.values, { weights, bias }) }))
      return found.toSorted((a, b) => b.score - a.score)[0] ?? []
    })
  const known = best.filter(({ question }) => hasAnswer(question))
  const unknown = best.filter(({ question }) => !hasAnswer(question))
  for (const at of [0.2, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7]) {
    const above = known.filter(({ score }) => score >= at)
    const right = above.filter((one) => one.right === 1).length
    const share = (count: number, of: readonly unknown[]) =>
      `${((100 * count) / of.length).toFixed(1)} %`
    const answered = unknown.filter(({ score }) => score >= at).length
    console.log(
      `${at}: right ${share(right, known)}, wrong ${share(above.length - right, known)}, ` +
        `answered without an answer ${share(answered, unknown)}`,
    )
  }
}
