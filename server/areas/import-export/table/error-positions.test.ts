/**
 * Positions in import errors over HTTP: the line number must be the one that an editor shows, for
 * every line ending and chunk size.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'

const runtime = await openTestRuntime({ work: false })
const { call } = runtime

let collections = 0
async function newCollection(): Promise<string> {
  const name = `places-${(collections += 1)}`
  runtime.passes('61 seconds')
  const made = await call('POST /collections', { body: { name } })
  assert.equal(made.status, 201, made.text)
  return name
}

type Format = 'csv' | 'ndjson'
const types = { csv: 'text/csv', ndjson: 'application/x-ndjson' } as const

async function reportOf(format: Format, file: string | Uint8Array) {
  const name = await newCollection()
  const headers = { 'content-type': types[format] }
  return call(`POST /collections/${name}/documents/import`, { raw: file, headers })
}

/** Sends the file in chunks; each is on its way before the next is created. */
async function reportInPieces(format: Format, file: Uint8Array, size: number) {
  const name = await newCollection()
  async function* pieces() {
    for (let from = 0; from < file.length; from += size) {
      yield file.subarray(from, from + size)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const response = await fetch(`${runtime.url}/api/v1/collections/${name}/documents/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${runtime.key}`, 'content-type': types[format] },
    body: ReadableStream.from(pieces()),
    duplex: 'half',
  })
  return { status: response.status, body: JSON.parse(await response.text()) }
}

describe('the line number of an error in CSV', () => {
  for (const [called, end] of Object.entries({ LF: '\n', CRLF: '\r\n', CR: '\r' })) {
    const file = (...lines: string[]) => lines.join(end)

    test(`is that of an editor after a cell of several lines, with ${called}`, async () => {
      const { body } = await reportOf('csv', file('name,_id', '"a', 'b', 'c",', 'd,bad', ''))
      assert.deepEqual([body.inserted, body.errors[0].line], [1, 5])
    })

    test(`is that of an editor after empty lines, with ${called}`, async () => {
      const { body } = await reportOf('csv', file('name,_id', '', '"', '",', '', '', 'd,bad'))
      assert.deepEqual([body.inserted, body.errors[0].line], [1, 7])
    })

    test(`is that of an opening quote that is never closed, with ${called}`, async () => {
      const rest = Array.from({ length: 20 }, () => 'x,y')
      const first = await reportOf('csv', file('name,note', 'a,', '"b', ...rest))
      assert.deepEqual([first.body.inserted, first.body.stopped.line], [1, 3])
      const later = await reportOf('csv', file('name,note', 'a,', '"b', 'c","d', ...rest))
      assert.deepEqual([later.body.stopped.line, later.body.stopped.column], [4, 2])
    })

    test(`is that of text after a closing quote, with ${called}`, async () => {
      const { body } = await reportOf('csv', file('name,note', 'a,', '"b', '""c', 'd"e,', 'f,'))
      assert.deepEqual([body.inserted, body.stopped.line], [1, 5])
      const inside = await reportOf('csv', file('name,note', '"a', 'b",', 'c, "d"', 'f,'))
      assert.deepEqual([inside.body.inserted, inside.body.stopped.line], [1, 4])
    })
  }
})

describe('a file with invalid UTF-8', () => {
  const good = Array.from({ length: 1000 }, (_, number) => number)
  const files = {
    csv: `name\n${good.map((number) => `é${number}\n`).join('')}`,
    ndjson: good.map((number) => `{"name":"é${number}"}\n`).join(''),
  } as const
  const cut = { 'a letter of Latin-1': [0xe9, 0x0a, 0x61], 'half a letter': [0xe2, 0x82] }

  for (const format of ['csv', 'ndjson'] as const) {
    const line = format === 'csv' ? 1002 : 1001
    for (const [called, bytes] of Object.entries(cut)) {
      test(`is imported up to the invalid byte, as ${format} with ${called}, for every chunk size`, async () => {
        for (const before of ['', 'ab']) {
          const file = Buffer.concat([Buffer.from(files[format] + before), Buffer.from(bytes)])
          for (const size of [65_536, 4099, 977]) {
            const { status, body } = await reportInPieces(format, file, size)
            assert.equal(status, 200, JSON.stringify(body))
            assert.deepEqual([body.inserted, body.refused], [1000, 0], `pieces of ${size}`)
            const { message, ...place } = body.stopped
            assert.deepEqual(place, { line, column: before.length + 1 })
            assert.match(message, /not UTF-8/)
          }
        }
      })
    }

    test(`is refused with the position if the first line is invalid, as ${format}`, async () => {
      // The byte is not valid in Windows-1252 either, which CSV may use.
      const { status, body } = await reportOf(format, Buffer.from('name\x81', 'latin1'))
      assert.equal(status, 422)
      assert.deepEqual([body.line, body.column], [1, 5])
    })
  }
})
