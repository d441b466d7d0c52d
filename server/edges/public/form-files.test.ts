/**
 * Tests of file fields of forms: sent by programs and by a browser without JavaScript, into the
 * project's media library.
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { limits } from '../../contract/limits.ts'
import { openBrowser } from '../../../test/fixtures/portal/browser.ts'
import { callerOf } from '../../../test/fixtures/data/data.ts'
import { eventually } from '../../../test/fixtures/eventually.ts'
import { openTestRuntime } from '../../../test/fixtures/runtime.ts'
import { fromPhone, newPicture } from '../../../test/fixtures/media/media.ts'
import { listLoggedMails } from '../../providers/mail/mail.ts'
import * as projects from '../../areas/projects/service.ts'
import { BROWSER, openSite, slugOf, type Send } from '../../../test/fixtures/sites/site.ts'
import { listen } from '../../../test/fixtures/loopback.ts'

const runtime = await openTestRuntime()
const mailsTo = (address: string) =>
  listLoggedMails(runtime.runtime).filter(({ to }) => to === address).length
/** Waits until every job of a project has ended, that of each mail included. */
const noJobsOf = (project_id: string) =>
  eventually(async () => {
    const jobs = runtime.runtime.db.selectFrom('jobs').select('kind')
    return (await jobs.where('project_id', '=', project_id).execute()).length === 0
  })
const browser = await openBrowser()
const site = await openSite(runtime)
const call = callerOf(runtime, runtime.project_id)
const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 2 },
    photo: { $ref: '#/$defs/file' },
    papers: { type: 'array', items: { $ref: '#/$defs/file' }, maxItems: 4 },
  },
  required: ['name'],
  additionalProperties: false,
  $defs: { file: { type: 'string', format: 'media' } },
}
const picture = await fromPhone().jpeg().toBuffer()
let collections = 0

async function newCollection(settings: object = {}): Promise<string> {
  collections += 1
  const name = `files-${collections}`
  const made = await call('POST /collections', { name, schema, public_write: true, ...settings })
  assert.equal(made.status, 201, made.text)
  return name
}

type Part = [name: string, value: string | File]

const fileOf = (bytes: Uint8Array, name = 'photo.jpg') => new File([Buffer.from(bytes)], name)

function formOf(parts: readonly Part[]): FormData {
  const form = new FormData()
  for (const [name, value] of parts) form.append(name, value)
  return form
}

function submit(name: string, parts: readonly Part[], how: Send = {}) {
  return site.send(`POST /public/collections/${name}/documents`, { form: formOf(parts), ...how })
}

async function stored(name: string): Promise<Record<string, any>[]> {
  const { body } = await call(`GET /collections/${name}/documents`)
  return body.data.map(({ data }: { data: object }) => data)
}

async function library(name: string): Promise<any[]> {
  return (await call(`GET /media?folder=forms/${name}`)).body.data
}

/** Waits until a file's processing has finished. */
function settled(id: string): Promise<any> {
  return eventually(async () => {
    const { body } = await runtime.look(`GET /media/${id}`)
    return body.status === 'processing' ? null : body
  })
}

describe('what visitors send', () => {
  const MB = 1_048_576
  const noise = (bytes: number) => fileOf(randomBytes(bytes), 'noise.bin')

  async function newFreeShop() {
    const { project_id } = await runtime.newProject({ plan: 'free' })
    const owner_email = `owner-${project_id}@bakery.example`
    const { db } = runtime.runtime
    await db.transact((tx) => projects.setOwnerEmail(tx, { project_id, owner_email }))
    const owner = callerOf(runtime, project_id)
    const shop = await openSite(runtime, { project_id })
    await owner('POST /collections', { name: 'orders', schema, public_write: true })
    await owner('POST /collections', { name: 'notes', public_write: true })
    const order = (...sizes: number[]) => {
      const papers = sizes.map((bytes) => ['papers', noise(bytes)] satisfies Part)
      const form = formOf([['name', 'Anna'], ...papers])
      return shop.send('POST /public/collections/orders/documents', { form })
    }
    const note = () => {
      const body = { text: 'x'.repeat(60_000) }
      return shop.send('POST /public/collections/notes/documents', { body })
    }
    return { project_id, owner_email, owner, order, note }
  }

  test('has a fifth of the files of the plan, also at once, and nothing refused stays', async () => {
    const { project_id, owner_email, owner, order } = await newFreeShop()
    const taken = await Promise.all([order(9 * MB), order(9 * MB)])
    assert.deepEqual(
      taken.map(({ status }) => status),
      [201, 201],
    )
    for (const refused of await Promise.all([order(9 * MB), order(9 * MB)])) {
      assert.deepEqual([refused.status, slugOf(refused)], [409, 'plan_limit_reached'])
      assert.match(refused.body.user_message, /cannot take more/)
    }
    assert.equal(slugOf(await order(MB, 3 * MB)), 'plan_limit_reached')
    await noJobsOf(project_id)
    assert.equal(mailsTo(owner_email), 1)
    const { bytes } = await runtime.runtime.db
      .selectFrom('file_usage')
      .select('bytes')
      .where('project_id', '=', project_id)
      .executeTakeFirstOrThrow()
    assert.equal(Number(bytes), 18 * MB)
    const files = [{ path: 'index.html', content: 'a'.repeat(900_000) }]
    const site = await owner('POST /sites', {
      slug: `shop-${collections}`,
      files,
      visibility: 'unlisted',
    })
    assert.equal(site.status, 201, site.text)
  })

  test('has a fifth of the data of the plan, and the owner the rest', async () => {
    const { project_id, owner_email, owner, note } = await newFreeShop()
    let stored = 0
    let answer = await note()
    for (; answer.status === 201 && stored < 100; answer = await note()) stored += 1
    assert.deepEqual([slugOf(answer), stored], ['plan_limit_reached', 34])
    await note()
    await noJobsOf(project_id)
    assert.equal(mailsTo(owner_email), 1)
    runtime.passes('25 hours')
    await note()
    await noJobsOf(project_id)
    assert.equal(mailsTo(owner_email), 2)
    const text = 'x'.repeat(60_000)
    assert.equal((await owner('POST /collections/notes/documents', { text })).status, 201)
  })
})

describe('a file of a form', () => {
  test('is stored in the library with its id in the document', async () => {
    const name = await newCollection()
    const answer = await submit(name, [
      ['name', 'Anna'],
      ['photo', fileOf(picture, 'mijn foto.jpg')],
    ])
    assert.equal(answer.status, 201, answer.text)
    const [data] = await stored(name)
    const {
      filename,
      folder,
      source,
      status,
      kind,
      width,
      test: is_test,
    } = await settled(data?.['photo'])
    assert.deepEqual(
      [filename, folder, source, status, kind, width],
      ['mijn foto.jpg', `forms/${name}`, 'form', 'ready', 'image', 400],
    )
    assert.equal(is_test, false)
    const { body } = await call(`GET /media/${data?.['photo']}`)
    assert.notEqual(body.sha256, body.sent_sha256)
  })

  test('may be one of a list; empty inputs are ignored', async () => {
    const name = await newCollection()
    const answer = await submit(name, [
      ['photo', new File([], '')],
      ['papers', fileOf(Buffer.from('%PDF-1.7 a'), 'a.pdf')],
      ['papers', fileOf(Buffer.from('%PDF-1.7 b'), '..\\..\\b\u202e.pdf')],
      ['papers', new File([], '')],
      ['name', 'Anna'],
    ])
    assert.equal(answer.status, 201, answer.text)
    const [data] = await stored(name)
    assert.deepEqual(Object.keys(data ?? {}).toSorted(), ['name', 'papers'])
    const found = await Promise.all(data?.['papers'].map(settled))
    assert.deepEqual(
      found.map(({ filename, content_type }) => [filename, content_type]),
      [
        ['a.pdf', 'application/pdf'],
        ['b.pdf', 'application/pdf'],
      ],
    )
  })

  test('is accepted if the token precedes it among the fields', async () => {
    const name = await newCollection()
    const parts: Part[] = [
      ['name', 'Anna'],
      ['photo', fileOf(picture)],
    ]
    const inside: Part[] = [['token', site.token], ...parts]
    assert.equal((await submit(name, inside, { token: null })).status, 201)
    const late: Part[] = [...parts, ['token', site.token]]
    const answer = await submit(name, late, { token: null })
    assert.deepEqual([answer.status, slugOf(answer)], [401, 'invalid_chat_token'])
    assert.equal((await library(name)).length, 1)
  })

  test('is refused in a field that takes no files, and before parsing if the collection is closed', async () => {
    const name = await newCollection()
    const wrong = await submit(name, [['name', fileOf(picture)]])
    assert.deepEqual([wrong.status, slugOf(wrong)], [422, 'validation_failed'])
    assert.equal(wrong.body.errors[0].path, '/name')
    const closed = await newCollection({ public_write: false })
    const refused = await submit(closed, [['photo', fileOf(picture)]])
    assert.deepEqual([refused.status, slugOf(refused)], [403, 'collection_not_public'])
  })

  test('is not stored if the form is refused for another reason', async () => {
    const name = await newCollection({ unique: ['name'] })
    const photo: Part = ['photo', fileOf(await newPicture().png().toBuffer(), 'a.png')]
    for (const parts of [[photo], [photo, ['name', 'A']], [photo, ['other', 'x']]] as Part[][]) {
      const answer = await submit(name, parts)
      assert.deepEqual([answer.status, slugOf(answer)], [422, 'schema_mismatch'])
    }
    assert.deepEqual(await library(name), [])
    assert.equal((await submit(name, [['name', 'Anna'], photo])).status, 201)
    assert.equal((await submit(name, [['name', 'Anna'], photo])).status, 422)
    assert.equal((await library(name)).length, 1)
  })

  test('is not stored if the honeypot field is filled in', async () => {
    const name = await newCollection()
    const answer = await submit(name, [
      ['name', 'Anna'],
      ['hp_website', 'https://spam.example'],
      ['photo', fileOf(picture)],
    ])
    assert.equal(answer.status, 201)
    assert.deepEqual([await stored(name), await library(name)], [[], []])
  })

  test('sent as a filename only is an error of the field', async () => {
    const name = await newCollection()
    const answer = await site.send(`POST /public/collections/${name}/documents`, {
      fields: [
        ['name', 'Anna'],
        ['photo', 'photo.jpg'],
      ],
    })
    assert.deepEqual([answer.status, slugOf(answer)], [422, 'schema_mismatch'])
    assert.equal(answer.body.errors[0].path, '/photo')
  })
})

describe('limits of files in a form', () => {
  const large = Buffer.alloc(limits.form_file_bytes_max, 'a')

  test('accept the largest file, and reply 413 to a larger one, as JSON and as a page', async () => {
    const name = await newCollection()
    const parts = (bytes: Buffer): Part[] => [
      ['name', 'Anna'],
      ['photo', fileOf(bytes, 'large.txt')],
    ]
    assert.equal((await submit(name, parts(large))).status, 201)
    const larger = Buffer.concat([large, Buffer.from('a')])
    const answer = await submit(name, parts(larger))
    assert.deepEqual([answer.status, slugOf(answer)], [413, 'file_too_large'])
    assert.equal(answer.body.limit_bytes, limits.form_file_bytes_max)
    const page = await submit(name, parts(larger), { accept: BROWSER })
    assert.equal(page.status, 413)
    assert.match(page.text, /is too long/)
    assert.equal((await stored(name)).length, 1)
  })

  test('reply 400 for too many files', async () => {
    const name = await newCollection()
    const papers = Array.from({ length: limits.form_files_max + 1 }, (_, at): Part => {
      return ['papers', fileOf(Buffer.from(`paper ${at}`), 'a.txt')]
    })
    const answer = await submit(name, [['name', 'Anna'], ...papers])
    assert.deepEqual([answer.status, slugOf(answer)], [400, 'bad_request'])
    assert.match(answer.body.detail, /at most 5 files/)
    assert.deepEqual(await library(name), [])
  })

  test('reply 400 for a form that breaks off within a file, which is not stored', async () => {
    const name = await newCollection()
    const raw = [
      '--x',
      'Content-Disposition: form-data; name="photo"; filename="a.txt"',
      '',
      'words',
    ].join('\r\n')
    const type = 'multipart/form-data; boundary=x'
    const answer = await site.send(`POST /public/collections/${name}/documents`, { raw, type })
    assert.deepEqual([answer.status, slugOf(answer)], [400, 'bad_request'])
    assert.deepEqual([await stored(name), await library(name)], [[], []])
  })
})

describe('a browser', () => {
  const website = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://site')
    const collection = searchParams.get('collection') ?? ''
    const action = `${runtime.url}/api/v1/public/collections/${collection}/documents`
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(`<!doctype html><html lang="nl"><title>Foto</title>
      <script src="${runtime.url}/forms.js" defer></script>
      <form data-collection="${collection}" method="post" action="${action}"
        enctype="multipart/form-data"><input type="hidden" name="token" value="${token}">
      <p><label>Naam <input name="name"></label></p>
      <p><label>Foto <input type="file" name="photo"></label></p>
      <p><label>Stukken <input type="file" name="papers" multiple></label></p>
      <button>Verzenden</button></form></html>`)
  })
  let token = ''
  let origin = ''
  let closeWebsite = () => {}

  before(async () => {
    origin = `http://127.0.0.1:${await listen({ after: (end) => (closeWebsite = end) }, website)}`
    token = (await openSite(runtime, { allowed_origins: [origin] })).token
  })

  after(async () => {
    closeWebsite()
    await browser.close()
  })

  for (const javaScriptEnabled of [false, true]) {
    const how = javaScriptEnabled ? 'with the script' : 'without JavaScript'
    test(`sends files with a form ${how}, and shows the page of thanks`, async () => {
      const name = await newCollection()
      const context = await browser.newContext({ javaScriptEnabled, locale: 'nl-NL' })
      const page = await context.newPage()
      page.setDefaultTimeout(10_000)
      await page.goto(`${origin}/?collection=${name}`)
      await page.getByLabel('Naam').fill('Anna')
      const paper = Buffer.from('%PDF-1.7 words')
      const file = { name: 'één.jpg', mimeType: 'image/jpeg', buffer: picture }
      await page.getByLabel('Foto').setInputFiles(file)
      const papers = ['a.pdf', 'b.pdf'].map((of) => {
        return {
          name: of,
          mimeType: 'application/pdf',
          buffer: Buffer.concat([paper, Buffer.from(of)]),
        }
      })
      await page.getByLabel('Stukken').setInputFiles(papers)
      await page.getByRole('button', { name: 'Verzenden' }).click()
      await page.getByText(/Dank u wel|Bedankt, het is verzonden/).waitFor()
      await context.close()
      const [data] = await stored(name)
      assert.equal(data?.['name'], 'Anna')
      assert.deepEqual((await settled(data?.['photo'])).filename, 'één.jpg')
      assert.equal(data?.['papers'].length, 2)
      assert.equal((await library(name)).length, 3)
    })
  }
})
