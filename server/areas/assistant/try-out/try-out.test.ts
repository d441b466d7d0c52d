/** Trying the assistant out over the portal's API. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newTeam } from '../../../../test/fixtures/portal/sessions.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'

const fixture = await openTestRuntime({ work: false })
const { owner, viewer, project_id } = await newTeam(fixture)
const key = await fixture.newKey({ project_id })
const route = `POST /projects/${project_id}/assistant/try`

const settings = {
  name: 'Sam',
  greeting: 'Bakery De Molen, good morning.',
  languages: ['en', 'nl'],
  opening_hours: [{ day: 'tue', from: '08:00', to: '17:30' }],
  facts: [
    { question: 'Can I park at your shop?', answer: 'Yes, behind the shop, for free.' },
    { question: 'Do you bake gluten-free bread?', answer: 'Yes, on Thursdays.' },
  ],
  transfer: { phone: '+31201234567' },
}

const caller = (text: string) => ({ role: 'caller', text })
const assistant = (text: string) => ({ role: 'assistant', text })
const tryOut = (...turns: { role: string; text: string }[]) =>
  owner.call(route, { body: { turns } })
const slugOf = ({ body }: { body: any }): string => body.type.split('/').at(-1)

describe('POST /assistant/try', () => {
  test('is refused with 409 until the assistant is set up', async () => {
    const answer = await tryOut(caller('Hello?'))
    assert.deepEqual([answer.status, slugOf(answer)], [409, 'conflict'])
    await fixture.call('PUT /assistant', { key, body: settings })
  })

  test('greets with the disclosure, as in a call', async () => {
    const { status, body, text } = await tryOut()
    assert.equal(status, 200, text)
    assert.match(body.text, /^Bakery De Molen, good morning\. .*assistant/)
    assert.deepEqual([body.language, body.action, body.sources], ['en', null, []])
  })

  test('answers from a fact, and names it as quoted', async () => {
    const { body } = await tryOut(caller('Where can I park my car?'))
    assert.equal(body.text, 'Yes, behind the shop, for free.')
    const [source] = body.sources
    assert.deepEqual(source, {
      kind: 'fact',
      title: 'Can I park at your shop?',
      text: 'Yes, behind the shop, for free.',
      quoted: true,
    })
  })

  test('names the opening hours when they are the answer', async () => {
    const { body } = await tryOut(caller('Are you open on Tuesday?'))
    assert.match(body.text, /8/)
    assert.deepEqual(body.sources[0], {
      kind: 'opening_hours',
      title: '',
      text: '',
      quoted: true,
    })
  })

  test('remembers the turns before, and replies in the language of the caller', async () => {
    const offer = await tryOut(caller('Verkopen jullie fietsen?'))
    assert.equal(offer.body.language, 'nl')
    assert.deepEqual(offer.body.sources, [])
    const noted = await tryOut(
      caller('Verkopen jullie fietsen?'),
      assistant(offer.body.text),
      caller('Bel me terug op 0612345678 voor een taart'),
    )
    assert.equal(noted.body.action, 'message', noted.text)
    assert.match(noted.body.text, /0612345678/)
  })

  test('says that it would transfer the caller or end the call', async () => {
    const person = await tryOut(caller('Can I speak to a real person please?'))
    assert.equal(person.body.action, 'transfer')
    const goodbye = await tryOut(caller('Thank you, goodbye.'))
    assert.equal(goodbye.body.action, 'end')
  })

  test('refuses a conversation that ends with the assistant, or is too long', async () => {
    const answer = await tryOut(caller('Hello'), assistant('Hello'))
    assert.deepEqual([answer.status, slugOf(answer)], [422, 'validation_failed'])
    assert.equal(answer.body.errors[0].path, '/turns/1/role')
    const long = await tryOut(...Array.from({ length: 61 }, () => caller('Hello')))
    assert.equal(long.status, 422)
  })

  test('stores no call, and is refused for viewers', async () => {
    const { body } = await fixture.call('GET /calls', { key })
    assert.deepEqual(body.data, [])
    const answer = await viewer.call(route, { body: { turns: [] } })
    assert.equal(answer.status, 403)
  })
})
