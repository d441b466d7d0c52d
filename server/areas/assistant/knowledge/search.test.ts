/** Tests of the passage search: ranking, tenant isolation and robustness. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import pg from 'pg'
import { depth } from '../../../../test/fixtures/depth.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { migrate } from '../../../kernel/database/migrations.ts'
import { languages, type Language } from '../../../providers/model/language/language.ts'
import { defaultProfile } from '../profile.ts'
import { retrieveKnowledge } from './retrieval.ts'

const { runtime, project_id, call, newProject, newKey, connection } = await openTestRuntime({
  work: false,
})

const facts = [
  { question: 'Kan ik bij jullie parkeren?', answer: 'Ja, achter de winkel.' },
  { question: 'Wat kost een kinderfiets?', answer: 'Een kinderfiets kost vanaf 199 euro.' },
  { question: 'Repareren jullie accu’s?', answer: 'Nee, accu’s repareren we niet.' },
  { question: 'Verhuren jullie tandems?', answer: 'Ja, een tandem huurt u voor 30 euro.' },
]
assert.equal((await call('PUT /assistant', { body: { languages: ['nl'], facts } })).status, 200)

async function find(
  said: string,
  { language = 'nl' as Language, project = project_id, before = '' } = {},
) {
  const profile = defaultProfile('Test')
  const { passages } = await retrieveKnowledge(runtime, {
    project_id: project,
    profile,
    said,
    before,
    language,
  })
  return passages
}
const best = async (said: string) => (await find(said))[0]

test('the knowledge search returns the best passage first, with a score that expresses its confidence', async () => {
  const found = await find('Kan ik parkeren?')
  assert.equal(found[0]?.body, facts[0]?.answer)
  assert.ok((found[0]?.score ?? 0) > 0.9)
})

test('the knowledge search lowers the score for words of the question that occur in no passage', async () => {
  const sure = (await best('Verhuren jullie tandems?'))?.score ?? 0
  const unsure = (await best('Verhuren jullie tandems voor ruimtevaarders op Mars?'))?.score ?? 0
  assert.ok(sure > 0.9 && unsure < sure)
})

test('the knowledge search matches singular, plural and misspelt words', async () => {
  for (const said of [
    'Wat kosten kinderfietsen?',
    'Wat kost een kindefiets?',
    'Hebben jullie een tandem te huur?',
  ]) {
    assert.match((await best(said))?.body ?? '', /kinderfiets|tandem/, said)
  }
})

test('the knowledge search finds nothing for function words alone', async () => {
  assert.deepEqual(await find('en of maar dus'), [])
  assert.deepEqual(await find('?!'), [])
  assert.deepEqual(await find(''), [])
})

test('the knowledge search resolves a bare "yes" to the question quoted before', async () => {
  const found = await find('ja', { before: 'Bedoelt u misschien: “Verhuren jullie tandems?”?' })
  assert.equal(found[0]?.body, facts[3]?.answer)
})

test('the knowledge search finds nothing of other projects', async () => {
  const { project_id: other } = await newProject()
  assert.deepEqual(await find('Kan ik parkeren?', { project: other }), [])
  const key = await newKey({ project_id: other })
  await call('PUT /assistant', {
    key,
    body: { languages: ['nl'], facts: [{ question: 'Parkeren?', answer: 'Nee.' }] },
  })
  assert.deepEqual(
    (await find('Kan ik parkeren?', { project: other })).map(({ body }) => body),
    ['Nee.'],
  )
  assert.ok((await find('Kan ik parkeren?')).every(({ body }) => body !== 'Nee.'))
})

test('the knowledge search finds only the passages of the latest PUT', async () => {
  const { project_id: other } = await newProject()
  const key = await newKey({ project_id: other })
  const put = (answer: string) =>
    call('PUT /assistant', {
      key,
      body: { languages: ['nl'], facts: [{ question: 'Parkeren?', answer }] },
    })
  await put('Ja.')
  await put('Nee.')
  assert.deepEqual(
    (await find('Parkeren?', { project: other })).map(({ body }) => body),
    ['Nee.'],
  )
})

test('the knowledge search handles any question in any language', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc
      .array(
        fc.constantFrom(
          'or',
          'and',
          'not',
          '-a',
          '"',
          "'",
          ':*',
          '<->',
          '!',
          '&',
          '|',
          '(',
          ')',
          '\\',
          '½',
          '①',
          'ﬁets',
          '0x',
          'a.b',
          'http://x.y/z',
          'a@b.nl',
          '-1e5',
        ),
      )
      .map((words) => words.join(' ')),
  )
  await fc.assert(
    fc.asyncProperty(text, fc.constantFrom(...languages), async (said, language) => {
      for (const { score } of await find(said, { language }))
        assert.ok(score > 0 && score <= 1.000001)
    }),
    { numRuns: depth(40, 150) },
  )
})

describe('the search in a database whose role may not create pg_trgm', () => {
  test('finds whole words after all migrations are applied', async () => {
    const name = `bare_${randomBytes(6).toString('hex')}`
    const admin = new pg.Client(connection)
    await admin.connect()
    try {
      await admin.query(`create database ${name} template template0`)
      await admin.query(`create role ${name} login password '${name}'`)
      const owner = new pg.Client({ ...connection, database: name })
      await owner.connect()
      // The role may create tables in the schema, but no extension.
      await owner.query(`grant all on schema public to ${name}`)
      await owner.end()
      const bare = { ...connection, database: name, user: name, password: name }
      await migrate(bare)
      const client = new pg.Client(bare)
      await client.connect()
      const { rows } = await client.query(
        "select assistant_likeness('fiets', 'fietsen') as likeness, (select count(*)::int from pg_extension where extname = 'pg_trgm') as extensions",
      )
      await client.end()
      assert.deepEqual(rows, [{ likeness: 0, extensions: 0 }])
    } finally {
      await admin.query(`drop database if exists ${name} with (force)`)
      await admin.query(`drop role if exists ${name}`)
      await admin.end()
    }
  })

  test('finds no misspelt words', async () => {
    const likeness = (body: string) =>
      sql.raw(
        `create or replace function assistant_likeness(text, text) returns real language sql immutable parallel safe as '${body}'`,
      )
    const { rows } = await runtime.db.transact(async (tx) => {
      await likeness('select 0::real').execute(tx)
      return sql<{ likeness: number }>`select assistant_likeness('a', 'a') as likeness`.execute(tx)
    })
    assert.equal(rows[0]?.likeness, 0)
    assert.equal((await best('Kan ik parkeren?'))?.body, facts[0]?.answer)
    await runtime.db.transact((tx) => likeness('select word_similarity($1, $2)').execute(tx))
  })
})
