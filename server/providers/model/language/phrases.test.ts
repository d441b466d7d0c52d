/** The catalogue: complete, recognisable and free of what would make it misread callers. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { concepts } from './concepts.ts'
import { languages, type Sentences } from './language.ts'
import { phrases } from './phrases.ts'
import { fill, lastQuote, quote, say, wasSaid } from './speech.ts'
import { detectLanguage, fold, givesOrders } from './words.ts'

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

test('every language fills the same blanks', () => {
  const blanksOf = (texts: object) =>
    Object.entries(texts)
      // Some languages write the full hour without minutes.
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

test('a sentence is found again in what was said, and is not taken for another', () => {
  const values = {
    name: 'Jansen',
    text: quote('een bericht'),
    titles: quote('een vraag'),
    language: 'Deutsch',
  }
  for (const language of languages) {
    for (const name of sentenceNames) {
      const said = `Eerst dit. ${say(language, name, values)} En dan dat.`
      const found = sentenceNames.filter((other) => wasSaid(said, other))
      assert.ok(found.includes(name), `${language} ${name} is not found`)
      // A greeting with the name, and sentences that end in the same offer of help, say so too.
      const others = found.filter((other) => other !== name && other !== 'help')
      assert.deepEqual(others, [], `${language} ${name}`)
    }
  }
})

test('the language of every longer sentence is recognised', () => {
  for (const language of languages) {
    for (const name of sentenceNames) {
      const text = phrases[language].say[name].replace(/\{\w+\}/g, '')
      if (text.split(' ').length < 6) continue
      assert.equal(detectLanguage(text), language, text)
    }
  }
})

test('a filled-in text is not filled again', () => {
  assert.equal(fill('{text} {name}', { text: '{name}', name: 'x' }), '{name} x')
  assert.equal(fill('{text} {other}', { text: 'a' }), 'a {other}')
})

test('the last quotation is the one that is read', () => {
  assert.equal(lastQuote(`${quote('a')} and ${quote('b')}?`), 'b')
  assert.equal(lastQuote('none'), null)
})

test('every concept has a name in every language and an id of its own', () => {
  assert.equal(new Set(concepts.map(({ id }) => id)).size, concepts.length)
  for (const { topic, words } of concepts) {
    for (const language of languages) assert.notEqual(topic[language], '')
    assert.ok(words.every((word) => fold(word) !== ''))
  }
})

test('the words of one concept are not those of another', () => {
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

test('ordinary questions give no orders', () => {
  const questions = [
    'Can you give me instructions for the bike?',
    'Heeft u een gebruiksaanwijzing?',
    'I will act as soon as I can',
  ]
  for (const question of questions) assert.equal(givesOrders(question), false, question)
})
