/** The opening of a call, and that it says what is speaking. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languages } from '../../../providers/model/language.ts'
import { phrases } from '../../../providers/model/phrases.ts'
import { greetingFor } from './greeting.ts'

const greet = (greeting: string, language: 'nl' | 'en' = 'nl') =>
  greetingFor({ name: 'Jansen', greeting, language })

test('every language greets with the name and the disclosure', () => {
  for (const language of languages) {
    const { text } = greetingFor({ name: 'Jansen', greeting: '', language })
    assert.ok(text.includes('Jansen') && text.includes(phrases[language].say.disclosure))
  }
})

test('the disclosure is added to the greeting of the owner', () => {
  assert.equal(
    greet('Welkom bij Jansen.').text,
    'Welkom bij Jansen. U spreekt met een digitale AI-assistent.',
  )
})

test('it comes before a question, which stays last', () => {
  assert.equal(
    greet('Welkom bij Jansen. Waarmee kan ik u helpen?').text,
    'Welkom bij Jansen. U spreekt met een digitale AI-assistent. Waarmee kan ik u helpen?',
  )
})

test('it is not said twice', () => {
  for (const own of [
    'Hallo, u spreekt met de AI-assistent van Jansen.',
    'Hello, I am the virtual assistant of Jansen.',
    'Guten Tag, hier ist der digitale Assistent (KI) von Jansen.',
  ]) {
    assert.equal(greet(own).text, own)
  }
})

test('it is in the language of the greeting, whatever that of the call', () => {
  const { text, language } = greet('Welkom bij onze winkel, u spreekt met Jansen.', 'en')
  assert.equal(language, 'nl')
  assert.match(text, /AI-assistent/)
})

test('a word that only has the letters in it does not count', () => {
  assert.match(greet('Welkom bij de Aikidoschool.').text, /AI-assistent/)
})
