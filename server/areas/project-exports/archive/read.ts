/**
 * Imports a project from the file of an export, in one transaction. Ids stay as they were, so
 * references between documents, sites and files stay valid.
 */
import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { extract, type Entry } from 'tar-stream'
import { Type, type Static, type TSchema } from 'typebox'
import { schemaChecks } from '../../../kernel/values/typebox.ts'
import type { ExportedTable } from '../../../contract/manifest/exported-table.ts'
import type { Plan } from '../../../contract/plans.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { readDisk } from '../../../kernel/process/disk-space.ts'
import { importApp, type ImportedApp } from '../../apps/service.ts'
import * as projects from '../../projects/service.ts'
import * as store from './archive-store.ts'
import { countUsage } from './check-store.ts'
import {
  listExpectedFiles,
  refuseHarmfulRows,
  refuseLargeRows,
  refuseOtherColumns,
  type ExpectedFiles,
} from './check.ts'
import {
  archiveEnd,
  archiveHeader,
  countLines,
  ExportFault,
  FIRST,
  LAST,
  type ArchiveEnd,
  type ArchiveHeader,
} from './format.ts'

/** Limits a part in memory. Written parts exceed 4 MB by one row at most. */
const TEXT_BYTES_MAX = 33_554_432
/** What an import leaves free on the disk: a full one stops the database. */
const FREE_BYTES_MIN = 2_147_483_648
const rowsPattern = /^data\/([a-z_]+)\/\d{4,}\.ndjson$/
const filePattern = /^files\/([0-9a-f-]{36}(?:\.[a-z0-9-]+)*)$/
/** Rows of the own databases of apps, which are exported for reading. */
const rowsOfAppPattern = /^apps\/[0-9a-f-]{36}\/[^/]+\/\d{4,}\.csv$/
const appPattern = /^apps\/[0-9a-f-]{36}\/app\.json$/
/** Ids of projects are UUIDv7. The zero id is that of the installation in its activity. */
const idPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const NOT_READABLE = 'The file is not a project export that this version of Homeport reads.'
/** SQLSTATEs of rows that do not fit: class 22 (data) and 23 (constraints). */
const misfitPattern = /^2[23]/

export interface ProjectImport {
  from: Readable
  exported: readonly ExportedTable[]
  plan: Plan
  owner_email: string | null
  progress(line: string): void
}

export interface ImportedProject {
  project_id: string
  name: string
  rows: Record<string, number>
  files: number
  missing_files: number
  /** The addresses of its sites; some may have changed, because they were taken. */
  sites: string[]
  /** Its apps, none of which is deployed. */
  apps: ImportedApp[]
}

/** Throws an ExportFault, and keeps nothing, if the file is damaged or does not fit here. */
export async function importProject(
  runtime: Runtime,
  request: ProjectImport,
): Promise<ImportedProject> {
  const entries = extract()
  const unpacking = pipeline(request.from, createGunzip(), entries)
  unpacking.catch(() => {})
  const filled: Importing['filled'] = { project_id: null }
  try {
    return await runtime.db.transact(async (tx) => {
      const result = await new Import({ runtime, tx, request, filled }).readAll(entries)
      await unpacking
      return result
    })
  } catch (error) {
    if (filled.project_id !== null) await runtime.blobs.removeFolder(filled.project_id)
    throw explain(error)
  } finally {
    request.from.destroy()
  }
}

interface Importing {
  runtime: Runtime
  tx: Transaction
  request: ProjectImport
  /** The new project; null until its row is inserted. */
  filled: { project_id: string | null }
}

class Import {
  private readonly runtime: Runtime
  private readonly tx: Transaction
  private readonly request: ProjectImport
  private readonly filled: Importing['filled']
  private readonly rows: Record<string, number> = {}
  private readonly suffix = `-${randomBytes(3).toString('hex')}`
  private readonly apps: ImportedApp[] = []
  private files = 0
  private expected: ExpectedFiles | null = null

  constructor({ runtime, tx, request, filled }: Importing) {
    this.runtime = runtime
    this.tx = tx
    this.request = request
    this.filled = filled
  }

  async readAll(entries: AsyncIterable<Entry>): Promise<ImportedProject> {
    let header: ArchiveHeader | null = null
    let end: ArchiveEnd | null = null
    for await (const entry of entries) {
      const { name } = entry.header
      if (header === null) header = await this.begin(name, entry)
      else if (name === LAST) end = readJson(archiveEnd, await bytesOf(entry))
      else await this.take(name, entry, header)
    }
    if (!header || !end) throw new ExportFault('The file is cut short: export the project again.')
    return this.finish(header, end)
  }

  private async begin(name: string, entry: Entry): Promise<ArchiveHeader> {
    if (name !== FIRST) throw new ExportFault('The file is not a project export of Homeport.')
    const header = readJson(archiveHeader, await bytesOf(entry))
    const { runtime, tx, request } = this
    await refuseMisfit(tx, header)
    await refuseOtherColumns(tx, header, request.exported)
    await store.liftLimits(tx)
    const { id, name: title } = header.project
    const { plan, owner_email } = request
    const facts = { id, name: title, plan, owner_email, imported_at: runtime.clock.now() }
    await projects.insertSingle(tx, runtime, facts)
    this.filled.project_id = id
    return header
  }

  private async take(name: string, entry: Entry, header: ArchiveHeader): Promise<void> {
    const table = rowsPattern.exec(name)?.[1]
    const file = filePattern.exec(name)?.[1]
    if (table !== undefined) await this.insert(table, await bytesOf(entry), header)
    else if (file !== undefined) await this.store(file, entry, header)
    else if (rowsOfAppPattern.test(name)) entry.resume()
    else if (appPattern.test(name)) await this.addApp(await bytesOf(entry), header)
    else throw new ExportFault(`The file contains ${JSON.stringify(name)}, which no export has.`)
    this.request.progress(`Importing: ${Object.keys(this.rows).length} tables, ${this.files} files`)
  }

  private async insert(name: string, lines: Buffer, header: ArchiveHeader): Promise<void> {
    const archived = header.tables.find(({ table }) => table === name)
    const table = this.request.exported.find((one) => one.table === name)
    if (!archived || !table) throw new ExportFault(`The table ${name} is not part of exports.`)
    const count = countLines(lines)
    this.rows[name] = (this.rows[name] ?? 0) + count
    if (table.for_reading) return
    refuseLargeRows(name, lines)
    await this.requireRoom()
    await store.insertRows(this.tx, {
      table,
      columns: archived.columns,
      project_id: header.project.id,
      rows: readRows(table, lines),
      suffix: this.suffix,
    })
  }

  private async addApp(text: Buffer, { project }: ArchiveHeader): Promise<void> {
    await this.requireRoom()
    const archived = readJson(Type.Unknown(), text)
    const app = await importApp(this.tx, this.runtime, { project_id: project.id, archived })
    if (!app) throw new ExportFault('An app of the file is not as an export writes it.')
    this.apps.push(app)
  }

  private async store(file: string, entry: Entry, { project }: ArchiveHeader): Promise<void> {
    if (this.expected === null) {
      this.expected = await listExpectedFiles(this.tx, project.id)
      await this.requireRoom(this.expected.bytes)
    }
    const bytes = this.expected.largest.get(file)
    if (bytes === undefined) throw new ExportFault(`No row of the export names the file ${file}.`)
    if (entry.header.size > bytes)
      throw new ExportFault(`The file ${file} is larger than its row states.`)
    await this.requireRoom(entry.header.size)
    await this.runtime.blobs.put(`${project.id}/${file}`, entry)
    this.files += 1
  }

  /** The database and the files share the disk of the data folder, unless they are elsewhere. */
  private async requireRoom(bytes = 0): Promise<void> {
    const disk = await readDisk(this.runtime.config.data_dir)
    if (disk && disk.free_bytes - bytes < FREE_BYTES_MIN)
      throw new ExportFault(
        'The disk of the data folder is too small for this project: free space.',
      )
  }

  private async finish(header: ArchiveHeader, end: ArchiveEnd): Promise<ImportedProject> {
    const { rows, files, apps } = this
    const isComplete =
      files === end.files &&
      Object.entries(end.rows).every(([table, count]) => (rows[table] ?? 0) === count)
    if (!isComplete) throw new ExportFault('The file is damaged: export the project again.')
    const { id: project_id, name } = header.project
    const now = this.runtime.clock.now()
    await refuseHarmfulRows(this.tx, { project_id, exported: this.request.exported, now })
    await countUsage(this.tx, project_id)
    const sites = await store.listAddresses(this.tx, project_id)
    return { project_id, name, rows, files, missing_files: end.missing_files, sites, apps }
  }
}

async function refuseMisfit(tx: Transaction, header: ArchiveHeader): Promise<void> {
  const { migration, version, project } = header
  if (!idPattern.test(project.id)) throw new ExportFault(NOT_READABLE)
  const here = await store.findMigration(tx)
  if (migration !== here) {
    throw new ExportFault(
      `The export is at migration ${migration} (version ${version}), and this installation at ${here}: ` +
        'install the same version on both, and export again.',
    )
  }
  if (await store.hasProject(tx, project.id)) {
    throw new ExportFault(
      `The project ${project.id} is here already. A deleted project counts until it is removed after 30 days.`,
    )
  }
}

async function bytesOf(entry: Entry): Promise<Buffer> {
  if (entry.header.size > TEXT_BYTES_MAX)
    throw new ExportFault(`${entry.header.name} is larger than 32 MB, which no export has.`)
  const chunks: Buffer[] = []
  for await (const chunk of entry as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function readJson<Schema extends TSchema>(schema: Schema, text: Buffer): Static<Schema> {
  let content: unknown
  try {
    content = JSON.parse(text.toString())
  } catch {
    throw new ExportFault('The file is damaged: export the project again.')
  }
  if (!schemaChecks().Check(schema, content)) throw new ExportFault(NOT_READABLE)
  return content as Static<Schema>
}

/** Errors of gzip, tar, JSON and constraints mean that the file is damaged or was changed. */
function explain(error: unknown): unknown {
  if (error instanceof ExportFault || !(error instanceof Error)) return error
  const code = 'code' in error ? String(error.code) : ''
  if (misfitPattern.test(code)) {
    const where = 'table' in error && typeof error.table === 'string' ? ` in ${error.table}` : ''
    return new ExportFault(`The rows of the export do not fit${where}: ${error.message}.`)
  }
  const isDamaged = code.startsWith('Z_') || /tar|unexpected end/i.test(error.message)
  return isDamaged ? new ExportFault('The file is damaged or cut short: export it again.') : error
}

/** The rows as a JSON array. Sizes are counted anew, because a file could state smaller ones. */
function readRows({ table, sizes = {} }: ExportedTable, lines: Buffer): string {
  const texts = lines.toString().trimEnd().split('\n')
  const counted = Object.entries(sizes)
  if (counted.length === 0) return `[${texts.join(',')}]`
  const rows = texts.map((text) => {
    const row = readRow(table, text)
    const found = counted.map(([column, of]) => [column, sizeOf(row[of])] as const)
    return JSON.stringify({ ...row, ...Object.fromEntries(found) })
  })
  return `[${rows.join(',')}]`
}

function readRow(table: string, text: string): Record<string, unknown> {
  try {
    return { ...JSON.parse(text) }
  } catch {
    throw new ExportFault(`The rows of the export do not fit in ${table}: one is no JSON.`)
  }
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value ?? null))
}
