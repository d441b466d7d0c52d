/**
 * Gives a file of the library the content of another one, which is then no longer in the library.
 * The replaced file keeps its id, descriptions and uses. The new content was already read as a file
 * of its own, so an unusable one never replaces a usable one.
 */
import type { Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import * as files from '../files/service.ts'
import * as projects from '../projects/service.ts'
import * as store from './store.ts'
import { createUnknownMediaProblem } from './unknown.ts'

export interface Replacement {
  id: string
  /** The file whose content is taken. */
  media_id: string
}

/** Returns the places on live versions of sites that show the former content. */
export function replaceContent(
  caller: Caller,
  { id, media_id }: Replacement,
): Promise<store.MediaUse[]> {
  const { db, project } = caller
  if (id === media_id) throw createContentProblem('must be another file')
  return db.transact(async (tx) => {
    await projects.lock(tx, project.id)
    const rows = await store.lockMany(tx, project.id, [id, media_id])
    const replaced = rows.find((row) => row.id === id)
    if (!replaced) throw createUnknownMediaProblem()
    const content = rows.find((row) => row.id === media_id)
    const uses = await store.listUses(tx, project.id, [id, media_id])
    requireUsable(replaced, content, uses)
    await takeContent(tx, caller, { replaced, content })
    return uses
  })
}

function requireUsable(
  replaced: store.MediaRow,
  content: store.MediaRow | undefined,
  uses: readonly store.MediaUse[],
): asserts content is store.MediaRow {
  if (!content) throw createContentProblem('is no file of the media library')
  if (content.status !== 'ready')
    throw createContentProblem(`has the status ${content.status}, and must be ready`)
  if (replaced.status === 'processing')
    throw new Problem('conflict', 'The file is still being processed. Try again in a few seconds.')
  if (replaced.status === 'ready' && replaced.kind !== content.kind)
    throw createContentProblem(`is of kind ${content.kind}, and must be ${replaced.kind}`)
  const used_on = uses
    .filter(({ media_id }) => media_id === content.id)
    .map(({ site_id, path }) => ({ site_id, path }))
  if (used_on.length === 0) return
  const detail = `A site shows the file ${content.id}, so it cannot leave the library.`
  throw new Problem('conflict', detail, { fields: { used_on } })
}

function createContentProblem(message: string): Problem {
  return new Problem('validation_failed', `/media_id ${message}.`, {
    errors: [{ path: '/media_id', message }],
  })
}

/**
 * Moves the new content to the replaced row, deletes its own row, and releases the former content.
 */
async function takeContent(
  tx: Transaction,
  { project, runtime }: Caller,
  { replaced, content }: { replaced: store.MediaRow; content: store.MediaRow },
): Promise<void> {
  const now = runtime.clock.now()
  await store.remove(tx, content)
  const { file_id, kind, content_type, bytes, sha256, sent_sha256 } = content
  const { width, height, duration_sec, placeholder } = content
  await store.change(tx, replaced, {
    file_id,
    kind,
    content_type,
    bytes,
    sha256,
    sent_sha256,
    width,
    height,
    duration_sec,
    placeholder,
    status: 'ready',
    status_reason: content.status_reason,
    // The point was chosen for the former picture.
    focal_x: null,
    focal_y: null,
    ...(content_type === replaced.content_type ? {} : { filename: content.filename }),
    updated_at: now,
  })
  await files.releaseFiles(tx, { project_id: project.id, now }, [replaced.file_id])
}
