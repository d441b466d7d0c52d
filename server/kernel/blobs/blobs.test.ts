/** Tests of both blob stores: the disk and an S3 bucket. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, suite, test } from 'node:test'
import { openS3Server } from '../../../test/fixtures/external/s3-server.ts'
import { readConfig } from '../config/config.ts'
import { openBlobs } from './blobs.ts'
import type { Blobs } from './blobs-contract.ts'
import { BlobMissing, BlobsUnavailable } from './faults.ts'
import { readS3Address } from '../config/storage-addresses.ts'

const MB = 1_048_576
const folder = mkdtempSync(join(tmpdir(), 'homeport-blobs-'))
const bucket = await openS3Server()
const stores: Record<string, Blobs> = {
  'the disk': openBlobs(readConfig({ HOMEPORT_DATA_DIR: folder }, folder)),
  'a bucket': openBlobs(readConfig(bucket.settings, folder)),
}
after(async () => {
  for (const store of Object.values(stores)) await store.close()
  rmSync(folder, { recursive: true, force: true })
})

async function* inPieces(bytes: Buffer, length = 50_000): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}

async function* breaking(bytes: Buffer): AsyncGenerator<Buffer> {
  yield* inPieces(bytes)
  throw new Error('the source broke')
}

async function keysOf(store: Blobs, prefix: string): Promise<Record<string, number>> {
  const entries = await Array.fromAsync(store.list(prefix))
  return Object.fromEntries(entries.map(({ key, bytes }) => [key, bytes]))
}

for (const [name, store] of Object.entries(stores)) {
  suite(`bytes in ${name}`, () => {
    test('return the stored bytes, from a buffer and from a stream of any length', async () => {
      for (const length of [0, 1, 100_000, 9 * MB, 17 * MB]) {
        const bytes = randomBytes(length)
        await store.put('lengths/a', bytes)
        assert(bytes.equals(await store.read('lengths/a')))
        await store.put('lengths/b', inPieces(bytes))
        assert.equal(await store.size('lengths/b'), length)
        const read = Buffer.concat(await Array.fromAsync(await store.open('lengths/b')))
        assert(bytes.equals(read))
      }
    })

    test('return a range with both ends included', async () => {
      const bytes = randomBytes(1000)
      await store.put('ranges/a', bytes)
      // The S3 server of the tests treats an end of 0 as missing, so another single byte is read.
      for (const [start, end] of [
        [0, 1],
        [7, 7],
        [10, 19],
        [999, 999],
        [0, 999],
      ] as const) {
        const part = await Array.fromAsync(await store.open('ranges/a', { start, end }))
        assert(Buffer.concat(part).equals(bytes.subarray(start, end + 1)))
      }
    })

    test('replaces the bytes of an existing blob atomically', async () => {
      await store.put('again/a', randomBytes(5000))
      await store.put('again/a', Buffer.from('short'))
      assert.equal((await store.read('again/a')).toString(), 'short')
    })

    test('stores nothing if the source breaks, and keeps the earlier blob', async () => {
      for (const length of [10, 20 * MB]) {
        const put = store.put('broken/a', breaking(randomBytes(length)))
        await assert.rejects(put, { message: 'the source broke' })
        assert.equal(await store.size('broken/a'), null)
      }
      await store.put('broken/a', Buffer.from('whole'))
      await assert.rejects(store.put('broken/a', breaking(randomBytes(10))))
      assert.equal((await store.read('broken/a')).toString(), 'whole')
      assert.deepEqual(await keysOf(store, 'broken'), { 'broken/a': 5 })
    })

    test('throw BlobMissing and have size null if they do not exist', async () => {
      await assert.rejects(store.read('nothing/a'), BlobMissing)
      await assert.rejects(store.open('nothing/a'), BlobMissing)
      await assert.rejects(store.open('nothing/a', { start: 0, end: 1 }), BlobMissing)
      assert.equal(await store.size('nothing/a'), null)
    })

    test('deletes a blob, and ignores a second deletion', async () => {
      for (const key of ['going/a', 'going/b', 'going/c']) await store.put(key, Buffer.from(key))
      await store.remove(['going/a', 'going/c', 'going/never'])
      await store.remove(['going/a'])
      await store.remove([])
      assert.deepEqual(await keysOf(store, 'going/'), { 'going/b': 7 })
    })

    test('deletes a folder with all its blobs, and no other', async () => {
      for (const key of ['folder/a', 'folder/b.gz', 'folder/deep/c', 'folder-2/a'])
        await store.put(key, Buffer.from(key))
      await store.removeFolder('folder')
      await store.removeFolder('folder')
      assert.deepEqual(await keysOf(store, 'folder'), { 'folder-2/a': 10 })
    })

    test('written concurrently under one key leave one of them complete', async () => {
      const all = Array.from({ length: 20 }, () => randomBytes(100_000))
      await Promise.all(all.map((bytes) => store.put('many/a', inPieces(bytes))))
      const kept = await store.read('many/a')
      assert(all.some((bytes) => bytes.equals(kept)))
    })

    test('refuse keys with path traversal', async () => {
      const wrong = [
        '',
        '/a',
        '../a',
        'a/../../b',
        'a//b',
        'a/',
        './a',
        'a/./b',
        'A',
        'a\\b',
        'a\0',
      ]
      for (const key of wrong) {
        for (const refused of [
          () => store.put(key, Buffer.from('a')),
          () => store.read(key),
          () => store.open(key),
          () => store.size(key),
          () => store.remove([key]),
        ]) {
          await assert.rejects(async () => refused(), { name: 'AssertionError' })
        }
      }
    })
  })
}

suite('the disk', () => {
  const unfinished = join(folder, 'blobs', '.unfinished')

  test('shows no partial blob during a write', async () => {
    const store = openBlobs(readConfig({ HOMEPORT_DATA_DIR: folder }, folder))
    const gate = Promise.withResolvers<void>()
    async function* slow() {
      yield Buffer.from('first ')
      await gate.promise
      yield Buffer.from('second')
    }
    const put = store.put('halves/a', slow())
    assert.equal(await store.size('halves/a'), null)
    assert.deepEqual(await keysOf(store, 'halves'), {})
    gate.resolve()
    await put
    assert.equal((await store.read('halves/a')).toString(), 'first second')
    assert.deepEqual(readdirSync(unfinished), [])
  })

  test('deletes temporary files of dead processes after they expire', async () => {
    mkdirSync(unfinished, { recursive: true })
    for (const name of ['old', 'new']) writeFileSync(join(unfinished, name), 'half')
    const long_ago = new Date(Date.now() - 7 * 3_600_000)
    utimesSync(join(unfinished, 'old'), long_ago, long_ago)
    const store = openBlobs(readConfig({ HOMEPORT_DATA_DIR: folder }, folder))
    await store.put('later/a', Buffer.from('a'))
    assert.deepEqual(readdirSync(unfinished), ['new'])
    rmSync(join(unfinished, 'new'))
  })

  test('throws BlobsAway if it is not writable', async () => {
    const closed = mkdtempSync(join(tmpdir(), 'homeport-blobs-'))
    writeFileSync(join(closed, 'blobs'), 'a file where the folder should be')
    const store = openBlobs(readConfig({ HOMEPORT_DATA_DIR: closed }, closed))
    await assert.rejects(store.put('a/b', Buffer.from('a')), BlobsUnavailable)
    chmodSync(closed, 0o700)
    rmSync(closed, { recursive: true })
  })

  test('makes files accessible to their owner only', async () => {
    const { mode } = await import('node:fs').then(({ statSync }) =>
      statSync(join(folder, 'blobs', 'again', 'a')),
    )
    assert.equal(mode & 0o077, 0)
  })
})

suite('a bucket', () => {
  test('accepts uploads by a presigned link', async () => {
    const store = stores['a bucket']
    assert(store?.uploadLink)
    const file = { bytes: 5, content_type: 'text/plain', expires_s: 60 }
    const { url, headers } = await store.uploadLink('links/a', file)
    const answer = await fetch(url, { method: 'PUT', headers, body: 'hello' })
    assert.equal(answer.status, 200)
    assert.equal((await store.read('links/a')).toString(), 'hello')
  })

  test('throws BlobsAway if it does not answer or refuses', async () => {
    const away = await openS3Server()
    const store = openBlobs(readConfig(away.settings, folder))
    const unknown = openBlobs(
      readConfig({ ...bucket.settings, AWS_ACCESS_KEY_ID: 'unknown' }, folder),
    )
    await away.close()
    for (const one of [store, unknown]) {
      await assert.rejects(one.put('a/b', Buffer.from('a')), BlobsUnavailable)
      await assert.rejects(one.read('a/b'), BlobsUnavailable)
      await assert.rejects(one.size('a/b'), BlobsUnavailable)
      await assert.rejects(one.remove(['a/b']), BlobsUnavailable)
      await one.close()
    }
  })

  test('accepts an address with the documented parts only', () => {
    const read = (address: string) => readS3Address(address)
    assert.deepEqual(read('s3://my-bucket'), {
      bucket: 'my-bucket',
      endpoint: null,
      region: 'us-east-1',
    })
    assert.deepEqual(read('s3://b.c?endpoint=http://127.0.0.1:9000&region=eu-1'), {
      bucket: 'b.c',
      endpoint: 'http://127.0.0.1:9000',
      region: 'eu-1',
    })
    const wrong = [
      's3://',
      's3://A_b',
      's3://bucket/folder',
      's3://key:secret@bucket',
      's3://bucket?endpoint=ftp://a',
      's3://bucket?key=a',
      'https://bucket',
      'bucket',
    ]
    for (const address of wrong) assert.equal(read(address), null, address)
  })

  test('needs credentials and a valid address at the start', () => {
    const faultOf = (settings: Record<string, string>) => {
      try {
        readConfig(settings, folder)
      } catch (error) {
        return String(error)
      }
      return ''
    }
    assert.match(faultOf({ HOMEPORT_BLOBS: 's3://bucket' }), /needs AWS_ACCESS_KEY_ID/)
    assert.match(faultOf({ ...bucket.settings, HOMEPORT_BLOBS: 'tape' }), /must be disk, or s3:/)
  })
})
