/** Changes or deletes several files in one transaction; files that cannot be are reported. */
import type { Caller } from '../../contract/caller.ts'
import { Problem } from '../../contract/errors.ts'
import { limits } from '../../contract/limits.ts'
import type { Transaction } from '../../kernel/database/database.ts'
import * as files from '../files/service.ts'
import * as projects from '../projects/service.ts'
import type { MediaBatch, MediaBatchInput } from './schema.ts'
import * as store from './store.ts'

type Refused = MediaBatch['refused'][number]

export function changeMany(caller: Caller, input: MediaBatchInput): Promise<MediaBatch> {
  requireOneChange(input)
  const project_id = caller.project.id
  return caller.db.transact(async (tx) => {
    await projects.lock(tx, project_id)
    const rows = await store.lockMany(tx, project_id, input.ids)
    const there = new Set(rows.map(({ id }) => id))
    const unknown = input.ids
      .filter((id) => !there.has(id))
      .map((id): Refused => ({ id, reason: 'not_found', used_on: [] }))
    const refused = await (input.delete === true ? deleteUnused : describe)(tx, caller, {
      input,
      rows,
    })
    const kept = new Set(refused.map(({ id }) => id))
    return {
      done: rows.map(({ id }) => id).filter((id) => !kept.has(id)),
      refused: [...unknown, ...refused],
    }
  })
}

function requireOneChange({ delete: deletes, folder, add_tags, remove_tags }: MediaBatchInput) {
  const changes = [folder, add_tags, remove_tags].filter((change) => change !== undefined)
  if (deletes === true ? changes.length === 0 : changes.length > 0) return
  const message =
    deletes === true
      ? 'excludes folder, add_tags and remove_tags'
      : 'must be true if there is no folder, add_tags or remove_tags'
  const errors = [{ path: '/delete', message }]
  throw new Problem('validation_failed', `/delete ${message}.`, { errors })
}

interface Many {
  input: MediaBatchInput
  rows: readonly store.MediaRow[]
}

/** Deletes the files that no live site shows. Returns the others. */
async function deleteUnused(
  tx: Transaction,
  { project, runtime }: Caller,
  { rows }: Many,
): Promise<Refused[]> {
  const ids = rows.map(({ id }) => id)
  const uses = Map.groupBy(await store.listUses(tx, project.id, ids), ({ media_id }) => media_id)
  const unused = rows.filter(({ id }) => !uses.has(id))
  await store.removeMany(
    tx,
    project.id,
    unused.map(({ id }) => id),
  )
  await files.releaseFiles(
    tx,
    { project_id: project.id, now: runtime.clock.now() },
    unused.map(({ file_id }) => file_id),
  )
  return [...uses].map(([id, places]) => ({
    id,
    reason: 'in_use',
    used_on: places.map(({ site_id, path }) => ({ site_id, path })),
  }))
}

/** Changes folders and tags. Returns the files that would have too many tags. */
async function describe(
  tx: Transaction,
  { project, runtime }: Caller,
  { input, rows }: Many,
): Promise<Refused[]> {
  const { folder, add_tags = [], remove_tags = [] } = input
  const countOf = ({ tags }: store.MediaRow) =>
    new Set(tags.filter((tag) => !remove_tags.includes(tag)).concat(add_tags)).size
  const isFull = (row: store.MediaRow) => countOf(row) > limits.media_tags_max
  const ids = rows.filter((row) => !isFull(row)).map(({ id }) => id)
  await store.changeMany(
    tx,
    { project_id: project.id, ids },
    {
      ...(folder === undefined ? {} : { folder }),
      add_tags,
      remove_tags,
      updated_at: runtime.clock.now(),
    },
  )
  return rows.filter(isFull).map(({ id }) => ({ id, reason: 'too_many_tags', used_on: [] }))
}
