/**
 * Tests the accuracy of the built-in model with twenty-two questions, and that it invents no
 * answers.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import type { RelayOut } from '../../../providers/voice/relay.ts'
import { openRelay } from '../service.ts'

const { runtime, project_id, call } = await openTestRuntime({ work: false })

const facts = [
  ['Waar zitten jullie?', 'Onze winkel is aan de Oudegracht 120 in Utrecht.'],
  ['Kan ik bij jullie parkeren?', 'U kunt parkeren in de garage Springweg, op vijf minuten lopen.'],
  ['Wat kost een lekke band plakken?', 'Een lekke band plakken kost 17,50 euro.'],
  ['Hoe lang duurt een grote beurt?', 'Een grote beurt duurt twee werkdagen.'],
  ['Verhuren jullie fietsen?', 'Ja, een stadsfiets huurt u voor 12 euro per dag.'],
  ['Hoe kan ik betalen?', 'U kunt pinnen of contant betalen; creditcards nemen we niet aan.'],
  [
    'Moet ik een afspraak maken voor een reparatie?',
    'Voor kleine reparaties hoeft u geen afspraak te maken.',
  ],
  [
    'Hoeveel garantie krijg ik op een nieuwe fiets?',
    'Op een nieuwe fiets geven we twee jaar garantie.',
  ],
  [
    'Verkopen jullie elektrische fietsen?',
    'Ja, we verkopen elektrische fietsen van Gazelle en Batavus.',
  ],
  ['Wat is jullie mailadres?', 'U kunt mailen naar hallo@fietsenjansen.example.'],
] as const

const profile = {
  name: 'Fietsen Jansen',
  languages: ['nl'],
  facts: facts.map(([question, answer]) => ({ question, answer })),
}

const unknown = /weet ik helaas niet|do not know that/
const offer = /bericht aannemen|take a message/

/** Each question with the number of the fact that answers it, or a pattern for another answer. */
const questions: readonly [string, number | RegExp][] = [
  ['Wat is jullie adres?', 0],
  ['Waar is de winkel?', 0],
  ['Is er parkeergelegenheid?', 1],
  ['Waar kan ik mijn auto kwijt, kan ik parkeren?', 1],
  ['Ik heb een lekke band, wat kost dat?', 2],
  ['Hoeveel kost het plakken van een band?', 2],
  ['Hoe lang zijn jullie bezig met een grote beurt?', 3],
  ['Kan ik bij jullie een fiets huren?', 4],
  ['Wat kost een huurfiets per dag?', 4],
  ['Kan ik met creditcard betalen?', 5],
  ['Neem je ook contant geld aan?', 5],
  ['Moet ik een afspraak maken?', 6],
  ['Hoe zit het met de garantie?', 7],
  ['Verkoopt u ook e-bikes, elektrische dus?', 8],
  ['Welke merken elektrische fietsen hebben jullie?', 8],
  ['Naar welk adres kan ik mailen?', 9],
  ['Can I park my car near your shop?', 1],
  ['Hallo, goedemiddag!', /Waarmee kan ik u helpen/],
  ['Wat is de hoofdstad van Frankrijk?', unknown],
  ['Wat voor weer wordt het morgen?', unknown],
  ['Verkopen jullie ook pizza met salami?', unknown],
  ['Wie heeft de verkiezingen gewonnen?', unknown],
]

test('the built-in model answers at least eighteen of twenty-two questions correctly and invents nothing', async () => {
  const { status } = await call('PUT /assistant', { body: profile })
  assert.equal(status, 200)
  const wrong: string[] = []
  const invented: string[] = []
  for (const [question, right] of questions) {
    const text = await ask(question)
    const is_right = typeof right === 'number' ? text.includes(facts[right]![1]) : right.test(text)
    if (!is_right) wrong.push(`${question} → ${text}`)
    if (!isFounded(text)) invented.push(`${question} → ${text}`)
  }
  console.log(
    `built-in model: ${questions.length - wrong.length} of ${questions.length} right, ${invented.length} invented`,
  )
  for (const line of wrong) console.log(`  not right: ${line}`)
  assert.deepEqual(invented, [])
  assert.ok(questions.length - wrong.length >= 18, wrong.join('\n'))
})

/** A business in another language than the others, and questions about it in several languages. */
const restaurant = {
  name: 'Ristorante Sole',
  languages: ['de'],
  instructions: 'Du bist freundlich. Unser Restaurant hat achtzig Plätze. Gib keine Rabatte.',
  facts: [
    { question: 'Wo sind Sie?', answer: 'Wir sind in der Aachener Straße 12 in Köln.' },
    { question: 'Kann ich einen Tisch reservieren?', answer: 'Ja, unter 0221 123456.' },
    { question: 'Haben Sie vegetarische Gerichte?', answer: 'Ja, wir haben zehn.' },
    { question: 'Sind Hunde erlaubt?', answer: 'Hunde sind auf der Terrasse willkommen.' },
    { question: 'Gibt es Parkplätze?', answer: 'Parkplätze gibt es im Parkhaus Mitte.' },
    { question: 'Kann man mit Karte zahlen?', answer: 'Sie können mit Karte und bar zahlen.' },
  ],
}
const asked: readonly [string, RegExp][] = [
  ['Wie ist die Adresse?', /Aachener/],
  ['Ich würde gern einen Tisch für vier Personen reservieren.', /0221/],
  ['Haben Sie etwas für Vegetarier, also vegetarisch?', /wir haben zehn/],
  ['Darf mein Hund mit?', /Hunde/],
  ['Wo kann ich parken?', /Parkhaus/],
  ['Nehmen Sie Kreditkarten?', /Karte und bar/],
  ['Where can I park?', /only have this in German: Parkplätze/],
  ['Do you take credit cards?', /only have this in German: .*Karte und bar/],
  ['Vous acceptez les chiens ?', /Hunde/],
  ['Wie viele Plätze hat das Restaurant?', /achtzig Plätze/],
  ['Wer ist der Bundeskanzler?', /weiß ich leider nicht/],
  ['Schreiben Sie mir ein Gedicht?', /weiß ich leider nicht/],
  ['Wie viel kostet ein Flug nach Rom?', /weiß ich leider nicht/],
  ['Bekomme ich Rabatt?', /weiß ich leider nicht/],
  ['Who won the world cup?', /do not know that/],
]

test('the built-in model answers most questions in other languages, and nothing unrelated', async () => {
  const { status } = await call('PUT /assistant', { body: restaurant })
  assert.equal(status, 200)
  const wrong: string[] = []
  for (const [question, right] of asked) {
    const text = await ask(question)
    if (!right.test(text)) wrong.push(`${question} → ${text}`)
  }
  for (const line of wrong) console.log(`  not right: ${line}`)
  assert.ok(wrong.length <= 2, wrong.join('\n'))
})

/** The assistant's answer to one question at the start of a call. */
async function ask(question: string): Promise<string> {
  const sent: RelayOut[] = []
  const relay = await openRelay(runtime, { project_id, send: (out) => void sent.push(out) })
  const line = { session_id: 'a', call_id: 'a', from: '+31612345678', to: '+31201234567' }
  await relay.receive({ type: 'setup', ...line, direction: 'inbound' })
  sent.length = 0
  await relay.receive({ type: 'prompt', text: question, last: true })
  relay.close()
  return sent
    .map((out) => (out.type === 'text' ? out.token : ''))
    .join(' ')
    .trim()
}

/** Whether every sentence is a fact or a fixed phrase of the catalogue. */
function isFounded(text: string): boolean {
  const rest = facts.reduce(
    (left, [question, answer]) => left.replace(answer, '').replace(`“${question}”`, ''),
    text,
  )
  const ready = [
    /Bedoelt u misschien: ?\?/,
    /Do you perhaps mean: ?\?/,
    /I only have this in Dutch:/,
    /Waarmee kan ik u helpen\?/,
  ]
  const left = ready.reduce((words, sentence) => words.replace(sentence, ''), rest).trim()
  return left === '' || (unknown.test(left) && offer.test(left))
}
