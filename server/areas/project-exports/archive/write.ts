/** Writes a project as a file while it is read, so memory does not grow with the size. */
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type pg from 'pg'
import { pack, type Pack } from 'tar-stream'
import type { ExportedTable } from '../../../contract/manifest/exported-table.ts'
import { limits } from '../../../contract/limits.ts'
import { withClient } from '../../../kernel/backup/connection.ts'
import { beginSnapshot, listApplied, listTables } from '../../../kernel/backup/store.ts'
import { exportAppTables } from '../../../kernel/backup/app-sections.ts'
import { openBlob } from '../../../kernel/backup/write-snapshot.ts'
import type { Blobs } from '../../../kernel/blobs/blobs-contract.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { version } from '../../../kernel/process/version.ts'
import { exportApp } from '../../apps/service.ts'
import { keysOfFile } from '../../files/service.ts'
import { tablesLeftOut } from '../tables-left-out.ts'
import * as store from './archive-store.ts'
import {
  countLines,
  FIRST,
  FORMAT,
  LAST,
  LINE_END,
  type ArchivedTable,
  type ArchiveEnd,
} from './format.ts'

// The fastest level: pictures and recordings are compressed already.
const GZIP_LEVEL = 1
const CHUNK_BYTES = 65_536
const PART_BYTES = 4_194_304

export interface WholeProject {
  project: { id: string; name: string }
  exported: readonly ExportedTable[]
}

/** The chunks of the file. The database connection is released after the last row. */
export async function* writeArchive(
  runtime: Runtime,
  whole: WholeProject,
): AsyncGenerator<Uint8Array> {
  const archive = pack()
  const gzip = createGzip({ level: GZIP_LEVEL, chunkSize: CHUNK_BYTES })
  const filling = fill(runtime, whole, archive)
  filling.catch((error: Error) => archive.destroy(error))
  const compressing = pipeline(archive, gzip)
  compressing.catch(() => {})
  try {
    yield* gzip
  } finally {
    gzip.destroy()
    await Promise.allSettled([filling, compressing])
  }
  await filling
}

async function fill(runtime: Runtime, whole: WholeProject, archive: Pack): Promise<void> {
  const end: ArchiveEnd = { rows: {}, files: 0, missing_files: 0 }
  const { files, apps } = await withClient(runtime.connection, async (client) => {
    const late = setTimeout(() => {
      archive.destroy(new Error('The rows of a project export were not read in time.'))
    }, limits.project_export_rows_s * 1000)
    try {
      await addRows({ runtime, client, archive }, whole, end)
      const apps = await store.listAppIds(client, whole.project.id)
      return { apps, files: await store.listProjectFiles(client, whole.project.id) }
    } finally {
      clearTimeout(late)
    }
  })
  for (const id of apps) await addApp(runtime, archive, { project_id: whole.project.id, id })
  for (const file of files) await addFile({ blobs: runtime.blobs, archive }, file, end)
  await addText(archive, LAST, `${JSON.stringify(end, null, 2)}\n`)
  archive.finalize()
}

interface Rows {
  runtime: Runtime
  client: pg.Client
  archive: Pack
}

/** All rows of one moment, in one read-only transaction. */
async function addRows(
  { runtime, client, archive }: Rows,
  { project, exported }: WholeProject,
  end: ArchiveEnd,
): Promise<void> {
  await beginSnapshot(client)
  const tables = await listArchivedTables(client, exported)
  const header = {
    homeport_project_export: FORMAT,
    version: version(),
    migration: (await listApplied(client)).at(-1)?.number ?? 0,
    created_at: runtime.clock.now().toISOString(),
    project,
    tables,
    not_included: tablesLeftOut,
  }
  await addText(archive, FIRST, `${JSON.stringify(header, null, 2)}\n`)
  for (const table of tables) {
    const rows = store.copyRowsAsJson(client, table, project.id)
    end.rows[table.table] = await addParts(archive, table.table, rows)
  }
}

/** Ordered by foreign keys. */
async function listArchivedTables(
  client: pg.Client,
  exported: readonly ExportedTable[],
): Promise<ArchivedTable[]> {
  const byName = new Map(exported.map((one) => [one.table, one]))
  return (await listTables(client)).flatMap(({ name, columns }) => {
    const one = byName.get(name)
    if (!one) return []
    const { without = [], for_reading } = one
    const kept = columns.filter((column) => column !== 'project_id' && !without.includes(column))
    return [{ table: name, columns: kept, ...(for_reading && { for_reading }) }]
  })
}

/** Returns the number of rows. */
async function addParts(archive: Pack, table: string, rows: Readable): Promise<number> {
  let count = 0
  let number = 0
  for await (const part of partsOf(rows)) {
    number += 1
    await addText(archive, `data/${table}/${String(number).padStart(4, '0')}.ndjson`, part)
    count += countLines(part)
  }
  return count
}

/** Splits rows at the ends of lines. A part is larger than PART_BYTES by one row at most. */
async function* partsOf(rows: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of rows) {
    const end = chunk.lastIndexOf(LINE_END) + 1
    bytes += chunk.length
    if (bytes < PART_BYTES || end === 0) {
      chunks.push(chunk)
      continue
    }
    yield Buffer.concat([...chunks, chunk.subarray(0, end)])
    chunks = [chunk.subarray(end)]
    bytes = chunk.length - end
  }
  if (bytes > 0) yield Buffer.concat(chunks)
}

/** The app as an import takes it, and its tables as CSV, for reading. */
async function addApp(
  runtime: Runtime,
  archive: Pack,
  key: { project_id: string; id: string },
): Promise<void> {
  const { connection } = runtime
  const { id: app_id } = key
  const exported = await exportApp(runtime, key)
  if (exported) await addText(archive, `apps/${app_id}/app.json`, JSON.stringify(exported))
  for await (const { table, rows } of exportAppTables(connection, app_id)) {
    let number = 0
    for await (const part of partsOf(rows)) {
      number += 1
      const name = `${encodeURIComponent(table)}/${String(number).padStart(4, '0')}.csv`
      await addText(archive, `apps/${app_id}/${name}`, part)
    }
  }
}

interface Files {
  blobs: Blobs
  archive: Pack
}

/** Adds the bytes of a file and of its copies. A copy that does not exist is skipped. */
async function addFile(
  { blobs, archive }: Files,
  file: store.ProjectFile,
  end: ArchiveEnd,
): Promise<void> {
  const [own, ...copies] = keysOfFile(file)
  for (const key of [own, ...copies]) {
    if (key === undefined) continue
    const found = await openBlob(blobs, key)
    if (!found) {
      end.missing_files += key === own ? 1 : 0
      continue
    }
    const name = `files/${key.slice(file.project_id.length + 1)}`
    const header = { name, size: found.bytes, mtime: file.created_at }
    await pipeline(found.content, archive.entry(header))
    end.files += 1
  }
}

/** Resolves when the bytes are passed on, so that at most one part waits in memory. */
async function addText(archive: Pack, name: string, text: string | Buffer): Promise<void> {
  const entry = archive.entry({ name, size: Buffer.byteLength(text) })
  entry.end(text)
  await once(entry, 'close')
  if (archive.destroying) throw new Error('The export was not read to its end.')
}
