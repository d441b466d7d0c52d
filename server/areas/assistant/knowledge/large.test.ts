/** Tests of the search in PostgreSQL, which projects with many passages use. */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { eventually } from '../../../../test/fixtures/eventually.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { defaultProfile } from '../profile.ts'
import { replaceChunks } from '../store.ts'
import { IN_MEMORY_MAX, passageIndexOf } from './passage-cache.ts'
import { createPassage } from './passages.ts'
import { retrieveKnowledge } from './retrieval.ts'

const { runtime, project_id, call, newProject } = await openTestRuntime({ work: false })

const texts = [
  ['en', 'The greenhouse is heated with wood pellets in winter.'],
  ['nl', 'De kassen worden in de winter verwarmd met houtkorrels.'],
  ['en', 'Membership of the library costs thirty euro per year.'],
] as const

async function store(
  source_id: string,
  bodies: readonly (readonly [string, string])[],
  of = project_id,
) {
  const passages = bodies.map(([language, body]) => {
    return createPassage({ title: 'Page', body, url: null, languages: [language] })
  })
  const write = { project_id: of, source_id, source: 'website' as const, url: null, passages }
  return runtime.db.transact((tx) => replaceChunks(tx, { ...write, chunks_max: 20_000 }))
}

async function find(said: string, language: 'en' | 'nl' = 'en') {
  const profile = defaultProfile('Test')
  const asked = { project_id, profile, said, before: '', language }
  return (await retrieveKnowledge(runtime, asked)).passages
}

describe('the search of a project with many passages', () => {
  before(async () => {
    const facts = [{ question: 'Who owns the garden?', answer: 'The garden belongs to the city.' }]
    assert.equal((await call('PUT /assistant', { body: { languages: ['en'], facts } })).status, 200)
    const many = Array.from({ length: IN_MEMORY_MAX + 200 }, (_, n) => {
      return [
        'en',
        `Plant number ${n} stands in row ${n % 97} and was planted by volunteers.`,
      ] as const
    })
    assert.equal(await store(newId(runtime.clock), [...many, ...texts]), many.length + texts.length)
  })

  test('finds a passage by its words in any form', async () => {
    const [best] = await find('How are the greenhouses heated?')
    assert.equal(best?.body, texts[0][1])
  })

  test('compares each passage in its own language', async () => {
    const [best] = await find('Waarmee wordt de kas verwarmd in de winter?', 'nl')
    assert.equal(best?.body, texts[1][1])
  })

  test('finds misspelt words by their trigrams', async () => {
    const [best] = await find('libary membershp')
    assert.equal(best?.body, texts[2][1])
  })

  test('finds facts beside them', async () => {
    const [best] = await find('Who owns the garden?')
    assert.equal(best?.source, 'fact')
  })

  test('stores no more chunks than the limit of the project', async () => {
    const passages = texts.map(([language, body]) =>
      createPassage({ title: '', body, url: null, languages: [language] }),
    )
    const write = { project_id, source: 'website' as const, url: null, passages }
    const chunks_max = IN_MEMORY_MAX + 205
    const stored = await runtime.db.transact((tx) =>
      replaceChunks(tx, { ...write, source_id: newId(runtime.clock), chunks_max }),
    )
    assert.equal(stored, 2)
  })
})

describe('the search of a project whose passages are slow to compare', () => {
  before(() =>
    sql`create or replace function assistant_likeness(text, text) returns real language plpgsql
      as 'begin perform pg_sleep(0.01); return 0; end'`.execute(runtime.db),
  )

  test('answers from the full text after two seconds', async () => {
    const message = 'How are the greenhouses heated?'
    const { status, body, text } = await call('POST /conversations', { body: { message } })
    assert.equal(status, 201, text)
    assert.match(body.messages.at(-1).text, /wood pellets/)
  })

  test('uses three connections of the project at most', async () => {
    const asked = Promise.all(Array.from({ length: 5 }, () => find('libary membershp')))
    let [has_ended, most] = [false, 0]
    void asked.finally(() => (has_ended = true))
    await eventually(async () => {
      const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
        where datname = current_database() and wait_event = 'PgSleep'`.execute(runtime.db)
      most = Math.max(most, rows[0]?.n ?? 0)
      return has_ended
    })
    assert.equal(most, 3)
    for (const passages of await asked) assert.deepEqual(passages, [])
  })
})

test('questions at the same time share the work of reading the passages', async () => {
  const other = await newProject()
  const many = Array.from(
    { length: 1_000 },
    (_, n) => ['en', `Plant ${n} has ${n} leaves.`] as const,
  )
  await store(newId(runtime.clock), many, other.project_id)
  const read = () => passageIndexOf(runtime.db, other.project_id, 'Where can I park?')
  const indexes = await Promise.all([read(), read(), read()])
  assert.equal(new Set(indexes).size, 1)
})
