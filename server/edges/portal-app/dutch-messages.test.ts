/** The texts that the portal has for messages of the server: in Dutch, and in words of an owner. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import {
  loadServerTexts,
  translateMessage,
  translateStep,
} from '../../../portal/src/language/server-texts/translate.ts'
import { errorCatalogue } from '../../contract/error-catalogue.ts'

await loadServerTexts('nl')

test('every message of the error catalogue has a Dutch text', () => {
  const english = Object.values(errorCatalogue)
    .filter(({ http }) => http !== false)
    .map(({ user }) => user)
    .filter((user) => translateMessage(user, 'nl') === user)
  assert.deepEqual(english, [])
})

/** Sources whose messages reach programs, visitors of sites or the command line, not the portal. */
const elsewhere =
  /\/(?:public|guests|oauth|appeals|model|dialogue|language|patterns|attempt|test-calls)\/|node_modules|test|schema|mail|public-|webhooks|form-fields|\/sites\/deploy\/content|accept\/(?:read-input|attachments)|form-files|client-project|structure\.ts|references\.ts|validator\.ts|ndjson|query\/group|import-export\/report/

const root = new URL('../../', import.meta.url)
const literal = String.raw`(?:'(?:\\.|[^'\\\n])*'|"[^"\n]*"|\x60(?:\\.|[^\x60\\])*\x60)`
const messagesIn = new RegExp(
  String.raw`(?:\b(?:user_message|message)(?::|\s=)\s*|UnreadablePage\()(${literal}(?:\s*\+\s*${literal})*)`,
  'g',
)

/** The messages that rules write as literals; each part that differs is `7`. */
function listMessages(): string[] {
  const files = globSync('{areas,contract,kernel/tables,edges/{portal-api,http}}/**/*.ts', {
    cwd: root,
  }).filter((file) => !elsewhere.test(`/${file}`))
  const found = files.flatMap((file) => [
    ...readFileSync(new URL(file, root), 'utf8').matchAll(messagesIn),
  ])
  return found.map(([, text = '']) =>
    [...text.matchAll(new RegExp(literal, 'g'))]
      .map(([part]) => part.slice(1, -1))
      .join('')
      .replaceAll(/\$\{(?:[^{}]|\{[^}]*\})*\}/g, '7')
      .replaceAll(/\\(.)/g, '$1'),
  )
}

const messages = [...new Set(listMessages())].filter((message) => / /.test(message))

test('every message that a rule writes has a Dutch text', () => {
  assert.ok(messages.length > 100)
  assert.deepEqual(
    messages.filter((message) => translateMessage(message, 'nl') === message),
    [],
  )
})

test('no message shows a name of the API or of a standard to an owner', () => {
  const technical = /E\.164|BCP 47|IANA|ISO 3166|\b[a-z]+_[a-z_]+\b|\b(?:GET|PUT|POST) \//
  const shown = messages.map((message) => translateMessage(message, 'en'))
  assert.deepEqual(
    shown.filter((message) => technical.test(message)),
    [],
  )
})

test('a message of the check of a body is in words of an owner', () => {
  const said = 'has the wrong format: a phone number in E.164 format, such as +447700900123'
  assert.doesNotMatch(translateMessage(said, 'en'), /E\.164/)
  assert.match(translateMessage(said, 'nl'), /moet een telefoonnummer zijn/)
  assert.equal(
    translateMessage('must be at most 20 characters', 'nl'),
    'mag ten hoogste 20 tekens hebben',
  )
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

test('shows a step to people only if it is one of theirs, without names of the API', () => {
  const { next } = errorCatalogue.validation_failed
  for (const language of ['en', 'nl'] as const) {
    assert.equal(translateStep('Choose a project from GET /projects.', language), null)
    assert.equal(translateStep(typeof next === 'string' ? next : next.rest, language), null)
  }
  const step = 'Save its settings first with PUT /assistant, then its tools.'
  assert.match(translateStep(step, 'en') ?? '', /^Save the settings/)
  assert.match(
    translateStep('Save a password or add another passkey first.', 'nl') ?? '',
    /wachtwoord/,
  )
})
