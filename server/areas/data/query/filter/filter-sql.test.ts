/** Compares filters in PostgreSQL with a reference evaluator in JavaScript. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { depth } from '../../../../../test/fixtures/depth.ts'
import { document, filter, matches, write } from '../../../../../test/fixtures/data/filter-cases.ts'
import type { FilterTime } from './filter.ts'
import { parseFilter } from './filter-grammar.ts'
import { listDocuments } from '../list.ts'
import { newFixture } from '../../../../../test/fixtures/data/documents.ts'

const fixture = await newFixture()
const { db } = fixture.runtime.runtime
const moment: FilterTime = { now_ms: Date.UTC(2026, 10, 21, 9), timezone: 'Europe/Amsterdam' }

suite('random documents and filters', () => {
  const DOCUMENTS = 50
  const FILTERS = 25
  const ROUNDS = depth(2, 8)

  test('match in PostgreSQL exactly as in a reference evaluator', async () => {
    let cases = 0
    let matching = 0
    const fields = { indexes: ['a', 'n.x', 'data.created_at'], unique: ['b'] }
    await fc.assert(
      fc.asyncProperty(
        fc.array(document, { minLength: DOCUMENTS, maxLength: DOCUMENTS }),
        fc.array(filter, { minLength: FILTERS, maxLength: FILTERS }),
        async (documents, filters) => {
          const collection = await fixture.newCollection(fields)
          const rows = await fixture.add(collection, documents)
          for (const wanted of filters) {
            const text = write(wanted)
            const read = parseFilter({ text, parameter: 'filter', moment })
            assert.deepEqual(read, JSON.parse(JSON.stringify(wanted)), text)
            const expected = rows.filter((row) => matches(row, wanted, moment)).map(({ id }) => id)
            const asked = { filter: read, timezone: moment.timezone, limit: DOCUMENTS }
            const found = await listDocuments(db, { collection, ...asked })
            assert.deepEqual(found.map(({ id }) => id).toReversed(), expected, text)
            cases += rows.length
            matching += expected.length
          }
        },
      ),
      { numRuns: ROUNDS, endOnFailure: true },
    )
    assert.ok(
      matching > cases / 20 && matching < (cases * 19) / 20,
      `${matching} of ${cases} match`,
    )
  })
})
