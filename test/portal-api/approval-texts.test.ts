/** The texts of approvals in the language of the portal. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '../../server/app.ts'
import { describeInDutch, dutchEffects } from '../../server/areas/approvals/mail/dutch-effects.ts'
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
