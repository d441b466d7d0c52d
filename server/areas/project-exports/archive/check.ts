/**
 * Checks of an imported file. An operator may import what somebody else exported, so a changed file
 * must not reach another project or the installation.
 */
import type { ExportedTable } from '../../../contract/manifest/exported-table.ts'
import type { Transaction } from '../../../kernel/database/database.ts'
import { keysOfFile } from '../../files/service.ts'
import * as sites from '../../sites/service.ts'
import * as store from './archive-store.ts'
import * as checks from './check-store.ts'
import { ExportFault, LINE_END, type ArchiveHeader } from './format.ts'

/** The largest rows are transcripts and manifests of sites, far below this. */
const ROW_BYTES_MAX = 8_388_608
/** Copies of pictures and compressed copies are smaller than this, or than the file itself. */
const COPY_BYTES_MAX = 33_554_432

/**
 * The file must name exactly the columns of an export: with an omitted one, an import would insert
 * the default value, such as a number that is not released.
 */
export async function refuseOtherColumns(
  tx: Transaction,
  { tables }: ArchiveHeader,
  exported: readonly ExportedTable[],
): Promise<void> {
  const names = exported.map(({ table }) => table)
  const known = await store.listColumns(tx, names)
  for (const { table, columns } of tables) {
    const { without = [] } = exported.find((one) => one.table === table) ?? {}
    const here = (known.get(table) ?? []).filter((one) => !without.includes(one))
    const other = columns.find((one) => !here.includes(one))
    if (other !== undefined) throw new ExportFault(`There is no column ${table}.${other} here.`)
    const missing = here.find((one) => !columns.includes(one))
    if (missing !== undefined || columns.length > here.length)
      throw new ExportFault(`The columns of ${table} are not those of an export.`)
  }
}

export function refuseLargeRows(table: string, lines: Buffer): void {
  for (let from = 0; from < lines.length;) {
    const at = lines.indexOf(LINE_END, from)
    const end = at < 0 ? lines.length : at
    if (end - from > ROW_BYTES_MAX)
      throw new ExportFault(`A row of ${table} is larger than 8 MB, which no export has.`)
    from = end + 1
  }
}

export interface ExpectedFiles {
  /** The largest size in bytes of each file and copy, by its name. */
  largest: ReadonlyMap<string, number>
  /** The size of all files together, without copies. */
  bytes: number
}

/** The files that the imported rows name. */
export async function listExpectedFiles(
  tx: Transaction,
  project_id: string,
): Promise<ExpectedFiles> {
  const largest = new Map<string, number>()
  let sum = 0
  for (const row of await checks.listFiles(tx, project_id)) {
    const bytes = Number(row.bytes)
    const [own = '', ...copies] = keysOfFile(row)
    const nameOf = (key: string) => key.slice(project_id.length + 1)
    sum += bytes
    largest.set(nameOf(own), bytes)
    for (const key of copies) largest.set(nameOf(key), Math.max(bytes, COPY_BYTES_MAX))
  }
  return { largest, bytes: sum }
}

/** Checks the rows after the last one is inserted. */
export async function refuseHarmfulRows(
  tx: Transaction,
  {
    project_id,
    exported,
    now,
  }: { project_id: string; exported: readonly ExportedTable[]; now: Date },
): Promise<void> {
  for (const { table, ids_of = {} } of exported)
    for (const [column, of] of Object.entries(ids_of))
      if (await checks.hasForeignIds(tx, { project_id, table, column, of }))
        throw new ExportFault(`Rows of ${table} refer to ${of} of another project.`)
  const future = await checks.findFutureRows(tx, { project_id, now })
  if (future !== null) throw new ExportFault(`Rows of ${future} are of the future.`)
  if (await checks.hasUnusableChangeNumbers(tx, project_id))
    throw new ExportFault('A collection has a number of changes that no collection reaches.')
  if (await checks.hasUnusableTransfer(tx, project_id))
    throw new ExportFault('The assistant transfers calls to a text that is no phone number.')
  if (await checks.hasUnusableCopies(tx, project_id))
    throw new ExportFault('A copy of a file has a name that no export has.')
  const address = await sites.findUnusableAddress(tx, project_id)
  if (address !== null)
    throw new ExportFault(`A site has the address ${address}, which no site can have.`)
}
