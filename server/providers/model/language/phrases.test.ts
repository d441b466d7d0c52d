/** Tests of the language data: complete, recognizable and unambiguous. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { concepts } from './concepts.ts'
import { languages, type Sentences } from './language.ts'
import { phrases } from './phrases.ts'
import {
  fillTemplate,
  findLastQuote,
  quoteText,
  writeSentence,
  containsSentence,
} from './speech.ts'
import { detectLanguage, fold, containsInjection } from './words.ts'

const sentenceNames = Object.keys(phrases.en.say).filter(isSentence)

function isSentence(name: string): name is keyof Sentences {
  return Object.hasOwn(phrases.en.say, name)
}

test('every language has the same entries, none of them empty', () => {
  const shapeOf = (value: unknown): unknown => {
    if (Array.isArray(value))
      return value.length > 0 && value.every((one) => fold(String(one)) !== '')
    if (typeof value !== 'object' || value === null) return value !== ''
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]))
  }
  const shape = shapeOf(phrases.en)
  for (const language of languages) assert.deepEqual(shapeOf(phrases[language]), shape, language)
})

test('every language has the same placeholders', () => {
  const blanksOf = (texts: object) =>
    Object.entries(texts)
      // Some languages write full hours without minutes, so their entry `whole` has no placeholder
      // for them.
      .filter(([name]) => name !== 'whole')
      .map(([name, text]) => [
        name,
        String(text)
          .match(/\{\w+\}/g)
          ?.toSorted() ?? [],
      ])
  for (const language of languages) {
    for (const part of ['say', 'hours', 'summary'] as const) {
      assert.deepEqual(blanksOf(phrases[language][part]), blanksOf(phrases.en[part]), language)
    }
  }
})

test('a standard sentence is recognized in a transcript and not confused with another', () => {
  const values = {
    name: 'Jansen',
    text: quoteText('een bericht'),
    titles: quoteText('een vraag'),
    language: 'Deutsch',
  }
  for (const language of languages) {
    for (const name of sentenceNames) {
      const said = `Eerst dit. ${writeSentence(language, name, values)} En dan dat.`
      const found = sentenceNames.filter((other) => containsSentence(said, other))
      assert.ok(found.includes(name), `${language} ${name} is not found`)
      // A greeting with a name, and sentences with the same offer of help, match both.
      const others = found.filter((other) => other !== name && other !== 'help')
      assert.deepEqual(others, [], `${language} ${name}`)
    }
  }
})

test('the language of each longer sentence is recognized', () => {
  for (const language of languages) {
    for (const name of sentenceNames) {
      const text = phrases[language].say[name].replace(/\{\w+\}/g, '')
      if (text.split(' ').length < 6) continue
      assert.equal(detectLanguage(text), language, text)
    }
  }
})

test('placeholders within inserted text are not filled', () => {
  assert.equal(fillTemplate('{text} {name}', { text: '{name}', name: 'x' }), '{name} x')
  assert.equal(fillTemplate('{text} {other}', { text: 'a' }), 'a {other}')
})

test('the last quotation in a text is found', () => {
  assert.equal(findLastQuote(`${quoteText('a')} and ${quoteText('b')}?`), 'b')
  assert.equal(findLastQuote('none'), null)
})

test('every concept has a name in each language and a unique id', () => {
  assert.equal(new Set(concepts.map(({ id }) => id)).size, concepts.length)
  for (const { topic, words } of concepts) {
    for (const language of languages) assert.notEqual(topic[language], '')
    assert.ok(words.every((word) => fold(word) !== ''))
  }
})

test('no word belongs to two concepts', () => {
  const owner = new Map<string, string>()
  const twice: string[] = []
  for (const { id, words } of concepts) {
    for (const word of new Set(words.map(fold))) {
      if (owner.has(word)) twice.push(`${word}: ${owner.get(word)} and ${id}`)
      owner.set(word, id)
    }
  }
  assert.deepEqual(twice, [])
})

test('ordinary questions are not taken for orders to the assistant', () => {
  const questions = [
    'Can you give me instructions for the bike?',
    'Heeft u een gebruiksaanwijzing?',
    'I will act as soon as I can',
  ]
  for (const question of questions) assert.equal(containsInjection(question), false, question)
})
