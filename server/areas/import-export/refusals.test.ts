/**
 * Imports that are refused as a whole (with the problem of the first line), and empty rows that are
 * skipped.
 */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { zipSync } from 'fflate'
import {
  auditDocuments,
  newFixture,
  slugOf,
  type TestCollection,
} from '../../../test/fixtures/data/data.ts'
import { limits } from '../../contract/limits.ts'
import { parts, SHEET_FOOT, SHEET_HEAD } from '../../kernel/tables/xlsx/parts.ts'

const { newCollection, runtime } = await newFixture()
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const NDJSON = 'application/x-ndjson'

interface Sending {
  query?: string
  type?: string
}

function sender({ call }: TestCollection) {
  return (raw: string | Uint8Array, { query = '', type = NDJSON }: Sending = {}) =>
    call(`POST /documents/import?${query}`, undefined, { raw, headers: { 'content-type': type } })
}

suite('an atomic import', () => {
  const large = JSON.stringify({ text: 'x'.repeat(limits.document_bytes_max) })

  test('is refused for a document that is too large with 422 document_too_large', async () => {
    const send = sender(await newCollection())
    const answer = await send(`{}\n${large}\n`, { query: 'atomic=true' })
    assert.deepEqual([answer.status, slugOf(answer)], [422, 'document_too_large'])
    assert.match(answer.body.errors[0].message, /^Line 2: /)
    assert.equal(answer.body.detail, 'Nothing was imported, because 1 line was refused.')
    const two = await send(`${large}\n${large}`, { query: 'atomic=true' })
    assert.equal(two.body.detail, 'Nothing was imported, because 2 lines were refused.')
  })

  test('is refused beyond the collection limit with 422 document_limit_reached', async () => {
    const collection = await newCollection()
    const send = sender(collection)
    const lines = '{}\n'.repeat(limits.documents_per_collection_max + 1)
    const answer = await send(lines, { query: 'atomic=true' })
    assert.deepEqual([answer.status, slugOf(answer)], [422, 'document_limit_reached'])
  })

  test('is refused if the plan quota would be exceeded', async () => {
    const collection = await newCollection()
    const send = sender(collection)
    await send('{}')
    const { project_id } = collection
    const { db } = runtime.runtime
    const most = 10n ** 15n
    await db.transact((tx) =>
      tx
        .updateTable('data_usage')
        .set({ bytes: most })
        .where('project_id', '=', project_id)
        .execute(),
    )
    const answer = await send('{"a":1}', { query: 'atomic=true' })
    assert.deepEqual([answer.status, slugOf(answer)], [409, 'plan_limit_reached'])
  })
})

test('refuses a format that contradicts the Content-Type and accepts one that agrees', async () => {
  const send = sender(await newCollection())
  const answer = await send('a\n1\n', { query: 'format=ndjson', type: 'text/csv' })
  assert.deepEqual([answer.status, slugOf(answer)], [400, 'invalid_parameter'])
  assert.equal(answer.body.parameter, 'format')
  const agreed = await send('a\n1\n', { query: 'format=csv', type: 'text/csv' })
  assert.equal(agreed.body.inserted, 1)
})

suite('a CSV file with too many columns', () => {
  const columns = (count: number) => Array.from({ length: count }, (_, at) => `c${at}`).join(',')

  test('is refused at its header', async () => {
    const send = sender(await newCollection())
    const wide = await send(`${columns(120_000)}\n1\n`, { type: 'text/csv' })
    assert.deepEqual([wide.status, slugOf(wide)], [422, 'validation_failed'])
    assert.match(wide.body.detail, /^Nothing was imported. Line 1: .* 2000 columns/)
    assert.equal(wide.body.line, 1)
  })

  test('is imported up to the row with which it has too many cells, empty ones included', async () => {
    const send = sender(await newCollection())
    const empty = `${','.repeat(1_999)}\n`.repeat(1_001)
    const { body } = await send(`${columns(2_000)}\n1\n${empty}2\n`, { type: 'text/csv' })
    assert.deepEqual([body.inserted, body.stopped.line], [1, 1002], JSON.stringify(body.stopped))
    assert.match(body.stopped.message, /2000000 cells/)
  })

  test('is imported up to the first line with too many', async () => {
    const send = sender(await newCollection())
    const { body } = await send(`${columns(2_000)}\n1\n${','.repeat(2_000)}\n2\n`, {
      type: 'text/csv',
    })
    assert.deepEqual([body.inserted, body.stopped.line], [1, 3], JSON.stringify(body))
  })
})

suite('a heading of more than 255 characters', () => {
  test('is refused with its name and column, in CSV', async () => {
    const send = sender(await newCollection())
    const answer = await send(`a,${'b'.repeat(256)}\n1,2\n`, { type: 'text/csv' })
    assert.deepEqual([answer.status, slugOf(answer)], [422, 'validation_failed'])
    assert.match(
      answer.body.detail,
      /The heading "b{40}…" of column 2 has more than 255 characters/,
    )
    const longest = await send(`a,${'b'.repeat(255)}\n1,2\n`, { type: 'text/csv' })
    assert.equal(longest.body.inserted, 1)
  })
})

suite('an import of rows with only empty cells', () => {
  test('skips rows of CSV with empty cells, but not rows with an empty quoted text', async () => {
    const collection = await newCollection()
    const { body } = await sender(collection)('a,b\n1,\n,\n,,,\n"",\n,2\n', { type: 'text/csv' })
    assert.deepEqual([body.inserted, body.refused], [3, 0])
    await auditDocuments(runtime, collection.project_id)
  })

  test('skips rows of XLSX whose cells have only formats', async () => {
    const text = (place: string) => `<c r="${place}" t="inlineStr"><is><t>x</t></is></c>`
    const rows =
      '<row r="1"><c r="A1" s="1"/></row>' +
      `<row r="2">${text('A2')}${text('B2').replace('>x<', '>y<')}</row>` +
      '<row r="3"><c r="A3" s="1"/><c r="B3" s="1" t="s"/></row>' +
      `<row r="4"><c r="A4" s="1"/>${text('B4')}</row>`
    const files = { ...parts, 'xl/worksheets/sheet1.xml': `${SHEET_HEAD}${rows}${SHEET_FOOT}` }
    const packed = Object.entries(files).map(([name, file]) => [name, Buffer.from(file)])
    const file = zipSync(Object.fromEntries(packed))
    const { body } = await sender(await newCollection())(file, { type: XLSX })
    assert.deepEqual([body.inserted, body.refused], [1, 0], JSON.stringify(body))
  })
})
