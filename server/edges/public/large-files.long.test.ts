/** The largest files, forms and exports are answered; prints how long they block the event loop. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { strToU8, zipSync } from 'fflate'
import { limits } from '../../contract/limits.ts'
import {
  reportBusy,
  startProbedServer,
  type ProbedServer,
} from '../../../test/fixtures/processes/probed-server.ts'
import { newAddress, ORIGIN } from '../../../test/fixtures/sites/site.ts'

const server = await startProbedServer()
const authorization = `Bearer ${server.key}`

async function call(method: string, path: string, body?: object): Promise<any> {
  const answer = await fetch(`${server.url}/api/v1${path}`, {
    method,
    headers: { authorization, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text.slice(0, 500)}`)
  return text === '' ? null : JSON.parse(text)
}

let site: Promise<{ id: string }> | null = null

/** Returns the id of one site for all deploys, because the number of sites is limited. */
async function siteId(): Promise<string> {
  const files = [{ path: 'index.html', content: 'x' }]
  site ??= call('POST', '/sites', { files, slug: 'large-pages', visibility: 'unlisted' })
  return (await site).id
}

function filled(bytes: number, piece: (at: number) => string, between = ''): string {
  const pieces: string[] = []
  for (let at = 0, length = 0; length < bytes; at += 1) {
    const one = piece(at) + between
    pieces.push(one)
    length += one.length
  }
  return pieces.join('')
}

const types = {
  ndjson: 'application/x-ndjson',
  csv: 'text/csv',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const

const properties = { n: { type: 'number' }, day: { type: 'string', format: 'date' } }
const open = { type: 'object', properties }

/** Validates a file with a dry run, then imports it. Returns the last reply. */
// oxlint-disable-next-line max-params -- test helper
async function importFile(
  type: keyof typeof types,
  file: string | Uint8Array,
  schema: object = open,
  ...queries: string[]
): Promise<{ status: number; body: any }> {
  let last = { status: 0, body: {} as any }
  for (const query of queries.length > 0 ? queries : ['?dry_run=true', '']) {
    const name = `c${crypto.randomUUID().slice(0, 8)}`
    await call('POST', '/collections', { name, schema })
    await reportBusy(server, `${type}${query}, ${file.length}`, async () => {
      const answer = await fetch(
        `${server.url}/api/v1/collections/${name}/documents/import${query}`,
        {
          method: 'POST',
          headers: { authorization, 'content-type': types[type] },
          body: file,
        },
      )
      const text = await answer.text()
      assert.ok(answer.status < 500, `${answer.status} ${text.slice(0, 300)}`)
      last = { status: answer.status, body: JSON.parse(text) }
    })
    await call('DELETE', `/collections/${name}?confirm=${name}`).catch(() => null)
  }
  return last
}

const lines: Record<string, () => string> = {
  'short lines': () => filled(400_000, (at) => `{"n":${at}}\n`),
  'lines of many fields': () => {
    const fields = filled(60_000, (at) => `"f${at}":1,`).slice(0, -1)
    return `{${fields}}\n`.repeat(100)
  },
  'a line of many values': () => `{"a":[${'1,'.repeat(520_000)}1]}\n`.repeat(3),
  'a line of many objects': () => `{"a":[${'{"b":1},'.repeat(130_000)}1]}\n`.repeat(3),
  'line breaks alone': () => '\n'.repeat(19_000_000),
  'a line without end': () => `{"a":"${'x'.repeat(8_000_000)}`,
}

const tables: Record<string, () => string> = {
  'short rows of doubtful numbers': () => `n,day\n${filled(300_000, () => '"1,234",01/02/2024\n')}`,
  'rows of many columns': () => {
    const head = Array.from({ length: 2_000 }, (_, at) => `c${at}`).join(',')
    return `${head}\n${`${'1,'.repeat(1_999)}1\n`.repeat(500)}`
  },
  'doubtful rows of many columns': () => {
    const head = Array.from({ length: 1_999 }, (_, at) => `c${at}`).join(',')
    return `${head},n\n${`${'1,'.repeat(1_999)}"1,234"\n`.repeat(500)}`
  },
  'rows of nothing': () => `n\n${`${','.repeat(1_999)}\n`.repeat(1_000)}`,
  'a heading without end': () => `"${'x'.repeat(1_000_000)}"\n1\n`,
  'a heading of quotes': () => `"${'""'.repeat(500_000)}"\n1\n`,
  'a cell without end': () => `n\n"${'x'.repeat(3_000_000)}`,
  'a heading of a megabyte': () => `${'x'.repeat(1_000_000)}\n1\n`,
  'long headings': () => {
    const head = Array.from({ length: 2_000 }, (_, at) => `${'é'.repeat(250)}${at}`)
    return `${head.join(',')}\n1\n`
  },
  'line breaks alone': () => `name\n${'\n'.repeat(19_000_000)}`,
  'a cell of many objects': () => `name\n${`"[${'{},'.repeat(330_000)}1]"\n`.repeat(4)}`,
  'other fields of many objects': () => {
    const fields = filled(400_000, (at) => `""f${at}"":{},`).slice(0, -1)
    return `_more\n"{${fields}}"\n`
  },
  'a number with blanks in it': () => `n\n1${' '.repeat(60_000)}1\n`,
  'digits that are no number': () => `n\n${'1'.repeat(60_000)}x\n`,
}

// oxlint-disable-next-line max-params -- test helper
function workbook(
  rows: string,
  strings = '',
  others: Readonly<Record<string, string>> = {},
  level: 0 | 6 = 6,
): Uint8Array {
  const parts = {
    '[Content_Types].xml': '<Types/>',
    '_rels/.rels':
      '<Relationships><Relationship Id="r" Type="x/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    'xl/workbook.xml': '<workbook><sheets><sheet name="a" r:id="s"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="s" Type="x/worksheet" Target="sheet.xml"/>' +
      '<Relationship Id="u" Type="x/styles" Target="styles.xml"/>' +
      '<Relationship Id="t" Type="x/sharedStrings" Target="strings.xml"/></Relationships>',
    'xl/sheet.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    'xl/strings.xml': `<sst>${strings}</sst>`,
    'xl/styles.xml': '<styleSheet/>',
    ...others,
  }
  const files = Object.entries(parts).map(([path, text]) => [path, strToU8(text)])
  return zipSync(Object.fromEntries(files), { level })
}

const rowOf = (cells: readonly string[]) =>
  `<row>${cells.map((one) => `<c t="str"><v>${one}</v></c>`).join('')}</row>`

const row_n = rowOf(['n']) + rowOf(['1'])

const styled = (sign: string) =>
  `<styleSheet><numFmts>${`<numFmt numFmtId="200" formatCode="${sign.repeat(100_000)}"/>`}` +
  '</numFmts><cellXfs><xf numFmtId="200"/></cellXfs></styleSheet>'

const workbooks: Record<string, () => Uint8Array> = {
  'short rows of doubtful numbers': () =>
    workbook(rowOf(['n', 'day']) + rowOf(['1,234', '01/02/2024']).repeat(15_000)),
  'rows of many columns': () =>
    workbook(
      rowOf(Array.from({ length: 2_000 }, (_, at) => `c${at}`)) +
        rowOf(Array.from({ length: 2_000 }, () => '1')).repeat(300),
    ),
  'many shared texts': () =>
    workbook(rowOf(['n']) + rowOf(['1']), '<si><t>x</t></si>'.repeat(400_000)),
  'markup without end': () => workbook(`${rowOf(['n'])}<c ${'x'.repeat(8_000_000)}`),
  'a text without end': () =>
    workbook(`${rowOf(['n'])}<row><c t="str"><v>${'x'.repeat(8_000_000)}`),
  'end tags without elements, then open elements': () =>
    workbook(row_n, '', {
      'xl/strings.xml': `<sst>${'</a>'.repeat(1e6)}${'<b>'.repeat(1e6)}<si><t>${'x<a/>'.repeat(20_000)}`,
    }),
  'a number format of open brackets': () => workbook(row_n, '', { 'xl/styles.xml': styled('[') }),
  'a number format of open quotes': () =>
    workbook(row_n, '', { 'xl/styles.xml': styled('&quot;') }),
  'many elements in its small parts': () =>
    workbook(row_n, '', {
      'xl/workbook.xml': `<workbook><sheets><sheet name="a" r:id="s"/></sheets>${'<a/>'.repeat(1_000_000)}</workbook>`,
      'xl/styles.xml': `<styleSheet>${'<a/>'.repeat(1_000_000)}</styleSheet>`,
    }),
  'many relations': () =>
    workbook(row_n, '', {
      'xl/_rels/workbook.xml.rels': `<Relationships>${'<Relationship/>'.repeat(270_000)}</Relationships>`,
    }),
  'many formats': () =>
    workbook(row_n, '', {
      'xl/styles.xml': `<styleSheet><cellXfs>${'<xf/>'.repeat(800_000)}</cellXfs></styleSheet>`,
    }),
  'an element of many attributes': () =>
    workbook(row_n, '', { 'xl/strings.xml': `<sst${' a=""'.repeat(100_000)}/>` }),
  'parts that are not packed': () => workbook(row_n, '<si/>'.repeat(900_000), {}, 0),
}

/** Small archives that expand beyond the limit, with the expected refusal. */
const refusals: Record<string, [file: () => Uint8Array, detail: RegExp]> = {
  'one shared text of 40 MB with an escape, used by 200 cells': [
    () => sharing(`<si>${`<t>_x0041_${'x'.repeat(500_000)}</t>`.repeat(80)}</si>`, 200, 1),
    /A text is longer than the 32767 characters of a cell/,
  ],
  'one shared text of 10 MB, used by three rows of 100 cells': [
    () => sharing(`<si>${`<t>${'x'.repeat(500_000)}</t>`.repeat(20)}</si>`, 100, 3),
    /A text is longer than the 32767 characters of a cell/,
  ],
  'a shared text used by 200 cells of a row': [
    () => sharing(`<si><t>${'x'.repeat(32_767)}</t></si>`, 200, 1),
    /Line 2: A row is longer than 1048576 characters/,
  ],
  'a text in a cell that is too long': [
    () => workbook(`${rowOf(['n'])}${rowOf(['x'.repeat(32_768)])}`),
    /A text is longer than the 32767 characters of a cell/,
  ],
  'many long texts in cells of a row': [
    () => workbook(`${rowOf(['n'])}${rowOf(Array(100).fill('x'.repeat(32_767)))}`),
    /Line 2: A row is longer than 1048576 characters/,
  ],
  'rows that share texts and have 60 MB of them': [
    () => sharing(`<si><t>${'x'.repeat(30_000)}</t></si>`, 10, 200),
    /The workbook has too much text/,
  ],
  'an end tag of another element': [
    () => workbook('<row></c>'),
    /It has an end tag without its element/,
  ],
}

function sharing(strings: string, columns: number, count: number): Uint8Array {
  const head = rowOf(Array.from({ length: columns }, (_, at) => `c${at}`))
  const row = `<row>${'<c t="s"><v>0</v></c>'.repeat(columns)}</row>`
  return workbook(head + row.repeat(count), strings)
}

describe('an answer comes', () => {
  for (const [what, make] of Object.entries(lines))
    test(`during an import of NDJSON: ${what}`, async () =>
      void (await importFile('ndjson', make())))
  for (const [what, make] of Object.entries(tables))
    test(`during an import of CSV: ${what}`, async () => void (await importFile('csv', make())))
  for (const [what, make] of Object.entries(workbooks))
    test(`during an import of a workbook: ${what}`, async () =>
      void (await importFile('xlsx', make())))

  for (const [what, [make, detail]] of Object.entries(refusals))
    test(`during the refusal of a workbook: ${what}`, async () => {
      const { status, body } = await importFile('xlsx', make(), open, '?atomic=true')
      assert.deepEqual([status, body.type?.split('/').at(-1)], [422, 'validation_failed'])
      assert.match(body.detail, detail)
    })

  test('during an import of CSV into a schema with many fields', async () => {
    const names = (what: string) => Array.from({ length: 1_999 }, (_, at) => `${what}_${at}`)
    const number = { type: 'number', maximum: 0 }
    const few = names('customer_telephone_number').slice(0, 498)
    const schema = {
      type: 'object',
      properties: Object.fromEntries(few.map((name) => [name, number])),
    }
    const head = names('customer_telehpone_numbers').join(',')
    await importFile('csv', `${head}\n${`${'1,'.repeat(1_998)}1\n`.repeat(50)}`, schema)
    await importFile('csv', `${few.join(',')}\n${`${'1,'.repeat(497)}1\n`.repeat(200)}`, schema)
    const open_fault = { type: 'object', additionalProperties: { type: 'string', minLength: 3 } }
    await importFile('csv', `${head}\n${`${'1,'.repeat(1_998)}1\n`.repeat(50)}`, open_fault)
    const wide = Array.from({ length: 2_000 }, (_, at) => `c${at}`)
    const last = Object.fromEntries(wide.slice(-400).map((name) => [name, number]))
    const row = `${'1,'.repeat(1_999)}1\n`
    await importFile('csv', `${wide.join(',')}\n${row.repeat(200)}`, {
      type: 'object',
      properties: last,
    })
  })

  const documents: Record<string, () => string> = {
    'small documents': () => filled(60_000, (at) => `{"n":${at}}\n`),
    'large documents': () => `{"text":"${'x'.repeat(65_000)}"}\n`.repeat(64),
    'documents of many fields': () =>
      `{${filled(10_000, (at) => `"f${at}":1,`).slice(0, -1)}}\n`.repeat(300),
    'documents of many values': () => `{"a":[${'1,'.repeat(30_000)}1]}\n`.repeat(64),
  }
  for (const [what, make] of Object.entries(documents))
    test(`during an export of ${what}`, async () => {
      const name = `e${crypto.randomUUID().slice(0, 8)}`
      await call('POST', '/collections', { name, schema: open })
      const path = `/api/v1/collections/${name}/documents`
      const filling = await fetch(`${server.url}${path}/import`, {
        method: 'POST',
        headers: { authorization, 'content-type': types.ndjson },
        body: make(),
      })
      const report: any = await filling.json()
      assert.ok(report.inserted > 50, JSON.stringify(report).slice(0, 300))
      for (const format of Object.keys(types))
        await reportBusy(server, `${what} as ${format}`, async () => {
          const answer = await fetch(`${server.url}${path}/export?format=${format}`, {
            headers: { authorization },
          })
          await answer.arrayBuffer()
          assert.equal(answer.status, 200)
        })
    })

  test('during a form submission', async () => {
    const schema = {
      type: 'object',
      properties: { amount: { type: 'number' } },
      additionalProperties: { type: 'string' },
    }
    await call('POST', '/collections', { name: 'form', schema, public_write: true })
    const { token } = await call('POST', '/chat-tokens', { name: 'a', allowed_origins: [ORIGIN] })
    const size = limits.form_bytes_max - 1_000
    const part = (name: string, value: string) =>
      `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
    const json = 'application/json'
    const urlencoded = 'application/x-www-form-urlencoded'
    const multipart = 'multipart/form-data; boundary=b'
    const bodies: [what: string, type: string, body: string][] = [
      ['a wide object', json, `{${filled(size, (at) => `"f${at}":"",`)}"z":""}`],
      ['a list', json, `{"a":[${'1,'.repeat(size / 2)}1]}`],
      ['a long text', json, `{"a":"${'x'.repeat(size)}"}`],
      ['many fields', urlencoded, filled(size, (at) => `f${at}=1&`)],
      ['empty fields', urlencoded, '&='.repeat(size / 2)],
      ['escapes', urlencoded, `a=${'%41'.repeat(size / 3)}`],
      ['digits that are no number', urlencoded, `amount=${'1'.repeat(size - 20)}x`],
      ['percent signs', urlencoded, `a=${'%'.repeat(size)}`],
      ['200 long fields', urlencoded, filled(size, (at) => `f${at}=${'x'.repeat(1_300)}&`)],
      ['many parts', multipart, filled(size, (at) => part(`f${at}`, ''))],
      [
        '200 long parts',
        multipart,
        filled(size, (at) => part(`f${at}`, 'x'.repeat(1_250))) + '--b--',
      ],
      ['half a boundary', multipart, part('a', '\r\n--'.repeat(size / 4)) + '--b--'],
      ['line ends', multipart, part('a', '\r'.repeat(size)) + '--b--'],
      ['headers', multipart, `--b\r\n${'X: 1\r\n'.repeat(size / 6)}`],
    ]
    for (const [what, type, body] of bodies)
      await reportBusy(server, `${what}, ${type}`, async () => {
        const answer = await fetch(`${server.url}/api/v1/public/collections/form/documents`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${token}`,
            origin: ORIGIN,
            'content-type': type,
            'x-forwarded-for': newAddress(),
          },
          body,
        })
        await answer.text()
        assert.ok(answer.status < 500, String(answer.status))
      })
  })

  test('during a form with numbers in text form', async () => {
    const schema = { type: 'object', properties: { age: { type: 'number' } } }
    await call('POST', '/collections', { name: 'ages', schema, public_write: true })
    const { token } = await call('POST', '/chat-tokens', { name: 'b', allowed_origins: [ORIGIN] })
    const digits = '1'.repeat(63_000)
    const numbers = [
      '1'.repeat(250_000) + 'x',
      digits,
      `${digits}x`,
      `1.${digits}x`,
      `1e${digits}x`,
    ]
    for (const age of numbers)
      await reportBusy(server, `${age.slice(0, 3)}, ${age.length}`, async () => {
        const answer = await fetch(`${server.url}/api/v1/public/collections/ages/documents`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${token}`,
            origin: ORIGIN,
            'content-type': 'application/x-www-form-urlencoded',
            'x-forwarded-for': newAddress(),
          },
          body: `age=${age}`,
        })
        assert.equal(answer.status, 422)
        const { type }: any = await answer.json()
        const slug =
          age.length > limits.document_bytes_max ? 'document_too_large' : 'schema_mismatch'
        assert.ok(type.endsWith(slug), type)
      })
  })

  test('during long headers and paths without a key', async () => {
    const spaces = ' '.repeat(15_500)
    const form = `${server.url}/api/v1/public/collections/none/documents`
    const requests: [string, string, RequestInit][] = [
      ['languages', form, { method: 'POST', headers: { 'accept-language': `a${spaces}b` } }],
      ['types', `${server.url}/docs`, { headers: { accept: `text/markdown;${spaces}q=1` } }],
      ['slashes', `${server.url}/docs/${'/'.repeat(15_500)}a`, {}],
      ['escapes', `${server.url}/docs/${'%2F'.repeat(5_000)}a`, {}],
    ]
    for (const [what, url, init] of requests)
      await reportBusy(server, what, async () => {
        const headers = {
          accept: 'text/html',
          'content-type': 'application/x-www-form-urlencoded',
          'x-forwarded-for': newAddress(),
          ...init.headers,
        }
        const body = init.method === 'POST' ? { body: 'a=1' } : {}
        const answer = await fetch(url, { ...init, ...body, headers })
        await answer.text()
        assert.ok(answer.status < 500, String(answer.status))
      })
  })

  test('during file contents that are not base64', async () => {
    for (const content of ['='.repeat(60_000) + 'A', '\r\n'.repeat(400_000), '='.repeat(900_000)])
      await reportBusy(server, `${content.slice(0, 3)}, ${content.length}`, async () => {
        const files = [{ path: 'a.png', content, encoding: 'base64' }]
        const answer = await fetch(`${server.url}/api/v1/sites/${await siteId()}`, {
          method: 'PUT',
          headers: { authorization, 'content-type': 'application/json' },
          body: JSON.stringify({ files, keep_others: true }),
        })
        await answer.text()
        assert.ok(answer.status < 500, String(answer.status))
      })
  })

  describe('the event loop delay stays bounded during a deploy', () => {
    const mb = 1_048_576
    const repeated = (unit: string, bytes: number) => unit.repeat(Math.floor(bytes / unit.length))
    const unique = Array.from({ length: 80_000 }, (_, at) => `a${at}`).join(' ')
    const pages: [what: string, page: (bytes: number) => string][] = [
      ['links in one tag', (bytes) => `<p ${repeated(" src='", bytes - 4)}`],
      [
        'unclosed links',
        (bytes) => `<a src="${'x'.repeat(3_990)}${repeated(' src=x', bytes - 4_000)}`,
      ],
      ['short links', (bytes) => repeated('<a href=x>', bytes)],
      ['forms', (bytes) => repeated('<form data-collection="x">', bytes)],
      ['closed forms', (bytes) => repeated('<form data-collection=x></form>', bytes)],
      [
        'fields',
        (bytes) => `<form data-collection=x>${repeated('<input name=token form=a>', bytes - 30)}`,
      ],
      ['attributes', (bytes) => `<p data-collection ${unique}`.slice(0, bytes)],
      ['scripts', (bytes) => `data-collection${repeated('<script></script>', bytes - 20)}`],
    ]
    const files: [path: string, content: string][] = [
      ['_redirects', repeated('/a /b\n', mb)],
      ['_redirects', repeated(' ', mb)],
      ['_headers', repeated('/a\n  X-A: b\n', mb)],
    ]
    // A project may deploy 30 times an hour.
    const slowly: ProbedServer = { ...server, measure: (work) => server.measure(work, '3 minutes') }
    const publish = async (what: string, named: [path: string, content: string][]) => {
      const body = JSON.stringify({ files: named.map(([path, content]) => ({ path, content })) })
      await reportBusy(slowly, what, async () => {
        const answer = await fetch(`${server.url}/api/v1/sites/${await siteId()}`, {
          method: 'PUT',
          headers: { authorization, 'content-type': 'application/json' },
          body,
        })
        assert.equal(answer.status, 200, (await answer.text()).slice(0, 300))
      })
    }
    for (const [what, page] of pages)
      test(`with four pages of 1 MB: ${what}`, () =>
        publish(
          what,
          Array.from({ length: 4 }, (_, at) => [`${at}.html`, page(mb)]),
        ))
    for (const [what, page] of pages)
      test(`with one page of 120 kB: ${what}`, () => publish(what, [['index.html', page(120_000)]]))
    for (const [path, content] of files)
      test(`with ${path} of ${JSON.stringify(content.slice(0, 6))}`, () =>
        publish(path, [
          ['index.html', '<a href=x>'],
          [path, content],
        ]))
  })

  test('the event loop delay stays bounded during a client registration', async () => {
    const size = limits.oauth_document_bytes_max - 200
    for (const body of [
      `{"redirect_uris":[${'"http://127.0.0.1/",'.repeat(size / 20)}"http://127.0.0.1/"]}`,
      `{"redirect_uris":["http://127.0.0.1/"],"a":${'['.repeat(60)}${'1,'.repeat(size / 2 - 100)}1${']'.repeat(60)}}`,
    ])
      await reportBusy(server, 'registration', async () => {
        const answer = await fetch(`${server.url}/oauth/register`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        })
        await answer.text()
        assert.ok(answer.status < 500, String(answer.status))
      })
  })
})
