/** The Dutch texts that the portal has for messages of the server. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  loadServerTexts,
  translateMessage,
  translateStep,
} from '../../../portal/src/language/server-texts/translate.ts'
import { errorCatalogue } from '../../contract/errors.ts'

await loadServerTexts('nl')

test('every message of the error catalogue has a Dutch text', () => {
  const english = Object.values(errorCatalogue)
    .filter(({ http }) => http !== false)
    .map(({ user }) => user)
    .filter((user) => translateMessage(user, 'nl') === user)
  assert.deepEqual(english, [])
})

test('a message keeps its names and numbers in Dutch', () => {
  const message =
    'The business register has another name for 69599068 than "Piet (1)". Enter the statutory name or a trade name as registered.'
  assert.match(translateMessage(message, 'nl'), /bij 69599068 een andere naam dan "Piet \(1\)"\./)
  assert.equal(translateMessage(message, 'en'), message)
  const places = 'The plan Online has 3 members, and none is free.'
  assert.equal(
    translateMessage(places, 'nl'),
    'Het abonnement Online heeft 3 plaatsen, en die zijn bezet.',
  )
  assert.equal(translateMessage('Toothpaste is out.', 'nl'), 'Toothpaste is out.')
})

test('a step for programs is shown to nobody, and one without a Dutch text to no Dutch reader', () => {
  assert.equal(translateStep('Choose a project from GET /projects.', 'en'), null)
  assert.equal(translateStep('Ask the operator.', 'en'), 'Ask the operator.')
  assert.equal(translateStep('Ask the operator.', 'nl'), null)
  assert.match(
    translateStep('Save a password or add another passkey first.', 'nl') ?? '',
    /wachtwoord/,
  )
})
