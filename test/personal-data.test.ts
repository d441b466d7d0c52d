/** Every table is declared as personal data of an area, or as one without. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { areas } from '../server/app.ts'
import { tablesWithoutPersonalData } from '../server/areas/privacy/tables-without-personal-data.ts'
import { personalDataKinds } from '../server/contract/personal-data.ts'
import { openTestRuntime } from './fixtures/runtime.ts'

const fixture = await openTestRuntime({ work: false })

describe('the declarations of personal data', () => {
  test('name every table once, as that of a kind or as one without personal data', async () => {
    const { rows } = await sql<{ name: string }>`
      select table_name::text as name from information_schema.tables
      where table_schema = current_schema() and table_type = 'BASE TABLE'`.execute(
      fixture.runtime.db,
    )
    const declared = personalDataKinds.flatMap(({ tables }) => tables)
    const all = [...declared, ...Object.keys(tablesWithoutPersonalData)]
    assert.deepEqual(all.toSorted(), rows.map(({ name }) => name).toSorted())
  })

  test('say how old records are deleted for each kind whose days a project chooses', () => {
    const chosen = personalDataKinds.filter((one) => one.chosen).map(({ kind }) => kind)
    const deleted = areas.flatMap(({ retentions = [] }) => retentions.map(({ kind }) => kind))
    assert.deepEqual(deleted.toSorted(), chosen.toSorted())
  })

  test('say how the records about one person are found, or why they are not searched', () => {
    const searched = personalDataKinds.filter((one) => one.not_searched === null)
    const found = areas.flatMap(({ personalRecords = [] }) =>
      personalRecords.flatMap(({ kinds }) => kinds),
    )
    assert.deepEqual(found.toSorted(), searched.map(({ kind }) => kind).toSorted())
  })
})
