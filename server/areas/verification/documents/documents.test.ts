/** Tests of documents: what is accepted, who reads it, encryption and deletion. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { newOperator } from '../../../../test/fixtures/portal/operator.ts'
import type { Session } from '../../../../test/fixtures/portal/sessions.ts'
import { openTestRuntime, type Answer } from '../../../../test/fixtures/runtime.ts'
import { newScan, verificationFixture } from '../../../../test/fixtures/verification/owners.ts'
import { pdf } from '../../../../test/fixtures/verification/pdf.ts'
import { limits } from '../../../contract/limits.ts'
import { sweepEvidence } from './sweep.ts'

const fixture = await openTestRuntime({ work: false })
const { runtime } = fixture
const { newOwner, withCompany, put } = verificationFixture(fixture)
const operators = await newOperator(fixture)
const slugOf = ({ status, body }: Answer) => [status, String(body.type).split('/').at(-1)]

const download = (session: Session, id: string) => {
  const cookie = [...session.visitor.cookies].map((pair) => pair.join('=')).join('; ')
  return fetch(`${fixture.url}/portal/api/v1/operator/verification-documents/${id}`, {
    headers: { cookie },
  })
}
const blobsOf = (project_id: string) => Array.fromAsync(runtime.blobs.list(`${project_id}/`))

describe('a document', () => {
  test('is accepted as PDF, JPEG, PNG and WebP by its content', async () => {
    const owner = await newOwner()
    const files = [
      [pdf, 'application/pdf'],
      [await newScan().jpeg().toBuffer(), 'image/jpeg'],
      [await newScan().png().toBuffer(), 'image/png'],
      [await newScan().webp().toBuffer(), 'image/webp'],
    ] as const
    for (const [bytes, content_type] of files) {
      const answer = await owner.upload('identity', bytes, 'photo.txt')
      assert.equal(answer.status, 200, answer.text)
      assert.equal(answer.body.content_type, content_type)
    }
    const { body } = await owner.call('GET /')
    assert.equal(body.documents.length, 1, 'a new document replaces the one before')
    const level = await owner.levelOf('number_documents')
    assert.ok(!level.missing.includes('document.identity'))
    assert.equal(level.status, 'not_started')
  })

  test('with its pages in a compressed object stream is accepted', async () => {
    const inner = deflateSync(Buffer.from('3 0 <</Type/Page/Parent 2 0 R>>'))
    const bytes = Buffer.concat([
      Buffer.from(
        '%PDF-1.5\n4 0 obj<</Type/ObjStm/N 1/First 4/Filter/FlateDecode' +
          `/Length ${inner.length}>>stream\n`,
      ),
      inner,
      Buffer.from('\nendstream endobj\n%%EOF'),
    ])
    const answer = await (await newOwner()).upload('identity', bytes)
    assert.equal(answer.status, 200, answer.text)
  })

  const decoy = deflateSync(Buffer.from('1')).toString('latin1')
  const bomb = deflateSync(Buffer.alloc(60 * 1_048_576))
  const noDocuments: [name: string, bytes: () => Promise<Buffer> | Buffer][] = [
    ['an empty file', () => Buffer.alloc(0)],
    ['a program named .pdf', () => Buffer.concat([Buffer.from('MZ'), Buffer.alloc(600, 0x90)])],
    ['a page of HTML', () => Buffer.from('<!doctype html><script>alert(1)</script>')],
    ['an SVG', () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>')],
    ['a text', () => Buffer.from('I am who I say.')],
    ['a ZIP file', () => Buffer.from('504b0506' + '00'.repeat(18), 'hex')],
    ['a GIF', () => newScan().gif().toBuffer()],
    ['a picture that is cut off', async () => (await newScan().jpeg().toBuffer()).subarray(0, 300)],
    ['a picture of a few pixels', () => newScan(20, 20).png().toBuffer()],
    ['a PDF without pages', () => Buffer.from(pdf.toString('latin1').replace(/3 0 obj.*\n/, ''))],
    ['a PDF that is cut off', () => pdf.subarray(0, 120)],
    ['a PDF behind a program', () => Buffer.concat([Buffer.from('#!/bin/sh\n'), pdf])],
    ['a PDF followed by a ZIP', () => Buffer.concat([pdf, Buffer.alloc(4096, 0x50)])],
    ['a PDF with a script', () => inPdf('/OpenAction<</S/JavaScript/JS(app.alert(1))>>')],
    ['a PDF with a form with scripts', () => inPdf('/AcroForm<</XFA 5 0 R>>')],
    ['a PDF with a hidden object stream', () => inPdf('/X<</Type/Obj#53tm>>')],
    [
      'a PDF with an object stream that cannot be read',
      () => inPdf('/X<</Type/ObjStm>>stream\nnothing\nendstream'),
    ],
    ['a PDF with a hidden script', () => inPdf('/OpenAction<</S/J#61vaScript>>')],
    ['a PDF with a password', () => inPdf('/Encrypt 9 0 R')],
    [
      'a PDF with a script in a stream that is compressed twice',
      () => inStream('/Type/ObjStm', '/Filter[/FlateDecode/FlateDecode]', deflateSync),
    ],
    [
      'a PDF with a script in a stream with a predictor',
      () => inStream('/Type/ObjStm', '/Filter/FlateDecode/DecodeParms<</Predictor 12>>'),
    ],
    [
      'a PDF with a script in a stream behind a decoy',
      () => inStream(`/Type/ObjStm/X(stream\n${decoy}endstream)`, '/Filter/FlateDecode'),
    ],
    ['a PDF with a script in a stream without a type', () => inStream('', '/Filter/FlateDecode')],
    [
      'a PDF whose stream expands without end',
      () =>
        Buffer.concat([
          Buffer.from('%PDF-1.5\n4 0 obj<</Type/ObjStm/Filter/FlateDecode>>stream\n'),
          bomb,
          Buffer.from('\nendstream endobj\n/Type /Page\n%%EOF'),
        ]),
    ],
  ]
  for (const [name, make] of noDocuments) {
    test(`is not ${name}`, async () => {
      const owner = await newOwner()
      const answer = await owner.upload('identity', await make(), 'passport.pdf')
      assert.deepEqual(slugOf(answer), [422, 'validation_failed'], answer.text)
      assert.ok(answer.body.user_message.length > 10)
      assert.deepEqual((await owner.call('GET /')).body.documents, [])
      assert.deepEqual(await blobsOf(owner.project_id), [])
    })
  }

  test('over 10 MB is refused when announced and when sent', async () => {
    const owner = await newOwner()
    const max = limits.verification_document_bytes_max
    const body = { kind: 'identity', filename: 'a.pdf', bytes: max + 1 }
    const announced = await owner.call('POST /documents', body)
    assert.deepEqual(slugOf(announced), [413, 'file_too_large'])
    const sent = await owner.upload('identity', Buffer.alloc(1))
    assert.equal(sent.status, 422)
    const link = await owner.call('POST /documents', { ...body, bytes: 10 })
    assert.deepEqual(slugOf(await put(link.body.url, Buffer.alloc(max + 1))), [
      413,
      'file_too_large',
    ])
  })

  test('loses the camera metadata of a picture', async () => {
    const owner = await newOwner()
    const photo = await newScan()
      .withExif({ IFD0: { Copyright: 'secret-place' } })
      .jpeg()
      .toBuffer()
    const { body } = await owner.upload('identity', photo)
    const session = await operators.fresh()
    const bytes = Buffer.from(await (await download(session, body.id)).arrayBuffer())
    assert.ok(!bytes.toString('latin1').includes('secret-place'))
  })
})

describe('an upload link', () => {
  test('works once, and for fifteen minutes', async () => {
    const owner = await newOwner()
    const announce = () =>
      owner.call('POST /documents', { kind: 'identity', filename: 'a.pdf', bytes: pdf.length })
    const { body } = await announce()
    assert.equal((await put(body.url, pdf)).status, 200)
    assert.equal((await put(body.url, pdf)).status, 404)
    const late = await announce()
    fixture.passes('16 minutes')
    assert.equal((await put(late.body.url, pdf)).status, 404)
    assert.equal((await put(`${late.body.url}x`, pdf)).status, 404)
  })

  test('accepts one of several uploads at once, whose bytes the operator can read', async () => {
    const owner = await newOwner()
    const { body } = await owner.call('POST /documents', {
      kind: 'identity',
      filename: 'a.pdf',
      bytes: pdf.length,
    })
    const answers = await Promise.all(Array.from({ length: 5 }, () => put(body.url, pdf)))
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 404, 404, 404, 404],
    )
    const answer = await download(await operators.fresh(), body.id)
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), pdf)
  })

  test('is useless after a change of the account type', async () => {
    const owner = await withCompany()
    const { body } = await owner.call('POST /documents', {
      kind: 'identity',
      filename: 'a.pdf',
      bytes: pdf.length,
    })
    await switchType(owner, 'personal')
    assert.deepEqual(slugOf(await put(body.url, pdf)), [409, 'conflict'])
    assert.deepEqual(await blobsOf(owner.project_id), [])
  })
})

describe('a stored document', () => {
  test('is encrypted, and downloaded by operators only, as the audit log records', async () => {
    const owner = await newOwner()
    const { body } = await owner.upload('identity', pdf, 'pass<b>port.exe')
    const [blob] = await blobsOf(owner.project_id)
    assert.ok(blob)
    const stored = await runtime.blobs.read(blob.key)
    assert.ok(!stored.includes('PDF') && !stored.includes('Catalog'))
    assert.equal((await download(owner.session, body.id)).status, 404)
    const session = await operators.fresh()
    const answer = await download(session, body.id)
    assert.equal(answer.status, 200)
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), pdf)
    const { headers } = answer
    assert.equal(headers.get('content-disposition'), 'attachment; filename="pass_b_port.pdf"')
    assert.equal(headers.get('content-type'), 'application/octet-stream')
    assert.match(headers.get('content-security-policy') ?? '', /^sandbox/)
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    const { body: acts } = await session.call('GET /operator/acts?limit=1')
    const [act] = acts.data
    assert.deepEqual(
      [act.operation, act.operator, act.project_id, act.address, act.input],
      [
        'verification.open_document',
        session.email,
        owner.project_id,
        '127.0.0.1',
        { id: body.id, filename: 'pass<b>port.exe' },
      ],
    )
    fixture.passes('16 minutes')
    assert.equal((await download(session, body.id)).status, 403)
    const later = await operators.fresh()
    assert.equal((await download(later, crypto.randomUUID())).status, 404)
  })

  test('cannot be deleted by another project', async () => {
    const [owner, stranger] = [await newOwner(), await newOwner()]
    const { body } = await owner.upload('identity', pdf)
    assert.deepEqual(slugOf(await stranger.call(`DELETE /documents/${body.id}`)), [
      404,
      'not_found',
    ])
    const removed = await owner.call(`DELETE /documents/${body.id}`)
    assert.equal(removed.status, 200)
    assert.ok((await owner.levelOf('number_documents')).missing.includes('document.identity'))
    await sweepEvidence.run(runtime)
    assert.deepEqual(await blobsOf(owner.project_id), [])
  })

  test('is deleted with its declaration after a change of the account type', async () => {
    const owner = await withCompany()
    await owner.upload('identity', pdf)
    await owner.upload('director_identity', pdf)
    const person = { name: 'Anna de Vries', birth_date: '1984-05-17' }
    const body = { director: person, owners: [], signature: 'anna  de vries' }
    assert.equal((await owner.call('PUT /declaration', body)).status, 200)
    await switchType(owner, 'personal')
    const { body: after } = await owner.call('GET /')
    assert.deepEqual([after.documents, after.declared_at], [[], null])
    await sweepEvidence.run(runtime)
    assert.deepEqual(await blobsOf(owner.project_id), [])
    for (const table of ['verification_documents', 'verification_declarations'] as const) {
      const rows = await runtime.db
        .selectFrom(table)
        .select('project_id')
        .where('project_id', '=', owner.project_id)
        .execute()
      assert.deepEqual(rows, [])
    }
  })

  test('that was never sent for review is deleted after 90 days', async () => {
    const owner = await newOwner()
    await owner.upload('identity', pdf)
    fixture.passes('89 days')
    await sweepEvidence.run(runtime)
    assert.equal((await blobsOf(owner.project_id)).length, 1)
    fixture.passes('2 days')
    await sweepEvidence.run(runtime)
    assert.deepEqual(await blobsOf(owner.project_id), [])
  })
})

describe('a declaration', () => {
  const anna = { name: 'Anna de Vries', birth_date: '1984-05-17' }
  const wrong: [name: string, body: object][] = [
    ['another signature', { director: anna, owners: [], signature: 'Bob' }],
    ['a date that does not exist', declared({ birth_date: '1984-02-30' })],
    ['a child', declared({ birth_date: '2015-01-01' })],
    ['shares over 100 percent', { ...declared({}), owners: [owning(60), owning(50)] }],
    ['a share of nothing', { ...declared({}), owners: [owning(0)] }],
  ]
  function declared(change: object) {
    return { director: { ...anna, ...change }, owners: [], signature: 'Anna de Vries' }
  }
  function owning(share_percent: number) {
    return { ...anna, share_percent }
  }
  for (const [name, body] of wrong) {
    test(`with ${name} is refused`, async () => {
      const answer = await (await newOwner()).call('PUT /declaration', body)
      assert.deepEqual(slugOf(answer), [422, 'validation_failed'], answer.text)
    })
  }
  test('is stored encrypted', async () => {
    const owner = await newOwner()
    const saved = await owner.call('PUT /declaration', { ...declared({}), owners: [owning(60)] })
    assert.equal(saved.status, 200, saved.text)
    assert.ok(!(await owner.levelOf('full')).missing.includes('ubo_confirmation'))
    const row = await runtime.db
      .selectFrom('verification_declarations')
      .selectAll()
      .where('project_id', '=', owner.project_id)
      .executeTakeFirstOrThrow()
    assert.ok(!row.sealed_content.toString('latin1').includes('Anna'))
  })
})

/** A PDF with a script in an object stream. */
function inStream(
  type: string,
  filter: string,
  encode: (bytes: Buffer) => Buffer = (bytes) => bytes,
): Buffer {
  const inner = encode(deflateSync(Buffer.from('8 0 <</S/JavaScript/JS(app.alert(1))>>')))
  const object = `7 0 obj<<${type}/N 1/First 4${filter}/Length ${inner.length}>>stream\n`
  const text = pdf.toString('latin1')
  const at = text.indexOf('3 0 obj')
  const all = `${text.slice(0, at)}${object}${inner.toString('latin1')}\nendstream endobj\n`
  return Buffer.from(all + text.slice(at), 'latin1')
}

function inPdf(entry: string): Buffer {
  return Buffer.from(pdf.toString('latin1').replace('/Type/Catalog', `/Type/Catalog${entry}`))
}

async function switchType(
  { session, project_id }: Awaited<ReturnType<typeof newOwner>>,
  account_type: string,
) {
  const { body } = await session.call(`GET /projects/${project_id}/project/company`)
  const { address, contact } = body
  const changed = await session.call(`PUT /projects/${project_id}/project/company`, {
    body: { account_type, address, contact },
  })
  assert.equal(changed.status, 200, changed.text)
}
