/** Links to small copies of several pictures at once, for pages that show the library. */
import type { Caller } from '../../../contract/caller.ts'
import { createLazyLink } from '../link.ts'
import type { Thumbnails, ThumbnailsQuery } from '../schema.ts'
import * as store from '../store.ts'

const WIDTH = 320

/** Returns a link for each picture. Leaves out other files and unknown ids. */
export async function listThumbnails(
  caller: Caller,
  { ids }: ThumbnailsQuery,
): Promise<Thumbnails> {
  const wanted = ids === undefined ? [] : [...new Set(ids.split(','))]
  const rows = await store.findMany(caller.db, caller.project.id, wanted)
  return {
    thumbnails: rows.flatMap((row) => {
      const link = createLazyLink(caller.runtime, row, WIDTH)
      return link === null ? [] : [{ id: row.id, ...link }]
    }),
  }
}
