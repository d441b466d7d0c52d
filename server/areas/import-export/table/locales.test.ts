/** Imports of files saved by spreadsheets in several countries. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { newFixture, slugOf, type TestCollection } from '../../../../test/fixtures/data/data.ts'

const { newCollection } = await newFixture()

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    total_amount: { type: 'number', title: 'Bedrag' },
    due: { type: 'string', format: 'date' },
    at: { type: 'string', format: 'date-time' },
    paid: { type: 'boolean' },
  },
}

interface Sending {
  type?: string
  query?: Record<string, string>
}

async function send({ call }: TestCollection, file: string | Buffer, sending: Sending = {}) {
  const { type = 'text/csv', query = {} } = sending
  const body = Buffer.from(file)
  const headers = { 'content-type': type }
  return call(`POST /documents/import?${new URLSearchParams(query)}`, undefined, {
    raw: body,
    headers,
  })
}

async function imported(file: string | Buffer, query: Record<string, string> = {}) {
  const collection = await newCollection({ schema })
  const answer = await send(collection, file, { query })
  assert.equal(answer.status, 200, answer.text)
  const { body } = await collection.call('GET /documents?sort=id')
  return { report: answer.body, data: body.data.map((one: any) => one.data) }
}

suite('a CSV file saved by Excel', () => {
  const files: [where: string, file: string, expected: object][] = [
    [
      'in the Netherlands',
      'Name;Total amount;Due;Paid\r\nZoë;12,50;01-02-2024;WAAR\r\nJan;1.234,56;31-12-2024;onwaar\r\n',
      [
        { name: 'Zoë', total_amount: 12.5, due: '2024-02-01', paid: true },
        { name: 'Jan', total_amount: 1234.56, due: '2024-12-31', paid: false },
      ],
    ],
    [
      'in Germany',
      'NAME;BEDRAG;due;paid\r\nJürgen;"1.234,5";01.02.2024;WAHR\r\nEva;-3;1.3.2024;falsch\r\n',
      [
        { name: 'Jürgen', total_amount: 1234.5, due: '2024-02-01', paid: true },
        { name: 'Eva', total_amount: -3, due: '2024-03-01', paid: false },
      ],
    ],
    [
      'in France',
      'name;total-amount;due;paid\r\nRené;1\u202f234,5;31/01/2024;VRAI\r\nÉva;1 000;01/02/2024;FAUX\r\n',
      [
        { name: 'René', total_amount: 1234.5, due: '2024-01-31', paid: true },
        { name: 'Éva', total_amount: 1000, due: '2024-02-01', paid: false },
      ],
    ],
    [
      'in the United States, with currency',
      'Name,Total Amount,Due,Paid\r\nAnn,"$1,234.56",12/31/2024,TRUE\r\nBob,$3.00,1/2/2024,FALSE\r\n',
      [
        { name: 'Ann', total_amount: 1234.56, due: '2024-12-31', paid: true },
        { name: 'Bob', total_amount: 3, due: '2024-01-02', paid: false },
      ],
    ],
    [
      'in Belgium, after a line that names the separator',
      'sep=;\r\nname;total_amount;due;paid\r\nLuc;€ 9,95;5/05/2024;ja\r\nAn;7;13/05/2024;nee\r\n',
      [
        { name: 'Luc', total_amount: 9.95, due: '2024-05-05', paid: true },
        { name: 'An', total_amount: 7, due: '2024-05-13', paid: false },
      ],
    ],
  ]
  for (const [where, file, expected] of files) {
    test(`is imported without parameters: ${where}`, async () => {
      const { report, data } = await imported(`\ufeff${file}`)
      assert.deepEqual(report.errors, [])
      assert.deepEqual(data, expected)
    })
  }

  test('is decoded from Windows-1252 or UTF-16, and the report names the encoding', async () => {
    const text = 'name;total_amount\r\nAnn;1,5\r\nZoë € Müller;2,5\r\n'
    const windows = Buffer.from(text.replace('€', '\x80'), 'latin1')
    const utf16 = Buffer.from(`\ufeff${text.replaceAll(';', '\t')}`, 'utf16le')
    for (const [file, encoding] of [
      [windows, 'windows-1252'],
      [utf16, 'utf-16le'],
    ] as const) {
      const { report, data } = await imported(file)
      assert.equal(report.notation.encoding, encoding)
      assert.deepEqual(data[1], { name: 'Zoë € Müller', total_amount: 2.5 })
    }
  })
})

suite('an ambiguous value', () => {
  const files: [file: string, locale: string, meant: object][] = [
    ['name;due\nA;01-02-2024\n', 'nl-NL', { due: '2024-02-01' }],
    ['name,due\nA,01/02/2024\n', 'en-US', { due: '2024-01-02' }],
    ['name;total_amount\nA;1.234\n', 'de', { total_amount: 1234 }],
    ['name,total_amount\nA,"1,234"\n', 'en', { total_amount: 1234 }],
  ]
  for (const [file, locale, meant] of files) {
    test(`is refused, and read with locale=${locale}: ${JSON.stringify(file)}`, async () => {
      const collection = await newCollection({ schema })
      const asked = await send(collection, file)
      assert.deepEqual([asked.status, slugOf(asked)], [422, 'validation_failed'], asked.text)
      assert.match(asked.body.detail, /could be .* or .*; choose with locale/)
      assert.match(asked.body.next_step, /locale/)
      const tried = await send(collection, file, { query: { dry_run: 'true' } })
      assert.match(tried.body.columns[1].ambiguous, /could be/)
      assert.equal(tried.body.refused, 1)
      assert.deepEqual((await imported(file, { locale })).data, [{ name: 'A', ...meant }])
    })
  }

  test('is read as other rows of the file show', async () => {
    const rows = Array.from({ length: 300 }, () => 'A;01-02-2024').join('\n')
    const { data } = await imported(`name;due\n${rows}\nB;31-12-2024\n`)
    assert.deepEqual(data[0], { name: 'A', due: '2024-02-01' })
  })

  test('does not occur in a file with plain JSON numbers', async () => {
    const { data } = await imported('name,total_amount\nA,1.234\n')
    assert.deepEqual(data, [{ name: 'A', total_amount: 1.234 }])
  })
})

suite('the parameter locale', () => {
  test('refuses lines in another notation, with the reason', async () => {
    const { report, data } = await imported('name;total_amount\nA;12.50\nB;12,50\n', {
      locale: 'nl-NL',
    })
    assert.deepEqual(data, [{ name: 'B', total_amount: 12.5 }])
    const [fault] = report.errors
    assert.equal(fault.line, 2)
    assert.deepEqual(fault.errors, [
      {
        path: '/total_amount',
        message: 'does not match the number notation of the locale, whose decimal mark is ","',
        column: 'total_amount',
        value: '12.50',
      },
    ])
  })

  test('reads amounts as spreadsheets write them', async () => {
    const cases: [locale: string | null, text: string, amount: number][] = [
      ['en-US', '-$45.00', -45],
      ['en-US', '($45.00)', -45],
      ['en-US', '$ (1,234.50)', -1234.5],
      ['en-US', '$ -', 0],
      ['en-IN', '₹12,34,567.50', 1234567.5],
      ['nl-NL', '-€ 12,50', -12.5],
      ['nl-NL', '€ -12,50', -12.5],
      ['nl-NL', '12,50-', -12.5],
      ['nl-NL', '€ 1.234', 1234],
      ['de-CH', "CHF-1'234.50", -1234.5],
      ['fr-CH', '1\u202f234.50 CHF', 1234.5],
      ['sv-SE', '\u221212\u00a0345,50 kr', -12345.5],
      ['pl-PL', '12,50 zł', 12.5],
      ['ar-EG', '\u061c-\u200f١٬٢٣٤٫٥٠ €', -1234.5],
      [null, '-$45.00', -45],
      [null, '(€ 12,50)', -12.5],
      [null, '12,50-', -12.5],
    ]
    for (const [locale, text, amount] of cases) {
      const file = `total_amount\n"${text}"\n`
      const { data } = await imported(file, locale === null ? {} : { locale })
      assert.deepEqual(data, [{ total_amount: amount }], `${locale} ${text}`)
    }
    const wrong = ['--45.00', '(-45.00)', '($45.00', '45 kg', '$', '-', '1,2,3', '€ 45 €€']
    const lines = wrong.map((text) => `"${text}"\n`).join('')
    const { report } = await imported(`total_amount\n${lines}`, { locale: 'en-US' })
    assert.deepEqual([report.inserted, report.refused], [0, wrong.length])
  })

  test('reads dates and times as spreadsheets and Intl write them', async () => {
    const timezone = 'Europe/Amsterdam'
    const cases: [locale: string, text: string, due: string, at: string][] = [
      ['en-US', '12/31/2024 3:45 PM', '', '2024-12-31T14:45:00Z'],
      ['en-US', '12/31/24, 12:05 a.m.', '', '2024-12-30T23:05:00Z'],
      ['en-US', '12/31/1999 12:00:00 AM', '1999-12-31', '1999-12-30T23:00:00Z'],
      ['en-US', 'Tuesday, December 31, 2024', '2024-12-31', '2024-12-30T23:00:00Z'],
      ['nl-NL', '31-12-24', '2024-12-31', '2024-12-30T23:00:00Z'],
      ['nl-NL', '31-12-99', '1999-12-31', '1999-12-30T23:00:00Z'],
      ['nl-NL', '31-dec-24', '2024-12-31', '2024-12-30T23:00:00Z'],
      ['de-DE', '31. Dezember 2024', '2024-12-31', '2024-12-30T23:00:00Z'],
      ['sv-SE', '24-12-31', '2024-12-31', '2024-12-30T23:00:00Z'],
      ['fi-FI', '31.12.2024 klo 15.45', '', '2024-12-31T14:45:00Z'],
      ['vi-VN', '15:45 31/12/2024', '', '2024-12-31T14:45:00Z'],
      ['th-TH', '31 ธันวาคม 2567', '2024-12-31', '2024-12-30T23:00:00Z'],
    ]
    const time = Date.UTC(2024, 11, 31, 14, 45, 30)
    for (const locale of 'en-GB fr-FR fr-CA es-MX pt-BR cs-CZ hu-HU ja-JP zh-TW ko-KR'.split(' ')) {
      for (const style of ['full', 'long', 'medium', 'short'] as const) {
        const date = new Intl.DateTimeFormat(locale, { dateStyle: style, timeZone: timezone })
        const both = new Intl.DateTimeFormat(locale, {
          dateStyle: style,
          timeStyle: 'medium',
          timeZone: timezone,
        })
        cases.push([locale, date.format(time), '2024-12-31', '2024-12-30T23:00:00Z'])
        cases.push([locale, both.format(time), '', '2024-12-31T14:45:30Z'])
      }
    }
    const collection = await newCollection({ schema })
    for (const [locale, text, due, at] of cases) {
      const file = `due;at\n${due && `"${text}"`};"${text}"\n`
      const query = { locale, timezone, dry_run: 'true' }
      const { body } = await send(collection, file, { query })
      assert.deepEqual(body.preview, [{ ...(due && { due }), at }], `${locale} ${text}`)
    }
    const wrong = ['31-12-024', '31 foo 2024', '31/12/2024 13:00 PM', '31 dec mei 2024', '12 2024']
    const { body } = await send(collection, `at\n${wrong.join('\n')}\n`, {
      query: { locale: 'nl-NL', timezone },
    })
    assert.deepEqual([body.inserted, body.refused], [0, wrong.length])
  })

  test('is needed for years of two digits', async () => {
    const collection = await newCollection({ schema })
    const asked = await send(collection, 'due\n31-12-24\n')
    assert.deepEqual([asked.status, slugOf(asked)], [422, 'validation_failed'])
    assert.match(asked.body.detail, /year of two digits; choose with locale/)
  })

  test('refuses an unknown locale or time zone: 400', async () => {
    const collection = await newCollection({ schema })
    for (const query of [{ locale: 'x!' }, { locale: 'qq-QQ' }, { timezone: 'Mars' }]) {
      const { status, text } = await send(collection, 'name\nA\n', { query })
      assert.equal(status, 400, text)
    }
  })

  test('needs timezone to read times without a zone, and refuses them otherwise', async () => {
    const file = 'name;at\nA;31-12-2024 14:30\n'
    const timezone = 'Europe/Amsterdam'
    assert.deepEqual((await imported(file, { timezone })).data[0].at, '2024-12-31T13:30:00Z')
    const { report } = await imported(file)
    assert.match(report.errors[0].errors[0].message, /time zone; set timezone/)
  })

  test('reads times of day, by default in the zone of the assistant', async () => {
    const properties = { opens: { type: 'string', format: 'time' } }
    const collection = await newCollection({ schema: { type: 'object', properties } })
    const file = 'opens\n09:00\n9:30:15\n25:00\n'
    const { body: refused } = await send(collection, file)
    assert.deepEqual([refused.inserted, refused.refused], [0, 3])
    const assistant = { name: 'Anna', timezone: 'Asia/Tokyo', languages: ['en'] }
    assert.equal((await collection.callProject('PUT /assistant', assistant)).status, 200)
    const { body } = await send(collection, file, { query: { dry_run: 'true' } })
    assert.deepEqual(body.preview, [{ opens: '09:00:00+09:00' }, { opens: '09:30:15+09:00' }])
    assert.equal(body.errors[0].errors[0].message, 'is not a valid date or time')
  })
})

suite('dry_run', () => {
  test('returns each column, the first documents and the reasons for refused lines', async () => {
    const collection = await newCollection({ schema })
    const file = 'Nam;BEDRAG;Paid\nAnn;12,50;ja\nBob;veel;misschien\n'
    const { body } = await send(collection, file, { query: { dry_run: 'true' } })
    assert.deepEqual([body.inserted, body.refused], [1, 1])
    assert.deepEqual(body.notation, {
      decimal: ',',
      order: 'day-first',
      encoding: 'utf-8',
      separator: ';',
    })
    assert.deepEqual(body.preview, [{ Nam: 'Ann', total_amount: 12.5, paid: true }])
    const [name, bedrag] = body.columns
    assert.deepEqual([name.field, name.suggestion], ['Nam', 'name'])
    assert.deepEqual(bedrag, {
      column: 2,
      heading: 'BEDRAG',
      field: 'total_amount',
      types: ['number'],
      example: { text: '12,50', value: 12.5 },
      ambiguous: null,
      suggestion: null,
    })
    const found = body.errors[0].errors.map(({ column, value }: any) => [column, value])
    assert.deepEqual(found, [
      ['BEDRAG', 'veel'],
      ['Paid', 'misschien'],
    ])
    assert.equal((await collection.call('GET /documents')).body.data.length, 0)
  })

  test('refuses two headings for one field, and prefers exact headings', async () => {
    const collection = await newCollection({ schema })
    const twice = await send(collection, 'Total amount;TOTAL_AMOUNT\n1;2\n')
    assert.match(twice.body.detail, /"Total amount" and "TOTAL_AMOUNT" both mean/)
    const { data } = await imported('name,Name\na,b\n')
    assert.deepEqual(data, [{ name: 'a', Name: 'b' }])
  })

  test('reads a column into the field that the request names, and leaves out those given null', async () => {
    const collection = await newCollection({ schema })
    const columns = JSON.stringify({ Klant: 'name', Bedrag: 'total_amount', Notitie: null })
    const file = 'Klant;Bedrag;Notitie\nAnn;12,50;x\n'
    const { status, body } = await send(collection, file, { query: { columns } })
    assert.equal(status, 200, JSON.stringify(body))
    const fields = body.columns.map(({ field }: any) => field)
    assert.deepEqual(fields, ['name', 'total_amount', null])
    const { data } = (await collection.call('GET /documents')).body
    assert.deepEqual(data[0].data, { name: 'Ann', total_amount: 12.5 })
  })

  test('refuses columns that are not a JSON object of names with 400 invalid_parameter', async () => {
    const collection = await newCollection({ schema })
    for (const columns of ['[]', '{"a":1}', '{"a":""}', 'a']) {
      const { status, body } = await send(collection, 'name\nAnn\n', { query: { columns } })
      assert.deepEqual([status, body.parameter], [400, 'columns'])
    }
  })
})
