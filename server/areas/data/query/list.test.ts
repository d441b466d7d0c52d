/** Lists: the order of values of every type, consistent pages, and the number of rows read. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { depth } from '../../../../test/fixtures/depth.ts'
import { rowsRead } from '../../../../test/fixtures/rows-read.ts'
import {
  createdMs,
  dataOf,
  updatedMs,
  type DocumentRow,
  type FoundDocument,
} from '../documents/document-store.ts'
import { valueAt, writeFieldPath } from '../field-path.ts'
import { compareValues, sortKey } from '../sort-key.ts'
import type { CollectionRow } from '../store.ts'
import { document, filter, matches, write } from '../../../../test/fixtures/data/filter-cases.ts'
import type { Filter, FilterTime } from './filter/filter.ts'
import { listDocuments, parseList, type ParsedList } from './list.ts'
import { positionOf, type SortPosition, type SortField } from './sort.ts'
import { newFixture } from '../../../../test/fixtures/data/documents.ts'

const fixture = await newFixture()
const { db } = fixture.runtime.runtime
const moment: FilterTime = { now_ms: Date.UTC(2026, 10, 21, 9), timezone: 'UTC' }
// Sets a high document count, so that the access paths for large collections are used.
const large = (collection: CollectionRow) => ({ ...collection, document_count: 1_000_000 })

const sortField = fc.record({
  field: fc.oneof(
    fc
      .constantFrom(['a'], ['b'], ['n', 'x'], ['zip "code"'], ['data', 'created_at'])
      .map((path) => ({ path })),
    fc.constantFrom('created_at', 'version', 'source', 'id').map((system) => ({ system })),
  ),
  descending: fc.boolean(),
}) as fc.Arbitrary<SortField>
const sorts = fc.array(sortField, { minLength: 1, maxLength: 3 })
const allFields = { indexes: ['a', 'n.x', 'data.data.created_at'], unique: ['b'] }
const someFields = fc.constantFrom({}, allFields)

function writeSort(fields: readonly SortField[]): string {
  return fields
    .map(({ field, descending }) => {
      const name = 'system' in field ? field.system : writeFieldPath(field.path)
      return (descending ? '-' : '') + name
    })
    .join(',')
}

type Ordered = Omit<DocumentRow, 'project_id' | 'collection_id' | 'bytes'>

/** Converts a listed document to a table row. */
function rowOf(found: FoundDocument): Ordered {
  const { id, version, source, test } = found
  const created_at = new Date(createdMs(found))
  const updated_at = new Date(updatedMs(found))
  return { id, version, source, test, data: dataOf(found), created_at, updated_at }
}

function inOrder(rows: readonly Ordered[], { sort }: ParsedList): Ordered[] {
  const turn = (result: number, descending: boolean) => (descending ? -result : result)
  return rows.toSorted((one, other) => {
    for (const { field, descending } of sort) {
      const of = (row: Ordered) => {
        const value = 'system' in field ? row[field.system] : valueAt(row.data, field.path)
        return value instanceof Date ? value.getTime() : value
      }
      const result = Buffer.compare(sortKey(of(one)), sortKey(of(other)))
      if (result !== 0) return turn(result, descending)
    }
    return turn(compareValues(one.id, other.id), sort.at(-1)!.descending)
  })
}

interface Pages {
  collection: CollectionRow
  asked: ParsedList
  size: number
  between?: (page: FoundDocument[]) => Promise<void>
}

async function readPages({ collection, asked, size, between }: Pages): Promise<FoundDocument[]> {
  const all: FoundDocument[] = []
  let after: SortPosition | null = null
  for (;;) {
    const page: FoundDocument[] = await listDocuments(db, {
      collection: large(collection),
      ...asked,
      after,
      limit: size,
    })
    all.push(...page)
    await between?.(page)
    const last = page.at(-1)
    if (!last || page.length < size) return all
    // JSON round trip, as in a cursor.
    after = JSON.parse(JSON.stringify(positionOf(last, asked.sort)))
  }
}

const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id)

suite('pages', () => {
  const documents = fc.array(document, { minLength: 1, maxLength: 40 })
  const size = fc.integer({ min: 1, max: 9 })
  const some: fc.Arbitrary<Filter | null> = fc.option(filter, { freq: 1 })

  test('contain all matching documents in order, for every sort', async () => {
    const kinds = fc.tuple(someFields, documents, sorts, size, some)
    await fc.assert(
      fc.asyncProperty(kinds, async ([fields, documents, sorted, size, wanted]) => {
        const collection = await fixture.newCollection(fields)
        const rows = await fixture.add(collection, documents)
        const texts = { filter: wanted ? write(wanted) : undefined, sort: writeSort(sorted) }
        const asked = parseList(texts, moment)
        const matching = rows.filter((row) => wanted === null || matches(row, wanted, moment))
        const read = await readPages({ collection, asked, size })
        assert.deepEqual(ids(read), ids(inOrder(matching, asked)), JSON.stringify(texts))
      }),
      { numRuns: depth(20, 100), endOnFailure: true },
    )
  })

  test('contain the documents within the bounds of the sorted field', async () => {
    const value = fc.oneof(
      fc.integer({ min: -3, max: 3 }),
      fc.constantFrom(0.5, -0, '2', true, null),
    )
    const bound: fc.Arbitrary<Filter> = fc.record({
      is: fc.constant('order'),
      field: fc.constantFrom(['a'], ['a'], ['b']).map((path) => ({ path })),
      order: fc.constantFrom('<', '<=', '>', '>='),
      literal: fc
        .oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom(0.5, '1'))
        .map((one) => ({ value: one })),
    })
    const choice: fc.Arbitrary<Filter> = fc
      .array(fc.integer({ min: -3, max: 3 }), { minLength: 1, maxLength: 3 })
      .map((all) => ({
        is: 'in',
        field: { path: ['a'] },
        literals: all.map((one) => ({ value: one })),
      }))
    const bounds = fc.array(fc.oneof({ weight: 5, arbitrary: bound }, choice), {
      minLength: 1,
      maxLength: 3,
    })
    const rows = fc.array(fc.record({ a: value, b: value }), { minLength: 5, maxLength: 40 })
    const kinds = fc.tuple(rows, bounds, fc.boolean(), size)
    await fc.assert(
      fc.asyncProperty(kinds, async ([data, parts, descending, size]) => {
        const collection = await fixture.newCollection({ indexes: ['a'] })
        const rows = await fixture.add(
          collection,
          data.map((one) => ({ data: one })),
        )
        const [first, ...more] = parts
        const wanted: Filter = more.length > 0 ? { is: 'and', parts } : first!
        const texts = { filter: write(wanted), sort: descending ? '-a' : 'a' }
        const asked = parseList(texts, moment)
        const matching = rows.filter((row) => matches(row, wanted, moment))
        const read = await readPages({ collection, asked, size })
        assert.deepEqual(ids(read), ids(inOrder(matching, asked)), JSON.stringify(texts))
      }),
      { numRuns: depth(20, 100), endOnFailure: true },
    )
  })

  test('skip and repeat nothing during inserts and deletes', async () => {
    const kinds = fc.tuple(someFields, documents, sorts, size, fc.infiniteStream(document))
    const chances = fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true }))
    await fc.assert(
      fc.asyncProperty(kinds, chances, async ([fields, documents, sorted, size, more], chance) => {
        const collection = await fixture.newCollection(fields)
        const rows = await fixture.add(collection, documents)
        const asked = parseList({ sort: writeSort(sorted) }, moment)
        const deleted = new Set<string>()
        let pages = 0
        const shown = await readPages({
          collection,
          asked,
          size,
          async between() {
            const [at, whether] = [...chance.take(2)] as [number, number]
            const victim = rows[Math.floor(at * (rows.length - 1))]!
            if (whether > 0.7) deleted.add(victim.id)
            await fixture.remove(collection, [...deleted])
            pages += 1
            // Inserts stop after eight pages, so that the list ends.
            if (pages < 8 && whether < 0.6) await fixture.add(collection, [...more.take(2)])
          },
        })
        assert.equal(new Set(ids(shown)).size, shown.length, 'A document came twice.')
        const stayed = rows.filter(({ id }) => !deleted.has(id))
        const seen = new Set(ids(shown))
        assert.deepEqual(ids(stayed.filter(({ id }) => !seen.has(id))), [], 'One was skipped.')
        assert.deepEqual(ids(shown), ids(inOrder(shown.map(rowOf), asked)), 'They are in order.')
      }),
      { numRuns: depth(10, 40), endOnFailure: true },
    )
  })

  test('order documents with equal values by id', async () => {
    const collection = await fixture.newCollection({ indexes: ['a'] })
    const rows = await fixture.add(
      collection,
      Array.from({ length: 30 }, () => ({ data: { a: 'same', b: 1 } })),
    )
    for (const sort of ['a', '-a', 'b', '-b', 'a,b', 'a,-b', '-created_at', 'version']) {
      const asked = parseList({ sort }, moment)
      const read = await readPages({ collection, asked, size: 7 })
      const descends = asked.sort.at(-1)!.descending
      assert.deepEqual(ids(read), descends ? ids(rows).toReversed() : ids(rows), sort)
    }
  })

  test('compare texts that differ after the part that keys contain', async () => {
    const collection = await fixture.newCollection({ indexes: ['a'] })
    const [low, middle, high] = ['a', 'b', 'c'].map((end) => 'x'.repeat(250) + end)
    await fixture.add(
      collection,
      [low, middle, high, 5, null].map((a) => ({ data: { a } })),
    )
    for (const [order, expected] of [
      ['<=', [low, middle]],
      ['>=', [middle, high]],
    ] as const) {
      const asked = parseList({ filter: `a ${order} "${middle}"`, sort: 'a' }, moment)
      const read = await readPages({ collection: large(collection), asked, size: 4 })
      assert.deepEqual(
        read.map((row) => dataOf(row)['a']),
        expected,
      )
    }
  })

  test('order values of every type: null, false, true, numbers, texts', async () => {
    const values = [null, false, true, -1e300, -1, 0, 0.5, 10, 1e21, '', '10', 'Z', 'a', 'é', '😀']
    for (const fields of [{}, { indexes: ['a'] }]) {
      const collection = await fixture.newCollection(fields)
      await fixture.add(
        collection,
        values.toReversed().map((a) => ({ data: { a } })),
      )
      const read = await readPages({ collection, asked: parseList({ sort: 'a' }, moment), size: 4 })
      assert.deepEqual(
        read.map((row) => valueAt(dataOf(row), ['a'])),
        values,
      )
    }
  })
})

suite('a page of 20 among 10,000 documents', () => {
  const COUNT = 10_000
  const filled = (async () => {
    const fields = { indexes: ['status', 'total', 'date'], unique: ['email'] }
    const collection = await fixture.newCollection(fields)
    const statuses = ['open', 'paid', 'closed']
    const documents = Array.from({ length: COUNT }, (_, index) => ({
      data: {
        status: statuses[index % 3],
        total: (index * 7919) % 10_007,
        email: `${index}@example.com`,
        date: new Date(1.7e12 + index * 3_600_000).toISOString().slice(0, 10),
        note: 'A table in the garden',
      },
    }))
    const rows = await fixture.add(collection, documents)
    return { ...collection, document_count: COUNT, rows }
  })()

  const cases: { filter?: string; sort?: string; q?: string; rows_max: number }[] = [
    { rows_max: 500 },
    { sort: 'total', rows_max: 500 },
    { filter: 'status = "open"', rows_max: 1_500 },
    { filter: 'status = "open"', sort: '-total', rows_max: 1_500 },
    { filter: 'total >= 100 and total <= 9000', sort: '-total', rows_max: 150 },
    { filter: 'status = "open" and total >= 100 and note contains "garden"', rows_max: 1_500 },
    { filter: 'status = "paid"', sort: 'status,-total', rows_max: 1_500 },
  ]
  for (const { rows_max, ...asked } of cases) {
    test(`${asked.filter ?? 'all'} by ${asked.sort ?? 'time'} reads few rows`, async () => {
      const collection = await filled
      const work = (tx: Parameters<Parameters<typeof rowsRead>[1]>[0]) =>
        listDocuments(tx, { collection, ...parseList(asked, moment), limit: 21 })
      assert.equal((await work(db as never)).length, 21)
      const read = await rowsRead({ runtime: { db }, connection: fixture.runtime.connection }, work)
      const sum = read.reduce((all, rows) => all + rows, 0)
      assert.ok(sum <= rows_max, `${sum} rows in ${read.length} statements`)
    })
  }

  test('reads only the documents that an indexed field of the filter selects', async () => {
    const { rows, ...collection } = await filled
    const filters = [
      'email = "77@example.com"',
      'email in ("1@example.com", "2@example.com", "none")',
      'total >= 10000',
      'email starts with "999"',
      'date = @2024-01-01',
      'date >= @2024-12-31 and date < @2025-01-01',
      'status = "open" and total < 20',
    ]
    for (const filter of filters) {
      const asked = parseList({ filter, sort: '-total' }, moment)
      const found = await listDocuments(db, { collection, ...asked, limit: 100 })
      const { sort } = asked
      const expected = rows.filter((row) => matches(row, asked.filter!, moment))
      assert.deepEqual(ids(found), ids(inOrder(expected, { ...asked, filter: null, sort })), filter)
      assert.ok(found.length > 0, filter)
    }
  })
})
