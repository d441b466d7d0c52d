/** Tests of files of a project: deduplicated, counted by uses, and returned unchanged. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { suite, test } from 'node:test'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { Problem } from '../../contract/errors.ts'
import * as projects from '../projects/service.ts'
import * as files from './service.ts'

const fixture = await openTestRuntime({ work: false })
const { runtime, project_id } = fixture

async function project(id = project_id) {
  const row = await projects.find(runtime.db, id)
  assert(row)
  return row
}

const hexOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

async function* inPieces(bytes: Buffer, length = 1000): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}

suite('storeFile', () => {
  test('returns the same bytes, from a buffer and from a stream', async () => {
    const bytes = randomBytes(5000)
    const one = await files.storeFile(runtime, await project(), bytes)
    assert.deepEqual([one.sha256, one.bytes], [hexOf(bytes), 5000])
    assert.deepEqual(await files.readFile(runtime, project_id, { id: one.id }), bytes)
    const other = randomBytes(5001)
    const two = await files.storeFile(runtime, await project(), inPieces(other))
    assert.deepEqual([two.sha256, two.bytes], [hexOf(other), 5001])
    assert.deepEqual(await files.readFile(runtime, project_id, { id: two.id }), other)
  })

  test('stores identical bytes once, from a buffer or a stream', async () => {
    const bytes = randomBytes(3000)
    const all = await Promise.all([
      files.storeFile(runtime, await project(), bytes),
      files.storeFile(runtime, await project(), inPieces(bytes)),
      files.storeFile(runtime, await project(), bytes),
      files.storeFile(runtime, await project(), inPieces(bytes)),
    ])
    assert.equal(new Set(all.map(({ id }) => id)).size, 1)
  })

  test('separates projects', async () => {
    const other = await fixture.newProject()
    const bytes = randomBytes(100)
    const one = await files.storeFile(runtime, await project(), bytes)
    const two = await files.storeFile(runtime, await project(other.project_id), bytes)
    assert.notEqual(one.id, two.id)
    assert.deepEqual(await files.findFiles(runtime, other.project_id, [hexOf(randomBytes(9))]), [])
  })

  test('refuses more than bytes_max with 413 file_too_large, from a buffer and from a stream', async () => {
    const bytes = randomBytes(2001)
    for (const source of [bytes, inPieces(bytes)]) {
      const refused = files.storeFileWithin(runtime, await project(), { source, bytes_max: 2000 })
      await assert.rejects(refused, (error) => error instanceof Problem && error.status === 413)
    }
    assert.deepEqual(await files.findFiles(runtime, project_id, [hexOf(bytes)]), [])
  })
})

suite('compressed copies', () => {
  test('decompress to the original, and exist once for a text', async () => {
    const bytes = Buffer.from('Opening hours and prices. '.repeat(200))
    const { id } = await files.storeFile(runtime, await project(), bytes)
    const [first] = await files.encodeFiles(runtime, project_id, [id])
    const { br = 0, gzip = 0, zstd = 0 } = first?.encodings ?? {}
    assert(br > 0 && gzip > 0 && zstd > 0 && br < bytes.length)
    assert.deepEqual(await files.encodeFiles(runtime, project_id, [id]), [first])
    const copy = await files.readFile(runtime, project_id, { id, encoding: 'br' })
    assert.equal(copy.length, br)
  })
})
