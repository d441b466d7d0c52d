/** The texts of approvals in the language of the portal. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '../../server/app.ts'
import { describeInDutch, dutchEffects } from '../../server/areas/approvals/mail/dutch-effects.ts'
import { messageInDutch } from '../../portal/src/language/server-texts/dutch.ts'
import { isDangerous } from '../../server/edges/mcp/tools/danger.ts'

test('each operation that may need approval has a Dutch text', () => {
  const mayNeed = operations.filter((operation) => isDangerous(operation) || operation.consent)
  const names = mayNeed.map(({ name }) => name)
  assert.deepEqual(Object.keys(dutchEffects).toSorted(), names.toSorted())
})

test('an operation of an earlier version keeps its English text', () => {
  const approval = { operation: 'removed.operation', about: 'Does something.' }
  assert.equal(describeInDutch(approval), 'Does something.')
})

test('what documents a batch deletes and overwrites is wholly in Dutch', () => {
  for (const [en, nl] of [
    ['It deletes 1 document in a: X.', 'Het verwijdert 1 document in a: X.'],
    ['It deletes 2 documents in a: X; Y.', 'Het verwijdert 2 documenten in a: X; Y.'],
    [
      'It deletes 7 documents in a, among them: X; Y. It overwrites fields of 21 documents in a.',
      'Het verwijdert 7 documenten in a, waaronder: X; Y. Het overschrijft velden van 21 documenten in a.',
    ],
  ] as const)
    assert.equal(messageInDutch(en), nl)
})
