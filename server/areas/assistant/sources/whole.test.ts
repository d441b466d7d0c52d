/** Tests of sites of the project and of documents as sources. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { strToU8, zipSync } from 'fflate'
import { eventually } from '../../../../test/fixtures/eventually.ts'
import { indexed } from '../../../../test/fixtures/external/website.ts'
import { pdf } from '../../../../test/fixtures/media/documents.ts'
import { mediaFixture } from '../../../../test/fixtures/media/media.ts'
import { openTestRuntime } from '../../../../test/fixtures/runtime.ts'
import { filesFromTexts, newSiteOwner } from '../../../../test/fixtures/sites/site-owner.ts'
import { readDocument } from './reading/read-document.ts'
import { joinWrappedLines } from './reading/pdf.ts'

const runtime = await openTestRuntime()
const { call } = runtime

const page = (title: string, text: string) =>
  `<!doctype html><html lang="en"><title>${title}</title><p>${text}</p></html>`

async function answer(ask: (route: string, body: unknown) => Promise<any>, message: string) {
  const { body } = await ask('POST /conversations', { message })
  return body.messages.at(-1)
}

describe('a site of the project', () => {
  test('is read from its live version, and again when another one is published', async () => {
    const owner = await newSiteOwner(runtime)
    await owner.call('PUT /assistant', { languages: ['en'] })
    const site = await owner.publish({
      'index.html': page('Bakery', 'Our rye bread is baked on stone.'),
      'team/index.html': page('Team', 'The baker of the house is Maria Jansen.'),
      'notes.txt': 'Not a page.',
    })
    const body = { kind: 'site', site_id: site.id }
    const made = await owner.call('POST /assistant/sources', body)
    assert.equal(made.status, 201, made.text)
    const { id } = made.body
    const source = await indexed(runtime, id, owner)
    assert.deepEqual([source.status, source.pages, source.chunks], ['indexed', 2, 2], source.error)
    assert.deepEqual(
      source.page_list.map(({ title }: any) => title),
      ['Bakery', 'Team'],
    )
    assert.match(source.page_list[1].url, /\/team\/$/)
    const reply = await answer(owner.call, 'Who is the baker of the house?')
    assert.match(reply.text, /Maria Jansen/)
    assert.deepEqual(
      [reply.sources[0].source_id, reply.sources[0].url],
      [id, source.page_list[1].url],
    )
    const files = filesFromTexts({
      'index.html': page('Bakery', 'Our rye bread is baked on iron.'),
    })
    const again = await owner.call(`PUT /sites/${site.id}`, { files })
    assert.equal(again.status, 200, again.text)
    runtime.passes('60 seconds')
    await eventually(async () => {
      const { body: now } = await runtime.look(`GET /assistant/sources/${id}`, owner.project_id)
      return now.pages === 1
    })
    assert.match((await answer(owner.call, 'How is the rye bread baked?')).text, /on iron/)
  })

  test('fails with a reason for the team after the site is deleted', async () => {
    const owner = await newSiteOwner(runtime)
    await owner.call('PUT /assistant', { languages: ['en'] })
    const site = await owner.publish({ 'index.html': page('A', 'The mill turns on Sundays.') })
    const made = await owner.call('POST /assistant/sources', { kind: 'site', site_id: site.id })
    await indexed(runtime, made.body.id, owner)
    const deleted = await owner.call(`DELETE /sites/${site.id}`)
    assert.equal(deleted.status, 204, deleted.text)
    runtime.passes('60 seconds')
    const source = await eventually(async () => {
      const route = `GET /assistant/sources/${made.body.id}`
      const { body } = await runtime.look(route, owner.project_id)
      return body.status === 'failed' && body
    })
    assert.deepEqual([source.error, source.chunks], ['The site was deleted.', 0])
  })
})

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'
const relationships = 'http://schemas.openxmlformats.org/package/2006/relationships'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** A DOCX with these paragraphs. */
function docx(paragraphs: readonly string[], level: 0 | 9 = 9): Uint8Array {
  const body = paragraphs.map((text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`).join('')
  return zipSync(
    {
      '[Content_Types].xml': strToU8(
        `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="${DOCX}.main+xml"/></Types>`,
      ),
      '_rels/.rels': strToU8(
        `<Relationships xmlns="${relationships}"><Relationship Id="r1" Type="${office}/officeDocument" Target="word/document.xml"/></Relationships>`,
      ),
      'word/document.xml': strToU8(
        `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
      ),
    },
    { level },
  )
}

describe('a document of the media library', () => {
  const media = mediaFixture(runtime)
  const ask = (route: string, body: unknown) => call(route, { body })

  test('is read if it is a DOCX or a PDF', async () => {
    await call('PUT /assistant', { body: { languages: ['en'] } })
    for (const [bytes, filename, content_type, question, found] of [
      [
        docx(['Allergens', 'The walnut cake contains nuts and milk.']),
        'allergens.docx',
        DOCX,
        'What does the walnut cake contain?',
        /nuts and milk/,
      ],
      [
        pdf(['Our terms.', 'Deposits are returned within fourteen days.']),
        'terms.pdf',
        'application/pdf',
        'When are deposits returned?',
        /fourteen days/,
      ],
    ] as const) {
      const file = await media.ready(bytes, { filename, content_type })
      const made = await ask('POST /assistant/sources', { kind: 'media', media_id: file.id })
      assert.equal(made.status, 201, made.text)
      const source = await indexed(runtime, made.body.id)
      assert.deepEqual([source.status, source.title], ['indexed', filename], source.error)
      const reply = await answer(ask, question)
      assert.match(reply.text, found)
      assert.equal(reply.sources[0].source_id, made.body.id)
      const again = await ask('POST /assistant/sources', { kind: 'media', media_id: file.id })
      assert.equal(again.status, 409)
    }
  })

  test('is refused if it is of another type', async () => {
    const file = await media.ready(Buffer.from('a text'), {
      filename: 'a.txt',
      content_type: 'text/plain',
    })
    const { status, body } = await ask('POST /assistant/sources', {
      kind: 'media',
      media_id: file.id,
    })
    assert.deepEqual([status, body.errors[0].path], [422, '/media_id'])
  })

  test('is forgotten after the file is deleted', async () => {
    const bytes = docx(['The attic is rented to a painter.'])
    const file = await media.ready(bytes, { filename: 'attic.docx', content_type: DOCX })
    const made = await ask('POST /assistant/sources', { kind: 'media', media_id: file.id })
    await indexed(runtime, made.body.id)
    assert.equal((await call(`DELETE /media/${file.id}`)).status, 204)
    runtime.passes('60 seconds')
    const source = await eventually(async () => {
      const { body } = await runtime.look(`GET /assistant/sources/${made.body.id}`)
      return body.status === 'failed' && body
    })
    assert.match(source.error, /deleted/)
    assert.equal(source.chunks, 0)
  })
})

describe('the text of a document', () => {
  const read = (bytes: Uint8Array, content_type: string) =>
    readDocument('a project', { bytes, content_type })

  test('is refused with a reason for the team if the file is damaged', async () => {
    for (const type of ['application/pdf', DOCX]) {
      const result = await read(Buffer.from('%PDF-1.7 nothing else'), type)
      assert.deepEqual(result, {
        fault: 'It cannot be read: it is damaged, or made to be unreadable.',
      })
    }
    assert.match(JSON.stringify(await read(Buffer.from(''), 'text/plain')), /not a PDF or DOCX/)
  })

  test('is refused if a part of a DOCX unpacks to more than the limit', async () => {
    const bytes = docx(['x'.repeat(40 * 1_048_576)])
    assert.ok(bytes.length < 1_048_576)
    assert.deepEqual(await read(bytes, DOCX), {
      fault: 'Its text is too large when it is unpacked.',
    })
  })

  test('is refused if elements are nested too deeply', async () => {
    const deep = `${'<w:smartTag>'.repeat(200_000)}${'</w:smartTag>'.repeat(200_000)}`
    const bytes = docx([`a</w:t></w:r>${deep}<w:r><w:t>`])
    assert.ok('fault' in (await read(bytes, DOCX)))
  })

  test('is refused if pages of a PDF refer to themselves', async () => {
    const loop = Buffer.from(pdf(['a']))
      .toString('latin1')
      .replace('/Kids [4 0 R]', '/Kids [2 0 R]')
    assert.ok('fault' in (await read(Buffer.from(loop, 'latin1'), 'application/pdf')))
  })

  test('joins the lines of a paragraph and divided words', () => {
    const long = 'The bakery at the corner of the old market sells'
    assert.equal(
      joinWrappedLines(`${long}\nrye bread.\nClosed on Mon-\nday`),
      `${long} rye bread.\nClosed on Monday`,
    )
  })
})
