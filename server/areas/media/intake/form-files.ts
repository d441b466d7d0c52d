/**
 * Files of website forms. The bytes are stored while the form arrives. Only an accepted form adds
 * them to the library; files without a reference are swept. The visitor does not wait for their
 * processing.
 */
import type { ProjectRow } from '../../../contract/caller.ts'
import { Problem } from '../../../contract/errors.ts'
import { limits } from '../../../contract/limits.ts'
import { plans } from '../../../contract/plans.ts'
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
  /** Bytes that count as arriving until the form ends. */
  arrived: number
}

/** Bytes of forms that have not ended, by project; they are not in the library yet. */
const arriving = new Map<string, number>()
/** Number of forms that have not ended, by the id of a file. Equal files are one. */
const awaited = new Map<string, number>()

function count(counts: Map<string, number>, key: string, more: number): number {
  const sum = (counts.get(key) ?? 0) + more
  if (sum > 0) counts.set(key, sum)
  else counts.delete(key)
  return sum
}

interface Arriving {
  filename: string
  bytes: AsyncIterable<Uint8Array>
}

/**
 * Stores the bytes of a file. Throws file_too_large, and plan_limit_reached if the storage of the
 * plan, or the part of it for visitors, is full. The form must end with `endFormFiles`.
 */
export async function storeFormFile(
  runtime: Runtime,
  project: ProjectRow,
  { filename, bytes }: Arriving,
): Promise<FormFile> {
  const bytes_max = limits.form_file_bytes_max
  const used = await store.sumFormBytes(runtime.db, project.id)
  const used_max = plans[project.plan].files_bytes_max / limits.visitors_part
  let arrived = 0
  async function* metered(): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      arrived += chunk.length
      if (used + count(arriving, project.id, chunk.length) > used_max)
        throw new VisitorsPartFull('files', used / used_max)
      yield chunk
    }
  }
  try {
    const file = await files.storeFileWithin(runtime, project, { source: metered(), bytes_max })
    // Forms that ended meanwhile have moved their bytes into the library.
    const now_used = await store.sumFormBytes(runtime.db, project.id)
    if (now_used + arrived > used_max) {
      await files.deleteFiles(runtime, project.id, [file.id])
      throw new VisitorsPartFull('files', now_used / used_max)
    }
    count(awaited, file.id, 1)
    return { id: newId(runtime.clock), file, filename: nameFrom(filename), arrived }
  } catch (error) {
    count(arriving, project.id, -arrived)
    throw error
  }
}

/** Ends the counting of files as arriving, and deletes those that the form left unused. */
export async function endFormFiles(
  runtime: Runtime,
  project_id: string,
  kept: readonly FormFile[],
): Promise<void> {
  if (kept.length === 0) return
  for (const { arrived } of kept) count(arriving, project_id, -arrived)
  const ids = kept.map(({ file }) => file.id).filter((id) => count(awaited, id, -1) <= 0)
  // The sweep deletes them if this fails; the reply to the form must not depend on it.
  await files.deleteFiles(runtime, project_id, ids).catch(() => {})
}

const LASTING_SHARE = 0.9

/** What visitors sent takes the whole part of the plan that they may use. */
export class VisitorsPartFull extends Problem {
  readonly what: 'files' | 'documents'
  /** Whether what is stored takes nearly all of it, and not only what arrives now. */
  readonly is_lasting: boolean

  /** `stored`: the share of the part that is stored. */
  constructor(what: 'files' | 'documents', stored: number) {
    super(
      'plan_limit_reached',
      `The ${what} that visitors sent would exceed a fifth of what the plan of the project allows.`,
      {
        status: 409,
        user_message:
          'This form cannot take more at the moment. Please tell the people of this website in another way.',
      },
    )
    this.what = what
    this.is_lasting = stored >= LASTING_SHARE
  }
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
