/** Tests of the greeting of a call and its AI disclosure. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languages } from '../../../providers/model/language/language.ts'
import { phrases } from '../../../providers/model/language/phrases.ts'
import { composeGreeting } from './greeting.ts'

const greet = (greeting: string, language: 'nl' | 'en' = 'nl') =>
  composeGreeting({ name: 'Jansen', greeting, language })

test('the greeting contains the name and the disclosure in every language', () => {
  for (const language of languages) {
    const { text } = composeGreeting({ name: 'Jansen', greeting: '', language })
    assert.ok(text.includes('Jansen') && text.includes(phrases[language].say.disclosure))
  }
})

test("the greeting adds the disclosure to the owner's greeting", () => {
  assert.equal(
    greet('Welkom bij Jansen.').text,
    'Welkom bij Jansen. U spreekt met een digitale AI-assistent.',
  )
})

test("the greeting ends the owner's greeting with a full stop before the disclosure", () => {
  assert.equal(greet('Goedemorgen').text, 'Goedemorgen. U spreekt met een digitale AI-assistent.')
})

test('the greeting inserts the disclosure before a final question', () => {
  assert.equal(
    greet('Welkom bij Jansen. Waarmee kan ik u helpen?').text,
    'Welkom bij Jansen. U spreekt met een digitale AI-assistent. Waarmee kan ik u helpen?',
  )
})

test('the greeting does not repeat a disclosure of the owner', () => {
  for (const own of [
    'Hallo, u spreekt met de AI-assistent van Jansen.',
    'Hello, I am the virtual assistant of Jansen.',
    'Guten Tag, hier ist der digitale Assistent (KI) von Jansen.',
  ]) {
    assert.equal(greet(own).text, own)
  }
})

test('the greeting uses the language of the greeting for the disclosure, not that of the call', () => {
  const { text, language } = greet('Welkom bij onze winkel, u spreekt met Jansen.', 'en')
  assert.equal(language, 'nl')
  assert.match(text, /AI-assistent/)
})

test('the greeting does not mistake a word that contains "ai" for a disclosure', () => {
  assert.match(greet('Welkom bij de Aikidoschool.').text, /AI-assistent/)
})
