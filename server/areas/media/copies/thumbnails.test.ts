/** Tests of thumbnails of the library for people. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { mediaFixture, newPicture, newRecording } from '../../../../test/fixtures/media/media.ts'
import { newTeam } from '../../../../test/fixtures/portal/sessions.ts'

const fixture = await openTestRuntime({ work: false })
const { ready } = mediaFixture(fixture)
const { project_id, viewer, limited } = await newTeam(fixture)
const key = await fixture.newKey({ project_id })
const path = `GET /projects/${project_id}/media/thumbnails`

test('are links to a copy of each picture, which is made when its link is first opened', async () => {
  const large = await newPicture({ width: 1000, height: 500 }).jpeg().toBuffer()
  const { id } = await ready(large, { key })
  const sound = await ready(newRecording(), { key, filename: 'a.wav', content_type: 'audio/wav' })
  const small = await ready(await newPicture({ width: 90, height: 90 }).png().toBuffer(), { key })
  const foreign = await ready(await newPicture().jpeg().toBuffer())
  const ids = [id, sound.id, small.id, foreign.id]
  const { status, body } = await viewer.call(`${path}?ids=${ids.join()}`)
  assert.equal(status, 200)
  const urls = new Map<string, string>(body.thumbnails.map((one: any) => [one.id, one.url]))
  assert.deepEqual([...urls.keys()].toSorted(), [id, small.id].toSorted())
  const before = await fixture.call(`GET /media/${id}`, { key })
  assert.deepEqual(before.body.variants, [])
  for (const [one, width] of [
    [id, 320],
    [small.id, 90],
  ]) {
    const url = urls.get(one)?.replace(fixture.runtime.config.public_url, fixture.url) ?? ''
    const picture = await fetch(url)
    assert.equal(picture.headers.get('content-type'), 'image/webp')
    assert.equal((await sharp(await picture.bytes()).metadata()).width, width)
  }
})

test('are refused for an invalid list of ids, and to members who may not use the library', async () => {
  for (const ids of ['', 'x', Array(101).fill(project_id).join()]) {
    const answer = await viewer.call(`${path}?ids=${ids}`)
    assert.equal(answer.status, 400, ids)
    assert.match(answer.body.type, /invalid_parameter/)
  }
  assert.equal((await limited.call(path)).status, 403)
  assert.deepEqual((await viewer.call(path)).body, { thumbnails: [] })
})
