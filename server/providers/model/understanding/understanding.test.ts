/** Tests how questions are understood: words, compounds, misspellings, topics and matches. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readQuestions } from '../../../../evaluation/builtin/read-set.ts'
import type { Language } from '../language/language.ts'
import { fold } from '../language/words.ts'
import { analyse } from './analysis.ts'
import { askedTypes, hasAnswerOfType } from './answer-types.ts'
import { findMatches } from './match.ts'
import { splitQuestions } from './parts.ts'
import { buildIndex, indexText } from './passage-index.ts'
import { lettersApart } from './spelling.ts'
import { readData } from './stems.ts'
import { classify, topicNames } from './topics.ts'

const facts: [question: string, answer: string][] = [
  ['Wat kost een kilo appels?', 'Een kilo appels kost € 2,40.'],
  ['Waar kan ik parkeren?', 'Achter de kerk.'],
  ['Mag mijn hond mee?', 'Ja, aan de lijn.'],
  ['Hoe lang duurt een rondleiding?', 'Een rondleiding duurt vijf kwartier, dus ruim een uur.'],
]
const index = buildIndex(
  facts.map(([title, body]) => indexText({ source: 'fact', title, body, language: 'nl' }, 'nl')),
)
const best = (question: string, language: Language = 'nl') =>
  findMatches(index, question, language)[0]

test('a question finds a fact in other words and in another language', () => {
  const questions: [string, Language, number][] = [
    ['Waar laat ik de wagen?', 'nl', 1],
    ['Is there a car park?', 'en', 1],
    ['Darf mein Dackel mitkommen?', 'de', 2],
    ['Hoeveel minuten is een rondleiding?', 'nl', 3],
  ]
  for (const [question, language, at] of questions) {
    const found = best(question, language)
    assert.equal(found?.text.title, facts[at]?.[0], question)
    assert.ok((found?.score ?? 0) > 0.6, `${question} ${found?.score}`)
  }
})

test('the price of another product and a question of another type are not answered', () => {
  for (const question of [
    'Wat kost een meloen?',
    'Wat kost een rondleiding?',
    'Hoe lang duurt het wassen?',
  ])
    assert.ok((best(question)?.score ?? 0) < 0.45, `${question} ${best(question)?.score}`)
})

test('words are found in compounds, misspelt, with hyphens and with separated prefixes', () => {
  const keys = (text: string, language: Language) =>
    new Set(analyse(text, language).flatMap((word) => [...word.keys.keys()]))
  assert.ok(keys('appeltaart', 'nl').has('#cake'))
  assert.ok(keys('Wi-Fi', 'en').has('#wifi'))
  assert.ok(keys('parkeeren', 'nl').has('#parking'))
  assert.ok(keys('ich sage den Termin ab', 'de').has('#cancel'))
  assert.equal(lettersApart('afspraak', 'afspraka', 2), 1)
  assert.equal(lettersApart('kat', 'verjaardag', 2), 3)
})

test('topics, types of answers and parts of a sentence are recognized', () => {
  const topicOf = (text: string, language: Language) => {
    const topics = classify(text, language)
    return topicNames()[topics.indexOf(Math.max(...topics))]
  }
  assert.equal(topicOf('tot hoe laat kan ik vanavond bij jullie terecht', 'nl'), 'hours')
  assert.equal(topicOf('can I get my money back', 'en'), 'refund')
  assert.equal(topicOf('Où puis-je me garer ?', 'fr'), 'parking')
  assert.deepEqual(askedTypes('Was kostet das?', 'de'), ['price'])
  assert.equal(hasAnswerOfType('price', 'Achter de kerk.'), false)
  assert.deepEqual(splitQuestions('mag de hond mee en waar kan ik parkeren', 'nl'), [
    'mag de hond mee',
    'waar kan ik parkeren',
  ])
})

test('no phrase of the topics equals a question of the evaluation set', () => {
  const asked = new Set(
    (['open', 'unopened', 'fresh'] as const).flatMap(readQuestions).map(({ text }) => fold(text)),
  )
  const phrases = readData('topics.txt')
    .split('\n')
    .flatMap((line) => line.replace(/^\w\w: /, '').split(';'))
  assert.deepEqual(
    phrases.map(fold).filter((phrase) => phrase !== '' && asked.has(phrase)),
    [],
  )
})
