/** Tests of the backup file format: round trips, and rejection of altered files. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { depth } from '../../../test/fixtures/depth.ts'
import {
  fileSource,
  readBackup,
  writeBackup,
  type BackupHeader,
  type BackupSection,
} from './backup-format.ts'
import { BackupFault } from './backup-fault.ts'

const folder = mkdtempSync(join(tmpdir(), 'homeport-backup-'))
after(() => rmSync(folder, { recursive: true }))
const header: BackupHeader = {
  homeport_backup: 2,
  version: '0.1.0',
  migration: 1,
  created_at: '2026-11-21T09:30:00.000Z',
  seal_key_id: null,
  sealed_values: false,
}

interface Table {
  table: string
  rows: string
}

/** Returns the text of a backup with these tables, whose rows arrive in chunks. */
async function written(
  tables: readonly Table[],
  piece_bytes = 7,
  blobs: readonly Blob[] = [],
): Promise<Buffer> {
  async function* pieces(content: string | Uint8Array) {
    const bytes = Buffer.from(content)
    for (let at = 0; at < bytes.length; at += piece_bytes)
      yield bytes.subarray(at, at + piece_bytes)
  }
  async function* sections(): AsyncGenerator<BackupSection> {
    for (const { table, rows } of tables)
      yield { table, columns: ['id', 'value'], rows: pieces(rows) }
    for (const { blob, content } of blobs)
      yield { blob, bytes: content.length, content: pieces(content) }
  }
  const chunks: Buffer[] = []
  for await (const chunk of writeBackup(header, sections(), () => {})) chunks.push(chunk)
  return Buffer.concat(chunks)
}

interface Blob {
  blob: string
  content: Buffer
}

const readTables = async (bytes: Uint8Array) => (await readFrom(bytes)).tables

async function readFrom(bytes: Uint8Array): Promise<{ tables: Table[]; blobs: Blob[] }> {
  const file = join(folder, 'backup')
  writeFileSync(file, bytes)
  return readBackup(fileSource(file), async ({ sections }) => {
    const tables: Table[] = []
    const blobs: Blob[] = []
    for await (const section of sections) {
      const chunks = await Array.fromAsync('blob' in section ? section.content : section.rows)
      const content = Buffer.concat(chunks)
      if ('blob' in section) blobs.push({ blob: section.blob, content })
      else tables.push({ table: section.table, rows: content.toString() })
    }
    return { tables, blobs }
  })
}

const refused = (bytes: Uint8Array, expected: RegExp) =>
  assert.rejects(
    readFrom(bytes),
    (error) => error instanceof BackupFault && expected.test(error.message),
  )

function unpacksTo(packed: Buffer, plain: Buffer): boolean {
  try {
    return gunzipSync(packed).equals(plain)
  } catch {
    return false
  }
}

/** Rows in COPY text format: no bare line end and no bare backslash in a value. */
const rows = fc
  .array(fc.string({ unit: 'grapheme', maxLength: 12 }), { maxLength: 8 })
  .map((values) => values.map((value) => `${escaped(value)}\t${escaped(value)}\n`).join(''))

function escaped(value: string): string {
  return value
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll('\t', '\\t')
    .replaceAll('\r', '\\r')
}

/** File bytes that may look like other parts of a backup. */
const blob = fc
  .record({
    project_id: fc.uuid(),
    id: fc.uuid(),
    suffix: fc.constantFrom('', '.br', '.320.webp'),
    content: fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc
        .constantFrom('', '\n', '\n\\.\n', '{"end":true,"sha256":""}\n')
        .map((text) => Buffer.from(text)),
    ),
  })
  .map(({ project_id, id, suffix, content }) => ({
    blob: `${project_id}/${id}${suffix}`,
    content: Buffer.from(content),
  }))

const key = '019cb211-3c80-72d7-a4df-c9bf02b38e13/019cb211-3c80-72db-bddd-cd063173e8c4'

describe('a backup file', () => {
  it('round-trips any content in chunks of any size', async () => {
    const tables = fc.array(
      fc.record({ table: fc.string({ minLength: 1 }), rows }, { noNullPrototype: true }),
      { maxLength: 4 },
    )
    await fc.assert(
      fc.asyncProperty(
        tables,
        fc.array(blob, { maxLength: 4 }),
        fc.integer({ min: 1, max: 40 }),
        async (tables, blobs, piece_bytes) => {
          const file = gzipSync(await written(tables, piece_bytes, blobs))
          assert.deepEqual(await readFrom(file), { tables, blobs })
        },
      ),
      { numRuns: depth(20, 60) },
    )
  })

  it('finds the end of the rows at any chunk boundary', async () => {
    for (let length = 65_100; length < 65_560; length += 9) {
      const tables = [
        { table: 'a', rows: `${'x'.repeat(length)}\n\\\\.\n` },
        { table: 'b', rows: '' },
      ]
      assert.deepEqual(await readTables(gzipSync(await written(tables, 65_536))), tables)
    }
  })

  it('supports rows of several megabytes', async () => {
    const tables = [{ table: 'a', rows: `${'y'.repeat(3_000_000)}\n` }]
    assert.deepEqual(await readTables(gzipSync(await written(tables, 65_536))), tables)
  })

  it('supports files of several megabytes', async () => {
    const blobs = [
      { blob: key, content: randomBytes(3_000_000) },
      { blob: `${key}.gz`, content: Buffer.alloc(0) },
    ]
    const file = gzipSync(await written([], 65_536, blobs))
    assert.deepEqual(await readFrom(file), { tables: [], blobs })
  })

  it('reads format 1, which has no files', async () => {
    const tables = [{ table: 'a', rows: '1\tone\n' }]
    const text = (await written(tables))
      .toString()
      .replace('"homeport_backup":2', '"homeport_backup":1')
    const whole = text.slice(0, text.lastIndexOf('{"end"'))
    const sha256 = createHash('sha256').update(whole).digest('hex')
    const old = `${whole}${JSON.stringify({ end: true, sha256 })}\n`
    assert.deepEqual(await readTables(gzipSync(old)), tables)
  })

  it('is text that other tools can read', async () => {
    const text = (await written([{ table: 'a', rows: '1\tone\n2\ttwo\n' }])).toString()
    const [first, section, ...rest] = text.split('\n')
    assert.deepEqual(JSON.parse(first!), header)
    assert.deepEqual(JSON.parse(section!), { table: 'a', columns: ['id', 'value'] })
    const sha256 = createHash('sha256').update('1\tone\n2\ttwo\n').digest('hex')
    assert.deepEqual(rest.slice(0, 4), [
      '1\tone',
      '2\ttwo',
      '\\.',
      JSON.stringify({ rows: 2, sha256 }),
    ])
  })
})

describe('a damaged backup file', async () => {
  const tables = [
    { table: 'a', rows: '1\tone\n2\ttwo\n' },
    { table: 'b', rows: '' },
  ]
  const plain = await written(tables, 7, [{ blob: key, content: Buffer.from('bytes of a file') }])
  const packed = gzipSync(plain)
  const GZIP_HEADER_BYTES = 10

  it('is refused if any byte changed', async () => {
    const places = fc.integer({ min: GZIP_HEADER_BYTES, max: packed.length - 1 })
    await fc.assert(
      fc.asyncProperty(places, fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const changed = Buffer.from(packed)
        changed[at] = changed[at]! ^ change
        // Excludes the padding bits before the gzip checksum, which have no meaning.
        fc.pre(!unpacksTo(changed, plain))
        await refused(changed, /damaged|not a Homeport backup|newer Homeport/)
      }),
    )
  })

  it('is refused if its text changed and was compressed again', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.nat(plain.length - 1),
        fc.integer({ min: 1, max: 255 }),
        async (at, change) => {
          const changed = Buffer.from(plain)
          changed[at] = changed[at]! ^ change
          await refused(gzipSync(changed), /damaged|not a Homeport backup|newer Homeport/)
        },
      ),
    )
  })

  it('is refused if it is truncated, compressed or not', async () => {
    for (let length = 0; length < packed.length; length += 5) {
      await refused(packed.subarray(0, length), /damaged|not a Homeport backup/)
    }
    for (let length = 0; length < plain.length; length += 25) {
      await refused(gzipSync(plain.subarray(0, length)), /cut short/)
    }
  })

  it('is refused with trailing data', async () => {
    await refused(gzipSync(Buffer.concat([plain, Buffer.from('more\n')])), /data follows its end/)
    await refused(gzipSync(Buffer.concat([plain, plain])), /data follows its end/)
  })

  it('is reported with the table whose checksum differs', async () => {
    const changed = plain.toString().replace('2\ttwo', '2\tTwo')
    await refused(gzipSync(changed), /the rows of a do not fit their checksum/)
  })

  it('is reported with the file whose checksum differs', async () => {
    const changed = plain.toString().replace('bytes of a file', 'Bytes of a file')
    await refused(gzipSync(changed), new RegExp(`the file ${key} does not fit its checksum`))
    const longer = plain.toString().replace('bytes of a file', 'bytes of some file')
    await refused(gzipSync(longer), /a file in it is too long/)
  })

  it('is refused if it names a path outside the file store', async () => {
    for (const blob of ['../../etc/passwd', '/etc/passwd', `${key}/../a`, `${key}.`, 'a'])
      await refused(
        gzipSync(await written([], 7, [{ blob, content: Buffer.from('a') }])),
        /a line in it is not what belongs there/,
      )
  })

  it('is distinguished from other files and from newer formats', async () => {
    await refused(Buffer.from('hello'), /backup is not a Homeport backup\.$/)
    await refused(gzipSync('hello\n'), /not a Homeport backup/)
    await refused(gzipSync('{"hello":1}\n'), /is not a Homeport backup\.$/)
    await refused(gzipSync('x'.repeat(3_000_000)), /not a Homeport backup/)
    await refused(
      gzipSync(plain.toString().replace('"homeport_backup":2', '"homeport_backup":3')),
      /newer Homeport/,
    )
    assert.equal(
      gunzipSync(readFileSync(join(folder, 'backup')))
        .toString()
        .startsWith('{"homeport_backup":3'),
      true,
    )
  })

  it('is refused if it is a folder or does not exist', async () => {
    await assert.rejects(
      readBackup(fileSource(folder), async () => {}),
      /is a folder\.$/,
    )
    await assert.rejects(
      readBackup(fileSource(join(folder, 'none')), async () => {}),
      /There is no file/,
    )
  })
})
