/**
 * Tests of files in an S3 bucket: clients upload to the bucket, and an upload becomes a file only
 * after its bytes were verified against the announcement.
 */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { suite, test } from 'node:test'
import { longTest } from '../../../test/fixtures/depth.ts'
import { callerOf } from '../../../test/fixtures/callers.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { openS3Server } from '../../../test/fixtures/external/s3-server.ts'
import { sweepFiles } from './sweep.ts'
import * as files from './service.ts'

const bucket = await openS3Server()
const fixture = await openTestRuntime({ work: false, settings: bucket.settings })
const { runtime, project_id } = fixture

const hexOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

async function announce(bytes: Buffer): Promise<files.Announced> {
  const [link] = await files.announceUploads(await callerOf(runtime, project_id), 'media', [
    { name: 'a.bin', sha256: hexOf(bytes), bytes: bytes.length, content_type: 'text/plain' },
  ])
  assert(link)
  return link
}

async function put({ url, headers }: files.Announced, bytes: Buffer): Promise<number> {
  const { status } = await fetch(url, { method: 'PUT', headers, body: new Uint8Array(bytes) })
  return status
}

const find = (bytes: Buffer) => files.findFiles(runtime, project_id, [hexOf(bytes)])

async function keys(): Promise<string[]> {
  return (await Array.fromAsync(runtime.blobs.list(''))).map(({ key }) => key)
}

suite('an upload to the S3 bucket', () => {
  test('becomes a file of the project when the client reports it as complete', async () => {
    const bytes = randomBytes(200_000)
    const link = await announce(bytes)
    assert(link.url.startsWith(bucket.url))
    assert.deepEqual(await find(bytes), [])
    assert.equal(await put(link, bytes), 200)
    const [file] = await find(bytes)
    assert(file)
    assert.deepEqual([file.sha256, file.bytes], [hexOf(bytes), 200_000])
    assert.deepEqual(await files.readFile(runtime, project_id, { id: file.id }), bytes)
    assert.deepEqual(await keys(), [`${project_id}/${file.id}`])
    const upload = await files.findUpload(runtime, project_id, link.upload_id)
    assert.equal(upload?.file?.id, file.id)
  })

  test('is deleted and creates no file if other bytes were sent', async () => {
    const bytes = randomBytes(1000)
    const link = await announce(bytes)
    for (const wrong of [randomBytes(1000), randomBytes(999), Buffer.alloc(0)]) {
      await put(link, wrong)
      assert.deepEqual(await find(bytes), [])
    }
    assert.equal((await keys()).filter((key) => key.endsWith('.upload')).length, 0)
    assert.equal(await put(link, bytes), 200)
    assert.equal((await find(bytes)).length, 1)
  })

  test('cannot change a file that was already verified', async () => {
    const bytes = randomBytes(1000)
    const link = await announce(bytes)
    await put(link, bytes)
    const [file] = await find(bytes)
    assert(file)
    await put(link, randomBytes(1000))
    assert.deepEqual(await files.readFile(runtime, project_id, { id: file.id }), bytes)
    assert.deepEqual(await find(bytes), [file])
  })

  test('is needed only once for two links to the same bytes', async () => {
    const bytes = randomBytes(1000)
    const [one, two] = [await announce(bytes), await announce(bytes)]
    await put(one, randomBytes(1000))
    await put(two, bytes)
    assert.equal((await find(bytes)).length, 1)
  })

  longTest('creates one file for concurrent requests', async () => {
    // Repeats to hit the race between finding an upload and another request moving it.
    for (let round = 0; round < 20; round += 1) {
      const bytes = randomBytes(30_000)
      await put(await announce(bytes), bytes)
      const found = await Promise.all(Array.from({ length: 12 }, () => find(bytes)))
      const ids = found.flatMap((files) => files.map(({ id }) => id))
      assert.equal(ids.length, 12)
      assert.equal(new Set(ids).size, 1)
    }
  })

  test('is deleted from the bucket if nothing uses it', async () => {
    const bytes = randomBytes(1000)
    const link = await announce(bytes)
    await put(link, bytes)
    await find(bytes)
    await put(link, randomBytes(1000))
    fixture.passes('3 hours')
    for (let time = 0; time < 2; time++) {
      await sweepFiles.run(runtime)
      fixture.passes('1 hour')
    }
    assert.deepEqual(await keys(), [])
  })
})

test('an upload replies 503 and leaves no partial file if the bucket does not respond', async () => {
  await bucket.close()
  const caller = await callerOf(runtime, project_id)
  await assert.rejects(files.storeFile(runtime, caller.project, randomBytes(10)), {
    name: 'BlobsAway',
  })
})
