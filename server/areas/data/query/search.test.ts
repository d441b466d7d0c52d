/** Word search with typing errors: matches and non-matches. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { newFixture } from '../../../../test/fixtures/data/data.ts'

const { newCollection } = await newFixture()

async function searching(texts: readonly string[]) {
  const { call, callProject } = await newCollection()
  const { body } = await callProject('GET /assistant')
  const put = await callProject('PUT /assistant', { name: body.name, languages: ['en'] })
  assert.equal(put.status, 200, put.text)
  for (const text of texts) await call('POST /documents', { text })
  return async (q: string): Promise<string[]> => {
    const answer = await call(`GET /documents?${new URLSearchParams({ q })}`)
    return answer.body.data.map(({ data }: any) => data.text)
  }
}

const words: Record<string, readonly string[]> = {
  garden: ['gerden', 'gadren', 'garen', 'gaarden', 'garde', 'gardens'],
  table: ['tible', 'talbe', 'tale', 'taable', 'tables'],
  price: ['prixe', 'prcie', 'prie', 'prices'],
  horse: ['hurse', 'hrose', 'hors'],
  apples: ['aples', 'appels', 'apple'],
  bikes: ['bkies', 'bikis', 'bike'],
  kitchen: ['kichen', 'kitchne', 'kitxhen', 'kittchen', 'kitchens'],
}

suite('a search for a word of five letters or more finds one typing error', () => {
  const asking = searching(Object.keys(words))
  for (const [word, mistakes] of Object.entries(words)) {
    test(`${word}: ${mistakes.join(', ')}`, async () => {
      const ask = await asking
      for (const q of [word, ...mistakes]) assert.ok((await ask(q)).includes(word), q)
    })
  }

  test('does not find a word with two errors or another first letter', async () => {
    const ask = await asking
    for (const q of ['kixxhen', 'mitchen', 'tipxe', 'able']) assert.deepEqual(await ask(q), [], q)
  })
})

test('finds a shorter word only by its exact prefix', async () => {
  const ask = await searching(['Anna', 'Bob', '4711'])
  for (const q of ['anxa', 'anan', 'bxb', '4771', '47011']) assert.deepEqual(await ask(q), [], q)
  assert.deepEqual(await ask('ann'), ['Anna'])
})

test('ignores accents, composed and decomposed', async () => {
  const forms = ['École', 'École'.normalize('NFD'), 'ecole']
  const ask = await searching(forms)
  for (const q of ['ecole', 'école', 'École'.normalize('NFD'), 'eco', 'écloe']) {
    assert.deepEqual(new Set(await ask(q)), new Set(forms), q)
  }
  assert.deepEqual(await ask('cole'), [])
  const vietnamese = await searching(['việt'.normalize('NFD')])
  assert.equal((await vietnamese('viet')).length, 1)
})
