/**
 * Files of website forms. The bytes are stored while the form arrives. Only an accepted form adds
 * them to the library; files without a reference are swept. The visitor does not wait for their
 * processing.
 */
import type { ProjectRow } from '../../../contract/caller.ts'
import { limits } from '../../../contract/limits.ts'
import type { Runtime } from '../../../kernel/runtime.ts'
import { newId } from '../../../kernel/values/ids.ts'
import * as files from '../../files/service.ts'
import * as projects from '../../projects/service.ts'
import * as store from '../store.ts'
import { insertWithJob } from './take-in.ts'

/** A file of a form that is not accepted yet, with its future media id. */
export interface FormFile {
  id: string
  file: files.StoredFile
  filename: string
}

interface Arriving {
  filename: string
  bytes: AsyncIterable<Uint8Array>
}

/**
 * Stores the bytes of a file. Throws file_too_large, and plan_limit_reached if the storage of the
 * plan is full.
 */
export async function storeFormFile(
  runtime: Runtime,
  project: ProjectRow,
  { filename, bytes }: Arriving,
): Promise<FormFile> {
  const bytes_max = limits.form_file_bytes_max
  const file = await files.storeFileWithin(runtime, project, { source: bytes, bytes_max })
  return { id: newId(runtime.clock), file, filename: nameFrom(filename) }
}

const NAME_CHARACTERS_MAX = 200

/** Sanitizes a file name, which comes from an untrusted browser. */
function nameFrom(said: string): string {
  const name = said
    .normalize('NFC')
    .split(/[/\\]/)
    .at(-1)!
    .replaceAll(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim()
  const ending = /\.[^.]{1,20}$/.exec(name)?.[0] ?? ''
  const cut = name.length > NAME_CHARACTERS_MAX
  const short = cut ? name.slice(0, NAME_CHARACTERS_MAX - ending.length) + ending : name
  return short || 'file'
}

interface Adding {
  files: readonly FormFile[]
  /** Name of the collection that receives the form. */
  collection: string
  test: boolean
}

/** Adds the files of one form to the library, all or none. */
export async function addFormFiles(
  runtime: Runtime,
  project: ProjectRow,
  { files: kept, collection, test }: Adding,
): Promise<void> {
  const arrivals = kept.map((one) => ({
    ...one,
    source: 'form' as const,
    test,
    metadata: { folder: `forms/${collection}` },
  }))
  const entry = { project_id: project.id, arrivals, read_at: runtime.clock.now() }
  await runtime.db.transact((tx) => insertWithJob(tx, runtime, entry))
}

/** Removes the files if the form is refused after all. */
export async function removeFormFiles(
  runtime: Runtime,
  project: ProjectRow,
  kept: readonly FormFile[],
): Promise<void> {
  const project_id = project.id
  const now = runtime.clock.now()
  await runtime.db.transact(async (tx) => {
    await projects.lock(tx, project_id)
    for (const { id } of kept) {
      const row = await store.lock(tx, { project_id, id })
      if (!row) continue
      await store.remove(tx, row)
      await files.releaseFiles(tx, { project_id, now }, [row.file_id])
    }
  })
}
