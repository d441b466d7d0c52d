/**
 * Tests of pictures with files in a bucket, over HTTP: uploaded to the bucket directly, completed,
 * and served by signed links, whole, in ranges and resized.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { mediaFixture, newPicture } from '../../../test/fixtures/media/media.ts'
import { openS3Server } from '../../../test/fixtures/external/s3-server.ts'

const bucket = await openS3Server()
const fixture = await openTestRuntime({ work: false, settings: bucket.settings })
const { announce, ready } = mediaFixture(fixture)

async function get(id: string, query = '', headers: Record<string, string> = {}) {
  const { body } = await fixture.call(`GET /media/${id}/link${query}`)
  const url = String(body.url).replace(fixture.runtime.config.public_url, fixture.url)
  const answer = await fetch(url, { headers })
  return { status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) }
}

test('a picture uploaded to the bucket is accepted and served from this server', async () => {
  const bytes = await newPicture().png().toBuffer()
  assert((await announce(bytes)).url.startsWith(bucket.url))
  const { id, bytes: length } = await ready(bytes, { filename: 'a.png', content_type: 'image/png' })
  const whole = await get(id)
  assert.deepEqual([whole.status, whole.bytes.length], [200, length])
  const part = await get(id, '', { range: 'bytes=10-19' })
  assert.equal(part.status, 206)
  assert(part.bytes.equals(whole.bytes.subarray(10, 20)))
  const small = await get(id, '?width=160&format=webp')
  assert.equal(small.bytes.subarray(0, 4).toString(), 'RIFF')
})

test('a bucket that does not answer causes 503 with Retry-After for its files only', async () => {
  const { id } = await ready(await newPicture().png().toBuffer(), { content_type: 'image/png' })
  const { body } = await fixture.call(`GET /media/${id}/link`)
  await bucket.close()
  const url = String(body.url).replace(fixture.runtime.config.public_url, fixture.url)
  const answer = await fetch(url)
  assert.equal(answer.status, 503)
  assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/)
  assert.equal((await fixture.call('GET /media')).status, 200)
})
