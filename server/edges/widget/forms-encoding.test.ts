/** Tests of the content encoding of GET /forms.js. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { request } from 'undici'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'

const { url } = await openTestRuntime({ work: false })

const choices: [accepted: string | null, encoding: string | undefined][] = [
  ['gzip, deflate, br, zstd', 'gzip'],
  ['*', 'gzip'],
  ['gzip;q=0', undefined],
  ['identity, gzip;q=0.5', undefined],
  ['br', undefined],
  ['x-gzipped', undefined],
  [null, undefined],
]

for (const [accepted, encoding] of choices) {
  test(`GET /forms.js is sent as ${encoding ?? 'identity'} for "${accepted}"`, async () => {
    const headers = accepted === null ? {} : { 'accept-encoding': accepted }
    const answer = await request(`${url}/forms.js`, { headers })
    await answer.body.dump()
    assert.deepEqual(
      [answer.headers['content-encoding'], answer.headers['vary']],
      [encoding, 'Accept-Encoding'],
    )
  })
}
