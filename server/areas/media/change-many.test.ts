/** Tests of changes of several files at once, and of the focal point of a picture. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { callerOf, slugOf } from '../../../test/fixtures/data/data.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { mediaFixture, newPicture } from '../../../test/fixtures/media/media.ts'
import { replaceSiteUses } from './service.ts'

const runtime = await openTestRuntime({ work: false })
const { ready } = mediaFixture(runtime)
const SITE = '01890b2c-7d4e-7a1b-9c3d-5e6f7a8b9c0d'
const UNKNOWN = '01890b2c-7d4e-7a1b-9c3d-5e6f7a8b9c0e'
const { project_id } = await runtime.newProject()
const key = await runtime.newKey({ project_id })
const call = callerOf(runtime, project_id)

let texts = 0
/** Adds a small text file. */
async function newFile(): Promise<string> {
  texts += 1
  const sending = { key, filename: `note-${texts}.txt`, content_type: 'text/plain' }
  return (await ready(Buffer.from(`Note ${texts}`), sending)).id
}

describe('POST /media/batch', () => {
  test('moves files and changes their tags, added ones last', async () => {
    const ids = [await newFile(), await newFile()]
    await call(`PATCH /media/${ids[0]}`, { tags: ['old', 'kept'] })
    const body = { ids, folder: 'menu', add_tags: ['kept', 'new'], remove_tags: ['old'] }
    const answer = await call('POST /media/batch', body)
    assert.deepEqual([answer.status, answer.body], [200, { done: ids, refused: [] }])
    for (const id of ids) {
      const { body: file } = await call(`GET /media/${id}`)
      assert.deepEqual([file.folder, file.tags], ['menu', ['kept', 'new']])
    }
  })

  test('deletes unused files, and lists the others with the reason', async () => {
    const [used, unused] = [await newFile(), await newFile()]
    const place = { project_id, site_id: SITE }
    await runtime.runtime.db.transact((tx) =>
      replaceSiteUses(tx, place, [{ media_id: used, path: 'a.txt' }]),
    )
    const answer = await call('POST /media/batch', { ids: [used, unused, UNKNOWN], delete: true })
    assert.deepEqual(answer.body, {
      done: [unused],
      refused: [
        { id: UNKNOWN, reason: 'not_found', used_on: [] },
        { id: used, reason: 'in_use', used_on: [{ site_id: SITE, path: 'a.txt' }] },
      ],
    })
    assert.equal((await call(`GET /media/${unused}`)).status, 404)
    assert.equal((await call(`GET /media/${used}`)).status, 200)
  })

  test('leaves a file that would have too many tags as it is', async () => {
    const id = await newFile()
    const tags = Array.from({ length: 15 }, (_, n) => `tag-${n}`)
    await call(`PATCH /media/${id}`, { tags })
    const add_tags = Array.from({ length: 6 }, (_, n) => `more-${n}`)
    const answer = await call('POST /media/batch', { ids: [id], folder: 'menu', add_tags })
    assert.deepEqual(answer.body.refused, [{ id, reason: 'too_many_tags', used_on: [] }])
    const { body } = await call(`GET /media/${id}`)
    assert.deepEqual([body.tags, body.folder], [tags, ''])
  })

  test('does not touch the files of another project', async () => {
    const id = await newFile()
    const other = callerOf(runtime, (await runtime.newProject()).project_id)
    const answer = await other('POST /media/batch', { ids: [id], delete: true })
    assert.deepEqual(answer.body.refused, [{ id, reason: 'not_found', used_on: [] }])
    assert.equal((await call(`GET /media/${id}`)).status, 200)
  })

  test('is refused without a change, or with a deletion and another change', async () => {
    const ids = [await newFile()]
    for (const body of [{ ids }, { ids, delete: false }, { ids, delete: true, folder: 'a' }]) {
      const answer = await call('POST /media/batch', body)
      assert.deepEqual([answer.status, answer.body.errors?.[0].path], [422, '/delete'], answer.text)
    }
  })
})

describe('the focal point of a picture', async () => {
  const picture = await ready(await newPicture().jpeg().toBuffer(), { key })

  test('is set, kept by other changes, and cleared', async () => {
    const focal_point = { x: 0.25, y: 1 }
    const set = await call(`PATCH /media/${picture.id}`, { focal_point })
    assert.deepEqual([picture.focal_point, set.body.focal_point], [null, focal_point])
    await call(`PATCH /media/${picture.id}`, { title: 'Door' })
    assert.deepEqual((await call(`GET /media/${picture.id}`)).body.focal_point, focal_point)
    const cleared = await call(`PATCH /media/${picture.id}`, { focal_point: null })
    assert.equal(cleared.body.focal_point, null)
  })

  test('is refused outside the picture, and for other files', async () => {
    const outside = await call(`PATCH /media/${picture.id}`, { focal_point: { x: 1.1, y: 0 } })
    assert.deepEqual([outside.status, slugOf(outside)], [422, 'validation_failed'])
    const id = await newFile()
    const text = await call(`PATCH /media/${id}`, { title: 'A', focal_point: { x: 0, y: 0 } })
    assert.deepEqual([text.status, text.body.errors[0].path], [422, '/focal_point'])
    assert.equal((await call(`GET /media/${id}`)).body.title, null)
  })
})
