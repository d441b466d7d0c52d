/** Tests which callers' phrases the built-in model understands, in whole conversations. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import type { Language } from '../../../providers/model/language/language.ts'
import { containsSentence } from '../../../providers/model/language/speech.ts'
import type { RelayOut } from '../../../providers/voice/relay.ts'
import {
  callerPhrases,
  laterPhrases,
  type CallerIntent,
} from '../../../../test/fixtures/caller-phrases.ts'
import { openRelay } from '../service.ts'

const { runtime, project_id, call } = await openTestRuntime({ work: false })

/** Data by language: the question of a fact, its answer, and a similar question. */
const bikes: Record<Language, readonly [question: string, answer: string, near: string]> = {
  en: ['Do you sell electric bikes?', 'Yes, of Gazelle.', 'Do you sell electric cars?'],
  nl: ['Verkopen jullie elektrische fietsen?', 'Ja, van Batavus.', 'Verkoopt u elektrische steps?'],
  de: [
    'Verkaufen Sie Elektrofahrräder?',
    'Ja, von Kalkhoff.',
    'Verkaufen Sie Fahrräder für Kinder?',
  ],
  fr: [
    'Vendez-vous des vélos électriques ?',
    'Oui, de Peugeot.',
    'Vendez-vous des vélos pour enfants ?',
  ],
  es: ['¿Venden bicicletas eléctricas?', 'Sí, de Orbea.', '¿Venden bicicletas para niños?'],
  it: ['Vendete biciclette elettriche?', 'Sì, di Bianchi.', 'Vendete biciclette per bambini?'],
}

const facts = Object.values(bikes).map(([question, answer]) => ({ question, answer }))
const profile = { name: 'Bikes', languages: ['en'], facts, transfer: { phone: '+31201234567' } }
const put = await call('PUT /assistant', { body: profile })
assert.equal(put.status, 200, put.text)

/** Returns the reply to the last phrase, and whether the call ends. */
async function converse(language: Language, ...phrases: string[]) {
  let sent: RelayOut[] = []
  const relay = await openRelay(runtime, { project_id, send: (out) => void sent.push(out) })
  const numbers = { session_id: 'a', call_id: 'a', from: '+31612345678', to: '+31201234567' }
  await relay.receive({ type: 'setup', ...numbers, direction: 'inbound', language })
  for (const text of phrases) {
    sent = []
    await relay.receive({ type: 'prompt', text, last: true })
  }
  const spoken = sent.flatMap((out) => (out.type === 'text' ? out.token : [])).join(' ')
  const end = sent.find((out) => out.type === 'end')
  return { spoken, ends: end?.reason === 'completed' }
}

const understands: Record<CallerIntent, (language: Language, phrase: string) => Promise<boolean>> =
  {
    async yes(language, phrase) {
      const [, answer, near] = bikes[language]
      return (await converse(language, near, phrase)).spoken.includes(answer)
    },
    async no(language, phrase) {
      const [, , near] = bikes[language]
      const { spoken, ends } = await converse(language, near, phrase)
      return !ends && containsSentence(spoken, 'ask_message')
    },
    async message(language, phrase) {
      const { spoken } = await converse(language, phrase)
      return containsSentence(spoken, 'message_taken') && spoken.includes(phrase)
    },
    async goodbye(language, phrase) {
      return (await converse(language, phrase)).ends
    },
    async insult(language, phrase) {
      return containsSentence((await converse(language, phrase)).spoken, 'calm')
    },
    async emergency(language, phrase) {
      return (await converse(language, phrase)).spoken.includes('112')
    },
    async ordinary(language, phrase) {
      const { spoken, ends } = await converse(language, phrase)
      return (
        !ends &&
        !containsSentence(spoken, 'message_taken') &&
        !/112/.test(spoken) &&
        !containsSentence(spoken, 'calm')
      )
    },
  }

const inTable = Object.entries(callerPhrases).flatMap(([wish, lists]) =>
  Object.entries(lists).flatMap(([language, phrases]) =>
    phrases.map((phrase) => [wish, language, phrase] as const),
  ),
)

/** Returns the phrases without the expected effect, with their intent and language. */
async function missedOf(phrases: readonly (readonly [string, string, string])[]) {
  const missed: string[] = []
  for (const [wish, language, phrase] of phrases) {
    const check = understands[wish as CallerIntent]
    if (!(await check(language as Language, phrase))) missed.push(`${wish} ${language} ${phrase}`)
  }
  return missed
}

test('the assistant understands every phrase of the set that the rules were written for', async (t) => {
  const missed = await missedOf(inTable)
  t.diagnostic(`${inTable.length - missed.length} of ${inTable.length} understood`)
  assert.deepEqual(missed, [])
})

test('the assistant understands nine in ten phrases of a set that was written independently of the rules', async (t) => {
  const missed = await missedOf(laterPhrases)
  const understood = laterPhrases.length - missed.length
  t.diagnostic(`${understood} of ${laterPhrases.length} understood; not: ${missed.join(' | ')}`)
  assert.ok(understood >= laterPhrases.length * 0.9, missed.join('\n'))
})

test('the assistant repeats "do you mean …?" once after an answer that is neither yes nor no', async () => {
  const [, answer, near] = bikes.en
  const unclear = await converse('en', near, 'Hmm purple')
  assert.ok(containsSentence(unclear.spoken, 'yes_or_no'), unclear.spoken)
  const after = await converse('en', near, 'Hmm purple', 'Yes, that one')
  assert.ok(after.spoken.includes(answer), after.spoken)
})

test('the assistant transfers a caller who accepts the offered person after an insult', async () => {
  const { spoken } = await converse('en', 'You stupid machine!', 'Yes please.')
  assert.ok(containsSentence(spoken, 'connecting'), spoken)
})

const emergencyNumbers = [
  ['+31201234567', '112'],
  ['+447700900123', '112'],
  ['+12025550143', '911'],
  ['+61255501234', '000'],
] as const
for (const [called, number] of emergencyNumbers)
  test(`names ${number} to a caller in danger who called ${called}`, async () => {
    const sent: RelayOut[] = []
    const relay = await openRelay(runtime, { project_id, send: (out) => void sent.push(out) })
    const numbers = { session_id: 'a', call_id: 'a', from: '+31612345678', to: called }
    await relay.receive({ type: 'setup', ...numbers, direction: 'inbound', language: 'en' })
    await relay.receive({ type: 'prompt', text: 'I need an ambulance', last: true })
    const last = sent.at(-1)
    assert.match(
      last?.type === 'text' ? last.token : '',
      new RegExp(`hang up now and call ${number}\\.`),
    )
  })

test('the assistant answers an urgent question after the emergency number', async () => {
  const { spoken } = await converse('en', 'It is an emergency, do you sell electric bikes?')
  assert.match(spoken, /If anybody is in danger, please hang up now and call 112\. Yes, of Gazelle/)
})
