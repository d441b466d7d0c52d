/** Presenters of media: each field of a reply is named here. */
import type { Selectable } from 'kysely'
import type { PictureCopiesTable } from '../../kernel/database/tables.ts'
import type { Media } from './schema.ts'
import type { MediaRow, MediaUse } from './store.ts'

export interface Belongings {
  copies: readonly Selectable<PictureCopiesTable>[]
  uses: readonly MediaUse[]
}

/** Presents one row. `belongings` can contain rows of other media, which are ignored. */
export function presentMedia(row: MediaRow, { copies, uses }: Belongings): Media {
  return {
    id: row.id,
    filename: row.filename,
    kind: row.kind,
    content_type: row.content_type,
    bytes: Number(row.bytes),
    sha256: row.sha256.toString('hex'),
    sent_sha256: row.sent_sha256.toString('hex'),
    width: row.width,
    height: row.height,
    duration_sec: row.duration_sec,
    alt: row.alt,
    title: row.title,
    tags: row.tags,
    folder: row.folder,
    focal_point:
      row.focal_x === null || row.focal_y === null ? null : { x: row.focal_x, y: row.focal_y },
    status: row.status,
    status_reason: row.status_reason,
    placeholder: row.placeholder,
    source: row.source,
    variants: copies
      .filter(({ file_id }) => file_id === row.file_id)
      .map(({ width, format, bytes }) => ({ width, format, bytes: Number(bytes) })),
    used_on: uses
      .filter(({ media_id }) => media_id === row.id)
      .map(({ site_id, path }) => ({ site_id, path })),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    test: row.test,
  }
}
