/** Lists and queries over HTTP: every parameter, valid and invalid. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Answer } from '../../../../test/fixtures/runtime.ts'
import { newFixture, slugOf, type TestCollection } from '../../../../test/fixtures/data/data.ts'

const { runtime, newCollection } = await newFixture()

const bookings = [
  { name: 'Anna Jansen', status: 'open', total: 10, tags: ['vip'], due: '2026-11-01' },
  { name: 'Café José', status: 'open', total: 25.5, due: '2026-11-30T23:30:00Z' },
  { name: 'Bob', status: 'paid', total: 7, address: { city: 'Gouda', zip: '2801' } },
  { name: 'Zoë', status: 'closed', total: 'none', paid: true, note: 'Wants a table in the garden' },
]

async function filled(settings: object = {}): Promise<TestCollection> {
  const made = await newCollection({ indexes: ['total'], unique: ['name'], ...settings })
  for (const booking of bookings) {
    assert.equal((await made.call('POST /documents', booking)).status, 201)
  }
  return made
}

const shared = filled()

async function list(parameters: Record<string, string>): Promise<Answer> {
  const { call } = await shared
  return call(`GET /documents?${new URLSearchParams(parameters)}`)
}

async function names(parameters: Record<string, string>): Promise<string[]> {
  const answer = await list(parameters)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.data.map(({ data }: any) => data.name)
}

const [anna, jose, bob, zoe] = bookings.map(({ name }) => name) as [string, string, string, string]

suite('GET /collections/{name}/documents', () => {
  test('returns documents as GET returns each, newest first', async () => {
    const { call } = await shared
    const { body } = await list({})
    assert.deepEqual(
      body.data.map(({ data }: any) => data.name),
      [zoe, bob, jose, anna],
    )
    assert.equal(body.next_cursor, null)
    assert.ok(!('count' in body), 'Nothing is counted unless asked for.')
    const one = await call(`GET /documents/${body.data[0].id}`)
    assert.deepEqual(body.data[0], one.body)
  })

  test('filters', async () => {
    assert.deepEqual(await names({ filter: 'status = "open"' }), [jose, anna])
    assert.deepEqual(await names({ filter: 'status = "open" and total >= 20' }), [jose])
    assert.deepEqual(await names({ filter: 'tags has "vip" or address.city = "Gouda"' }), [
      bob,
      anna,
    ])
    assert.deepEqual(await names({ filter: 'total != 7' }), [zoe, jose, anna])
    assert.deepEqual(await names({ filter: 'total > 0 or total <= 0' }), [bob, jose, anna])
    assert.deepEqual(await names({ filter: 'paid exists' }), [zoe])
    assert.deepEqual(await names({ filter: 'created_at > @now - 7d and version = 1' }), [
      zoe,
      bob,
      jose,
      anna,
    ])
    assert.deepEqual(await names({ filter: 'created_at < @now - 7d' }), [])
    assert.deepEqual(await names({ filter: 'source = "form"' }), [])
  })

  test('filters by times in the data, in the given time zone', async () => {
    const filter = 'due >= @2026-12-01'
    assert.deepEqual(await names({ filter }), [])
    assert.deepEqual(await names({ filter, timezone: 'Europe/Amsterdam' }), [jose])
  })

  test('sorts by fields of any type, and by several', async () => {
    assert.deepEqual(await names({ sort: 'total' }), [bob, anna, jose, zoe])
    assert.deepEqual(await names({ sort: '-total' }), [zoe, jose, anna, bob])
    assert.deepEqual(await names({ sort: 'status,-total' }), [zoe, jose, anna, bob])
    assert.deepEqual(await names({ sort: 'created_at' }), [anna, jose, bob, zoe])
    assert.deepEqual(await names({ sort: 'address.city' }), [anna, jose, zoe, bob])
    assert.deepEqual(await names({ sort: '-"name"' }), [zoe, jose, bob, anna])
  })

  test('returns only the fields of the parameter fields', async () => {
    const { body } = await list({ fields: 'name,address.city,missing', sort: 'created_at' })
    assert.deepEqual(
      body.data.map(({ data }: any) => data),
      [{ name: anna }, { name: jose }, { name: bob, address: { city: 'Gouda' } }, { name: zoe }],
    )
    assert.equal(body.data[0].version, 1)
  })

  test('counts the matching documents of all pages, only if requested', async () => {
    const { body } = await list({ filter: 'status = "open"', count: 'true', limit: '1' })
    assert.equal(body.data.length, 1)
    assert.equal(body.count, 2)
  })

  test('returns the next page for a cursor', async () => {
    for (const sort of ['total', '-total', 'status,name', 'created_at', '-id', 'version']) {
      const whole = await names({ sort })
      const paged: string[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const more: Record<string, string> = cursor === '' ? {} : { cursor }
        const { body }: Answer = await list({ sort, limit: '1', ...more })
        paged.push(...body.data.map(({ data }: any) => data.name))
        cursor = body.next_cursor
      }
      assert.deepEqual(paged, whole, sort)
    }
  })

  test('uses the same @now on every page', async () => {
    const { call } = await newCollection()
    for (const n of [1, 2, 3]) await call('POST /documents', { n })
    const asked = { filter: 'created_at > @now - 1h', limit: '1' }
    const first = await call(`GET /documents?${new URLSearchParams(asked)}`)
    runtime.passes('2 hours')
    const { next_cursor: cursor } = first.body
    const second = await call(`GET /documents?${new URLSearchParams({ ...asked, cursor })}`)
    assert.deepEqual(
      second.body.data.map(({ data }: any) => data),
      [{ n: 2 }],
    )
  })

  test('refuses a cursor of another list and a forged cursor', async () => {
    const asked = { sort: 'total', filter: 'total > 0', limit: '1' }
    const { next_cursor: cursor } = (await list(asked)).body
    assert.equal((await list({ ...asked, cursor })).status, 200)
    const forged = `${Buffer.from('[0,"x",1]').toString('base64url')}.${'A'.repeat(16)}`
    for (const other of [
      { ...asked, cursor, sort: '-total' },
      { ...asked, cursor, filter: 'total > 1' },
      { ...asked, cursor, q: 'anna' },
      { limit: '1', cursor },
      { ...asked, cursor: forged },
      { ...asked, cursor: 'x' },
    ]) {
      const answer = await list(other)
      assert.deepEqual([answer.status, slugOf(answer)], [400, 'invalid_parameter'])
    }
    const { call } = await filled()
    const elsewhere = await call(`GET /documents?${new URLSearchParams({ ...asked, cursor })}`)
    assert.equal(elsewhere.status, 400)
  })

  test('returns cursors for long texts', async () => {
    const { call } = await newCollection({ indexes: ['text'] })
    const texts = ['a', 'b', 'c'].map((end) => `${'\u0001é😀'.repeat(30)}${'x'.repeat(300)}${end}`)
    for (const text of texts) await call('POST /documents', { text, more: text })
    for (const sort of ['text', 'more', '-more,text']) {
      const first = await call(`GET /documents?sort=${sort}&limit=2`)
      const { next_cursor: cursor } = first.body
      const second = await call(`GET /documents?sort=${sort}&limit=2&cursor=${cursor}`)
      const ids = [...first.body.data, ...second.body.data].map(({ id }: any) => id)
      assert.equal(new Set(ids).size, 3, sort)
    }
  })

  const faults: [parameters: Record<string, string>, column: number | undefined][] = [
    [{ filter: 'status = open' }, 10],
    [{ filter: '' }, 1],
    [{ sort: 'a,,b' }, 3],
    [{ sort: '' }, 1],
    [{ sort: 'a b' }, 1],
    [{ sort: 'a,b,c,d,e' }, 1],
    [{ fields: 'name,.x' }, 6],
    [{ q: '!?' }, undefined],
    [{ q: 'a b c d e f g h i' }, undefined],
    [{ timezone: 'Mars/Olympus' }, undefined],
    [{ timezone: '+02:00' }, undefined],
    [{ timezone: "UTC'; drop table documents; --" }, undefined],
    [{ limit: '0' }, undefined],
    [{ limit: '101' }, undefined],
    [{ count: 'perhaps' }, undefined],
    [{ unknown: '1' }, undefined],
  ]
  for (const [parameters, column] of faults) {
    test(`refuses ${JSON.stringify(parameters)}: 400 invalid_parameter`, async () => {
      const answer = await list(parameters)
      assert.deepEqual([answer.status, slugOf(answer)], [400, 'invalid_parameter'], answer.text)
      assert.equal(answer.body.column, column)
    })
  }

  test('is 404 for an unknown collection and 403 for a key without access to it', async () => {
    const { callProject, project_id } = await shared
    assert.equal((await callProject('GET /collections/none/documents')).status, 404)
    const access = { sites: [], apps: [], collections: ['other'], limited_by: 'api_key' as const }
    const key = await runtime.newKey({ project_id, access })
    for (const [route, body] of [
      ['GET /collections/c/documents'],
      ['POST /collections/c/documents/query', {}],
    ] as const) {
      const answer = await callProject(route, body, { key })
      assert.deepEqual([answer.status, slugOf(answer)], [403, 'forbidden'])
    }
  })
})

suite('SQL syntax in values and names is treated as text', () => {
  const attempts = [
    "' or '1'='1",
    '"; drop table documents; --',
    '$1',
    '%',
    '\\',
    "a'::jsonb",
    '{}',
    '}{',
  ]
  for (const attempt of attempts) {
    test(JSON.stringify(attempt), async () => {
      const quoted = JSON.stringify(attempt)
      for (const filter of [
        `name = ${quoted}`,
        `${quoted} = 1`,
        `address.${quoted} contains ${quoted}`,
        `name in (${quoted}, ${quoted})`,
        `tags has ${quoted}`,
        `name > "~" and name starts with ${quoted}`,
      ]) {
        assert.deepEqual(await names({ filter }), [], filter)
      }
      assert.equal((await names({ sort: quoted })).length, 4)
      assert.equal((await names({ sort: `-x.${quoted},name` })).length, 4)
      assert.equal((await list({ fields: quoted })).status, 200)
      assert.notEqual((await list({ q: attempt })).status, 500)
      const { call } = await shared
      const answer = await call('POST /documents/query', { group_by: [{ field: quoted }] })
      assert.deepEqual(Object.values(answer.body.data[0]).toSorted(), [4, null])
    })
  }
})

suite('q', () => {
  test('finds words by prefix, ignoring case and accents', async () => {
    assert.deepEqual(await names({ q: 'anna' }), [anna])
    assert.deepEqual(await names({ q: 'JANS' }), [anna])
    assert.deepEqual(await names({ q: 'cafe jose' }), [jose])
    assert.deepEqual(await names({ q: 'CAFÉ' }), [jose])
    assert.deepEqual(await names({ q: 'zoe' }), [zoe])
    assert.deepEqual(await names({ q: '2801' }), [bob])
    assert.deepEqual(await names({ q: '25.5' }), [jose])
    assert.deepEqual(await names({ q: 'ansen' }), [])
  })

  test('finds a longer word with one typing error', async () => {
    for (const q of ['garden', 'gardne', 'graden', 'gardn', 'garrden', 'garten', 'gardens']) {
      assert.deepEqual(await names({ q }), [zoe], q)
    }
    assert.deepEqual(await names({ q: 'gxrdxn' }), [])
  })

  test('requires all words except stop words', async () => {
    assert.deepEqual(await names({ q: 'table garden' }), [zoe])
    assert.deepEqual(await names({ q: 'the garden of' }), [zoe])
    assert.deepEqual(await names({ q: 'garden anna' }), [])
  })

  test('searches values, not field names', async () => {
    for (const q of ['status', 'total', 'address']) assert.deepEqual(await names({ q }), [], q)
  })

  test('finds inflected forms in the languages of the project', async () => {
    const { call, callProject } = await newCollection()
    const assistant = await callProject('GET /assistant')
    const { name } = assistant.body
    const put = await callProject('PUT /assistant', { name, languages: ['nl'] })
    assert.equal(put.status, 200, put.text)
    await call('POST /documents', { text: 'Twee nieuwe fietsen\nte koop' })
    for (const q of ['fiets', 'fietsen', 'nieuw', 'koop', 'de fiets']) {
      const { body } = await call(`GET /documents?${new URLSearchParams({ q })}`)
      assert.equal(body.data.length, 1, q)
    }
  })

  test('combines with filter, sort, count and pages', async () => {
    const { body } = await list({ q: 'jansen', filter: 'total > 5', sort: 'name', count: 'true' })
    assert.deepEqual([body.data.length, body.count], [1, 1])
  })
})

suite('POST /collections/{name}/documents/query', () => {
  async function ask(body: object): Promise<Answer> {
    const { call } = await shared
    return call('POST /documents/query', body)
  }

  async function rows(body: object): Promise<unknown> {
    const answer = await ask(body)
    assert.equal(answer.status, 200, answer.text)
    return answer.body.data
  }

  test('counts all documents if the body is empty', async () => {
    assert.deepEqual((await ask({})).body, { data: [{ count: 4 }], truncated: false })
    assert.deepEqual(await rows({ filter: 'status = "none"' }), [{ count: 0 }])
  })

  test('groups by a field and sums numbers', async () => {
    const aggregates = [
      { name: 'n', function: 'count' },
      { name: 'with_due', function: 'count', field: 'due' },
      { name: 'sum', function: 'sum', field: 'total' },
      { name: 'mean', function: 'avg', field: 'total' },
      { name: 'least', function: 'min', field: 'total' },
      { name: 'most', function: 'max', field: 'name' },
    ]
    assert.deepEqual(await rows({ group_by: [{ field: 'status' }], aggregates }), [
      { status: 'closed', n: 1, with_due: 0, sum: 0, mean: null, least: 'none', most: zoe },
      { status: 'open', n: 2, with_due: 2, sum: 35.5, mean: 17.75, least: 10, most: jose },
      { status: 'paid', n: 1, with_due: 0, sum: 7, mean: 7, least: 7, most: bob },
    ])
  })

  test('groups documents without a value together, and groups by nested fields', async () => {
    const group_by = [{ field: 'address.city', name: 'city' }, { field: 'paid' }]
    assert.deepEqual(await rows({ group_by }), [
      { city: null, paid: null, count: 2 },
      { city: null, paid: true, count: 1 },
      { city: 'Gouda', paid: null, count: 1 },
    ])
  })

  test('groups times by day, week, month and year in a time zone', async () => {
    const by = (by: string, timezone = 'UTC') =>
      rows({ filter: 'due exists', group_by: [{ field: 'due', by }], timezone })
    assert.deepEqual(await by('month'), [{ due: '2026-11-01', count: 2 }])
    assert.deepEqual(await by('month', 'Europe/Amsterdam'), [
      { due: '2026-11-01', count: 1 },
      { due: '2026-12-01', count: 1 },
    ])
    assert.deepEqual(await by('week'), [
      { due: '2026-10-26', count: 1 },
      { due: '2026-11-30', count: 1 },
    ])
    assert.deepEqual(await by('year'), [{ due: '2026-01-01', count: 2 }])
    assert.deepEqual(await by('hour', 'Europe/Amsterdam'), [
      { due: '2026-10-31T23:00:00.000Z', count: 1 },
      { due: '2026-11-30T23:00:00.000Z', count: 1 },
    ])
    const today = await rows({ group_by: [{ field: 'created_at', by: 'day', name: 'day' }] })
    const { created_at } = (await list({ limit: '1' })).body.data[0]
    assert.deepEqual(today, [{ day: created_at.slice(0, 10), count: 4 }])
  })

  test('filters groups by having, sorts them and marks a truncated result', async () => {
    const asked = { group_by: [{ field: 'status' }], sort: '-count,status' }
    assert.deepEqual(await rows({ ...asked, having: 'count = 1 and status != "paid"' }), [
      { status: 'closed', count: 1 },
    ])
    const { body } = await ask({ ...asked, limit: 2 })
    assert.deepEqual(body, {
      data: [
        { status: 'open', count: 2 },
        { status: 'closed', count: 1 },
      ],
      truncated: true,
    })
  })

  test('filters by q', async () => {
    assert.deepEqual(await rows({ q: 'gardne' }), [{ count: 1 }])
  })

  test('returns every error of the body with its path', async () => {
    const wrong: [object, number, string][] = [
      [{ filter: 'a =' }, 400, 'invalid_parameter'],
      [{ having: 'count > ' }, 400, 'invalid_parameter'],
      [{ sort: '-' }, 400, 'invalid_parameter'],
      [{ timezone: 'x y' }, 400, 'invalid_parameter'],
      [{ group_by: [{ field: 'a..b' }] }, 422, 'validation_failed'],
      [{ group_by: [{ field: 'source', by: 'day' }] }, 422, 'validation_failed'],
      [{ group_by: [{ field: 'a' }, { field: 'a' }] }, 422, 'validation_failed'],
      [{ group_by: [{ field: 'a', by: 'decade' }] }, 422, 'validation_failed'],
      [{ aggregates: [{ name: 'x', function: 'sum' }] }, 422, 'validation_failed'],
      [{ aggregates: [{ name: 'x; drop', function: 'count' }] }, 422, 'validation_failed'],
      [{ limit: 1001 }, 422, 'validation_failed'],
    ]
    for (const [body, status, slug] of wrong) {
      const answer = await ask(body)
      assert.deepEqual([answer.status, slugOf(answer)], [status, slug], answer.text)
    }
    const { body } = await ask({ having: 'count > ' })
    assert.deepEqual([body.parameter, body.column], ['having', 9])
  })
})
