/** Tests of summaries by quotation: questions, answers and open tasks. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { summarizeConversation } from './builtin-summary.ts'
import type { SpokenTurn } from './knowledge.ts'
import { languages, type Language } from '../language/language.ts'
import { quoteText, writeSentence } from '../language/speech.ts'

const caller = (text: string): SpokenTurn => ({ role: 'caller', text })
const assistant = (text: string): SpokenTurn => ({ role: 'assistant', text })
const system = (text: string): SpokenTurn => ({ role: 'system', text })
const sum = (turns: SpokenTurn[], language: Language = 'nl') =>
  summarizeConversation({ task: 'summary', language, turns })
const unknown = assistant(`${writeSentence('nl', 'unknown')} ${writeSentence('nl', 'ask_message')}`)
const taken = (text: string) =>
  assistant(writeSentence('nl', 'message_taken', { text: quoteText(text) }))

test('a built-in summary quotes questions and answers, and lists no task', () => {
  const summary = sum([
    assistant('Goedendag, u spreekt met Jansen.'),
    caller('Kan ik bij jullie parkeren?'),
    assistant('U kunt achter de winkel parkeren.'),
    caller('Bedankt, tot ziens'),
    assistant(writeSentence('nl', 'goodbye')),
  ])
  assert.deepEqual(summary, {
    text: 'Gevraagd: “Kan ik bij jullie parkeren?”. Geantwoord: “U kunt achter de winkel parkeren.”.',
    topics: ['parkeren'],
    sentiment: 'neutral',
    action_items: [],
    next_step: 'Geen vervolgactie nodig.',
  })
})

test('a built-in summary lists open questions and messages as tasks', () => {
  const message = 'Jan, 0612345678, over skeelers'
  const { action_items, next_step, text } = sum([
    caller('Verkoopt u skeelers?'),
    unknown,
    caller(message),
    taken(message),
  ])
  assert.deepEqual(action_items, [
    `Bericht doorgeven en beantwoorden: “${message}”`,
    'Vraag beantwoorden: “Verkoopt u skeelers?”',
  ])
  assert.equal(next_step, action_items[0])
  assert.match(text, /Bericht achtergelaten: “Jan, 0612345678, over skeelers”/)
})

test('a built-in summary mentions a transfer', () => {
  const { text, action_items } = sum([
    caller('Mag ik iemand spreken?'),
    assistant(writeSentence('nl', 'connecting')),
  ])
  assert.equal(text, 'Doorverbonden met een medewerker.')
  assert.deepEqual(action_items, [])
})

test('a built-in summary lists a request for a person that could not be transferred as a task', () => {
  const { action_items } = sum([
    caller('Mag ik iemand spreken?'),
    assistant(`${writeSentence('nl', 'no_human')} ${writeSentence('nl', 'ask_message')}`),
  ])
  assert.equal(action_items.length, 1)
})

test('a built-in summary is empty if the caller said nothing', () => {
  const summary = sum([assistant('Goedendag.'), system('Nobody answered.'), caller('  ')])
  assert.deepEqual(
    [summary.text, summary.sentiment, summary.topics],
    ['Er is niets gezegd.', 'unknown', []],
  )
})

test('a built-in summary is written in the requested language, for conversations in any language', () => {
  const summary = sum(
    [caller('Is there parking?'), assistant('I only have this in Dutch: achter de winkel.')],
    'de',
  )
  assert.match(summary.text, /^Gefragt: “Is there parking\?”/)
  assert.deepEqual(summary.topics, ['Parken'])
})

const moods: [string, string][] = [
  ['Wat een geweldige service, ik ben blij!', 'positive'],
  ['Dit is belachelijk, ik ben boos.', 'negative'],
  ['Fijn dat u belt, maar ik ben teleurgesteld.', 'mixed'],
  ['Kan ik parkeren?', 'neutral'],
  ['Good morning, my bike is broken. Thank you!', 'neutral'],
  ['This is terrible, I am very disappointed', 'negative'],
]
for (const [text, sentiment] of moods) {
  test(`finds the sentiment ${sentiment} in "${text}"`, () => {
    assert.equal(sum([caller(text), assistant('Goed.')]).sentiment, sentiment)
  })
}

test('a built-in summary treats opening hours as a topic', () => {
  assert.deepEqual(
    sum([caller('Zijn jullie zondag open?'), assistant('Zondag zijn we gesloten.')]).topics,
    ['openingstijden'],
  )
})

test('a built-in summary ignores a question that was asked back and not confirmed', () => {
  const { action_items } = sum([
    caller('Verkoopt u steps?'),
    assistant('Bedoelt u misschien: “Verkopen jullie fietsen?”?'),
    caller('Nee'),
    unknown,
  ])
  assert.equal(action_items.length, 0)
})

test('a built-in summary quotes only the conversation, for any conversation', () => {
  const turn = fc.record({
    role: fc.constantFrom('caller', 'assistant', 'system'),
    text: fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 80 }),
      fc.constantFrom(unknown.text, writeSentence('nl', 'connecting'), 'Ja', 'Is er wifi?'),
    ),
  })
  fc.assert(
    fc.property(
      fc.array(turn, { maxLength: 20 }),
      fc.constantFrom(...languages),
      (turns, language) => {
        const summary = sum(turns, language)
        const said = turns.map(({ text }) => text.replace(/\s+/g, ' ').trim()).join(' ')
        for (const item of summary.action_items) {
          const quoted = /“(.*)”/s.exec(item)?.[1] ?? ''
          assert.ok(said.includes(quoted), item)
        }
        assert.ok(summary.text !== '' && summary.next_step !== '')
        assert.ok(summary.topics.length <= 5 && summary.action_items.length <= 10)
      },
    ),
  )
})
